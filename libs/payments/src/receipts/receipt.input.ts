import { IsAmount } from '../api/requests/amount.js';
import { IsFlag, IsPhone } from '../api/requests/rules.js';
import type { Amount } from '../common/money.js';
import { isDay, isDigits, isText, isTimestamp } from '../common/text.js';
import { Checked, Given, IsText, Items, Nested, OneOf, Rule } from '../common/validation.js';
import { areCodesOfOnePiece, isOfOnePiece, missingOfMarked } from './mark-codes.js';
import { parseQuantity } from './quantity.js';
import { measures, paymentModes, paymentSubjects, taxSystemCodes, vatCodes } from './receipt-words.js';

/** Third-party registers take so many; registers of the service 80. */
export const MAX_ITEMS = 100;

const IsWhole = (min: number, max: number): PropertyDecorator =>
  Rule(
    `must be a whole number from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
  );

const IsInn = (): PropertyDecorator =>
  Rule('must be 10 or 12 digits', (value) => isDigits(value, 10, 10) || isDigits(value, 12, 12));

/** For items. */
export const HasCodesOnce = (): PropertyDecorator =>
  Rule(
    'must name each mark code once: it belongs to one piece',
    (value) => !Array.isArray(value) || areCodesOfOnePiece(value),
  );

/** How much of an item. */
export const IsQuantity = (): PropertyDecorator =>
  Rule(
    'must be above zero and at most 99999.999, with at most three decimals after a point, e.g. 1.5',
    (value) => parseQuantity(value) !== null,
  );

/** Who the receipt is for. An email or a phone is needed: registers of the service send to an email alone. */
class ReceiptCustomerShape {
  /** A company's name or a person's full name: at most 256 characters. */
  @Given()
  @IsText(256)
  readonly fullName?: string;

  @Given()
  @IsInn()
  readonly inn?: string;

  @Given()
  @Rule(
    'must be an email address of at most 254 characters',
    (value) => isText(value, 3, 254) && /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(value),
  )
  readonly email?: string;

  @Given()
  @IsPhone()
  readonly phone?: string;
}

/** For the property that holds one. */
export const IsCustomer = (): PropertyDecorator => (prototype, name) => {
  Nested(() => ReceiptCustomerShape, 'is required: { email, phone?, fullName?, inn? }')(prototype, name);
  Rule('needs an email or a phone', isReachable)(prototype, name);
};

function isReachable(customer: unknown): boolean {
  const { email, phone } = Object(customer);
  return email !== undefined || phone !== undefined;
}

class IndustryDetailsShape {
  @Rule('must be three digits, "001" to "073"', (value) => isDigits(value, 3, 3))
  readonly federalId!: string;

  @Rule('must be a date of the calendar, YYYY-MM-DD', isDay)
  readonly documentDate!: string;

  @IsText(32)
  readonly documentNumber!: string;

  @IsText(256)
  readonly value!: string;
}

class OperationalDetailsShape {
  @IsWhole(0, 255)
  readonly operationId!: number;

  @IsText(64)
  readonly value!: string;

  @Rule('must be a moment, ISO 8601 with its time zone', isTimestamp)
  readonly createdAt!: string;
}

/** A marked product's code, as its standard names it; one of them at least. */
class MarkCodeInfoShape {
  @Given()
  @IsText(4096)
  readonly markCodeRaw?: string;

  @Given()
  @IsText(32)
  readonly unknown?: string;

  @Given()
  @IsText(8, 8)
  readonly ean8?: string;

  @Given()
  @IsText(13, 13)
  readonly ean13?: string;

  @Given()
  @IsText(14, 14)
  readonly itf14?: string;

  @Given()
  @IsText(38)
  readonly gs10?: string;

  @Given()
  @IsText(200)
  readonly gs1m?: string;

  @Given()
  @IsText(38)
  readonly short?: string;

  @Given()
  @IsText(20, 20)
  readonly fur?: string;

  /** The service's description says 33 characters, its library 23: both pass (assumed). */
  @Given()
  @Rule('must be a string of 23 or 33 characters', (value) => isText(value, 23, 23) || isText(value, 33, 33))
  readonly egais20?: string;

  @Given()
  @IsText(14, 14)
  readonly egais30?: string;
}

class MarkQuantityShape {
  @IsWhole(1, 999_999)
  readonly numerator!: number;

  @Rule('must be a whole number, at least the numerator', (value, { numerator }) => {
    return typeof value === 'number' && Number.isInteger(value) && value >= Number(numerator);
  })
  readonly denominator!: number;
}

/** A gift has no place on a receipt, and it must not get its kopeck at the cost of what was sold. */
function isNotFree(amount: unknown): boolean {
  const { value } = Object(amount);
  return typeof value !== 'string' || !/^(?:-.*|0+(?:\.0*)?)$/.test(value);
}

/** The host's own id of an item. */
export const IsItemId = (): PropertyDecorator => IsText(128);

/** Who is paid through an agent. */
class SupplierShape {
  @Given()
  @IsText(256)
  readonly name?: string;

  @Given()
  @IsPhone()
  readonly phone?: string;

  @Given()
  @IsInn()
  readonly inn?: string;
}

const agentTypes = [
  'banking_payment_agent',
  'banking_payment_subagent',
  'payment_agent',
  'payment_subagent',
  'attorney',
  'commissioner',
  'agent',
] as const;

/** What an item says besides what is sold, how much of it and for how much. */
export class ItemDetailsShape {
  /** What a unit is. Needed by registers of the service and by those of FFD 1.2. */
  @Given()
  @OneOf(measures)
  readonly measure?: (typeof measures)[number];

  /** The part of a marked piece that is sold: numerator of denominator; all of it is `{ numerator: 1, denominator: 1 }`. */
  @Given()
  @Nested(() => MarkQuantityShape, 'must be { numerator, denominator }')
  readonly markQuantity?: Readonly<MarkQuantityShape>;

  /** `marked` and `marked_excise` need `markCodeInfo`, `measure` and `markMode`; of a piece also `markQuantity`. */
  @Given()
  @Checked((value, item) => {
    const missing = missingOfMarked(item);
    return missing.length > 0 ? [`needs ${missing.join(', ')} beside ${String(value)}`] : [];
  })
  @OneOf(paymentSubjects)
  readonly paymentSubject?: (typeof paymentSubjects)[number];

  @Given()
  @OneOf(paymentModes)
  readonly paymentMode?: (typeof paymentModes)[number];

  @Given()
  @Rule(
    'must be a country code of two capital letters, e.g. "RU"',
    (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value),
  )
  readonly countryOfOriginCode?: string;

  @Given()
  @IsText(32)
  readonly customsDeclarationNumber?: string;

  /** The excise in it, as digits, a point and two digits. */
  @Given()
  @Rule(
    'must be a decimal string with exactly two fractional digits, e.g. "10.00"',
    (value) => typeof value === 'string' && /^\d{1,13}\.\d{2}$/.test(value),
  )
  readonly excise?: string;

  /** Of marked goods with FFD 1.05 or 1.1: bytes in hexadecimal with spaces between them. */
  @Given()
  @Rule(
    'must be at most 32 bytes in hexadecimal, capital letters, with spaces between them',
    (value) => typeof value === 'string' && /^[\dA-F]{2}( [\dA-F]{2}){0,31}$/.test(value),
  )
  readonly productCode?: string;

  @Given()
  @IsWhole(1, 6)
  readonly plannedStatus?: number;

  @Given()
  @Rule('must name at least one code', (value) => Object.values(Object(value)).length > 0)
  @Nested(() => MarkCodeInfoShape, 'must be an object with the code under its standard’s name')
  readonly markCodeInfo?: Readonly<MarkCodeInfoShape>;

  @Given()
  @OneOf(['0'], 'must be "0"')
  readonly markMode?: '0';

  @Given()
  @Items(() => IndustryDetailsShape, 10, '{ federalId, documentDate, documentNumber, value }')
  readonly paymentSubjectIndustryDetails?: readonly Readonly<IndustryDetailsShape>[];

  /** Whose goods an agent sells. This and the next two only on receipts that follow the money, or are sent by themselves. */
  @Given()
  @Nested(() => SupplierShape, 'must be { name?, phone?, inn? }')
  readonly supplier?: Readonly<SupplierShape>;

  @Given()
  @OneOf(agentTypes)
  readonly agentType?: (typeof agentTypes)[number];

  @Given()
  @IsText(64)
  readonly additionalPaymentSubjectProps?: string;
}

export class ReceiptItemShape extends ItemDetailsShape {
  /** Your own id of this line, by which a part of it is chosen later. It is not sent. */
  @Given()
  @IsItemId()
  readonly id?: string;

  /** What was sold: 1 to 128 characters. */
  @Rule('must not be blank', (value) => typeof value === 'string' && value.trim() !== '')
  @IsText(128)
  readonly description!: string;

  /** The price of one unit. */
  @Rule('must be above zero: leave what is free out, or sell it for a kopeck', isNotFree)
  @IsAmount()
  readonly amount!: Amount;

  /** How much of it, e.g. `2` or `'0.750'`: above zero, at most 99999.999. With a code of its own: one piece, or a part of it. */
  @Rule(
    'must be 1 beside markCodeInfo: a code belongs to one piece, so each has a line of its own',
    isOfOnePiece,
  )
  @IsQuantity()
  readonly quantity!: number | string;

  /** The VAT rate's code, 1 to 12: 1 none, 2 0 %, 3 10 %, 7 5 %, 8 7 %, 11 22 %. */
  @OneOf(vatCodes)
  readonly vatCode!: (typeof vatCodes)[number];
}

/** A line of a receipt: so much of something at a price a unit. */
export type ReceiptItem = Readonly<ReceiptItemShape>;

/** What every receipt says besides its items. */
class ReceiptHeadShape {
  @IsCustomer()
  readonly customer!: Readonly<ReceiptCustomerShape>;

  /** false: not sold on the internet. Default: true. */
  @Given()
  @IsFlag()
  readonly internet?: boolean;

  /** For stores with several tax systems, 1 to 6: 1 general, 2 simplified (income), 3 simplified (income less expenses), 6 patent. */
  @Given()
  @OneOf(taxSystemCodes)
  readonly taxSystemCode?: (typeof taxSystemCodes)[number];

  /** The time zone of the sale, 1 (Kaliningrad) to 11; 2 is Moscow. With some marked goods only. */
  @Given()
  @IsWhole(1, 11)
  readonly timezone?: number;

  @Given()
  @Items(() => IndustryDetailsShape, 10, '{ federalId, documentDate, documentNumber, value }')
  readonly receiptIndustryDetails?: readonly Readonly<IndustryDetailsShape>[];

  @Given()
  @Nested(() => OperationalDetailsShape, 'must be { operationId, value, createdAt }')
  readonly receiptOperationalDetails?: Readonly<OperationalDetailsShape>;
}

export class ReceiptShape extends ReceiptHeadShape {
  @HasCodesOnce()
  @Rule('needs at least one item', (value) => Array.isArray(value) && value.length > 0)
  @Items(() => ReceiptItemShape, MAX_ITEMS, '{ description, amount, quantity, vatCode, … }')
  readonly items!: readonly ReceiptItem[];
}

/** A receipt by law 54-FZ. */
export type ReceiptInput = Readonly<ReceiptShape>;

/** For the property that holds one. */
export const IsReceipt = (message = 'must be a receipt: { customer, items, … }'): PropertyDecorator =>
  Nested(() => ReceiptShape, message);
