import type { ServiceProfile } from '../api/service-profile.js';
import { DAY_MS } from '../common/durations.js';
import { valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { mustAddUp } from './receipt-sums.js';
import type { ReceiptInput } from './receipt.input.js';

/** Who runs the register: the service, or a partner of the shop’s. */
export const registers = ['service', 'third_party'] as const;
export type Register = (typeof registers)[number];

/** When receipts are sent: together with the request for money, or by themselves once it has moved. */
export const fiscalScenarios = ['with_payment', 'after_payment'] as const;
export type FiscalScenario = (typeof fiscalScenarios)[number];

/** How a shop’s receipts are registered. */
export interface Fiscalization {
  readonly register: Register;
  readonly scenario: FiscalScenario;
  /** true: money is not requested without the receipt that it needs. */
  readonly requireReceipt: boolean;
}

/** Registers that the service runs itself. */
const PROVIDERS_OF_SERVICE: readonly unknown[] = ['avanpost', 'yoo_receipt'];

/**
 * How a store's receipts are registered: as the option says, but for a store that sends none, as the service says of it. Without
 * the option a store whose register is the service's own needs receipts too. Which scenario a third party's has, the service does
 * not say.
 */
export function fiscalizationOf(
  store: { readonly fiscalizationEnabled: boolean | null; readonly fiscalizationProvider: string | null },
  option: Fiscalization | null,
): Fiscalization | null {
  if (store.fiscalizationEnabled === false) return null;
  if (option !== null || !PROVIDERS_OF_SERVICE.includes(store.fiscalizationProvider)) return option;
  return { register: 'service', scenario: 'with_payment', requireReceipt: true };
}

/** The service asks for so many days before support is called; it waits a day for the answer of a third party's register. */
export const LATE_AFTER_MS: Readonly<Record<Register, number>> = { service: 3 * DAY_MS, third_party: DAY_MS };

/** Most goods arrive by then; and the contact, which the second receipt needs, is kept for 90 days. */
export const UNSETTLED_AFTER_MS = 30 * DAY_MS;

/** What a money request says of its receipt, in the words of its caller. */
interface Asked {
  readonly receipt: ReceiptInput | null;
  readonly amountMinor: number;
  /** It is sent by itself, once the money has moved. */
  readonly receiptsAfter: boolean;
  /** null: the buyer chooses. */
  readonly method?: string | null;
}

/** A company that pays another one by its bank's own means needs no receipt. */
export function needsReceipt(method: string | null): boolean {
  return method !== 'b2b_sberbank';
}

const MAX_ITEMS_OF_SERVICE = 80;
const MODES_OF_SERVICE: readonly unknown[] = ['full_prepayment', 'full_payment', undefined];

/** @throws PaymentInputError if the service has no receipts */
export function mustTakeReceipts(
  receipt: ReceiptInput | null,
  { name, receipts }: Pick<ServiceProfile, 'name' | 'receipts'>,
): void {
  if (receipt === null || receipts) return;
  throw new PaymentInputError(
    'receipt',
    `is not part of the ${name} service: pass profile: yookassaProfile, or leave it out`,
  );
}

/**
 * The receipt of a whole payment.
 * @throws PaymentInputError if it is missing, does not add up to the amount, or is not one for the shop’s register
 */
export function checkReceipt(
  { receipt, amountMinor, receiptsAfter, method = null }: Asked,
  fiscalization: Fiscalization | null,
): void {
  if (receipt === null) {
    if (fiscalization?.requireReceipt && needsReceipt(method))
      throw new PaymentInputError(
        'receipt',
        'is required (fiscalization.requireReceipt): { customer, items }; receiptOfCart() makes one',
      );
    return;
  }
  mustAddUp(receipt, amountMinor);
  if (!receiptsAfter) mustGoWithMoney(receipt);
  mustSuit(receipt, fiscalization);
}

const ONLY_BY_ITSELF = ['supplier', 'agentType', 'additionalPaymentSubjectProps'] as const;

/** What the service takes in a request for money says less of an item. */
function mustGoWithMoney({ items }: ReceiptInput): void {
  for (const [index, item] of items.entries()) {
    const name = ONLY_BY_ITSELF.find((field) => item[field] !== undefined);
    if (name !== undefined)
      throw new PaymentInputError(
        `receipt.items[${index}].${name}`,
        'must be left out: the service takes it on receipts that follow the money (fiscalization.scenario) or are sent by themselves (payments.receipts.create), not on one that goes with it',
      );
  }
}

interface Suited {
  readonly customer: ReceiptInput['customer'];
  readonly items: readonly {
    readonly description: string;
    readonly measure?: unknown;
    readonly paymentMode?: unknown;
    readonly productCode?: unknown;
  }[];
}

/**
 * @param at what the fields begin with that an error names
 * @throws PaymentInputError for what the shop’s register does not take
 */
export function mustSuit(receipt: Suited, fiscalization: Fiscalization | null, at = 'receipt.'): void {
  mustReach(receipt.customer, fiscalization, `${at}customer`);
  if (fiscalization?.register === 'service') mustSuitService(receipt, at);
}

/**
 * The receipt of a part of a payment, captured or refunded: needed where the payment has one, and only for a part.
 * @throws PaymentInputError likewise, and if there is one for the whole
 */
export function checkPartReceipt(
  { receipt, amountMinor, receiptsAfter }: Asked,
  {
    wholeMinor,
    hasReceipt,
    mayRepeat = false,
  }: {
    readonly wholeMinor: number;
    readonly hasReceipt: boolean;
    /** The whole may have one too. */
    readonly mayRepeat?: boolean;
  },
  fiscalization: Fiscalization | null,
): void {
  const isWhole = amountMinor === wholeMinor;
  if (receipt !== null && isWhole && !mayRepeat)
    throw new PaymentInputError(
      'receipt',
      `must be left out for the whole ${valueFromMinor(wholeMinor)}: the service takes it from the payment`,
    );
  if (receipt === null && !isWhole && (hasReceipt || fiscalization?.requireReceipt))
    throw new PaymentInputError(
      'receipt',
      `is required for a part, ${valueFromMinor(amountMinor)} of ${valueFromMinor(wholeMinor)}, since the payment has one: receiptOfPart() makes that of a capture; of a refund pass receiptOf, the payment’s`,
    );
  if (receipt !== null) checkReceipt({ receipt, amountMinor, receiptsAfter }, fiscalization);
}

/** Whose rules these are. */
const OF_SERVICE = 'with a register of the service (fiscalization.register)';

/**
 * Who gets a receipt.
 * @throws PaymentInputError if the shop’s register does not send there: the service’s own sends to an email alone
 */
export function mustReach(
  { email }: ReceiptInput['customer'],
  fiscalization: Fiscalization | null,
  field = 'customer',
): void {
  if (fiscalization?.register === 'service' && email === undefined)
    throw new PaymentInputError(`${field}.email`, `is required ${OF_SERVICE}`);
}

/** The service’s own register knows two modes. */
function mustSuitService({ items }: Suited, at: string): void {
  if (items.length > MAX_ITEMS_OF_SERVICE)
    throw new PaymentInputError(`${at}items`, `must be at most ${MAX_ITEMS_OF_SERVICE} ${OF_SERVICE}`);
  for (const [index, { measure, paymentMode, productCode }] of items.entries()) {
    if (measure === undefined)
      throw new PaymentInputError(
        `${at}items[${index}].measure`,
        `is required ${OF_SERVICE}: pass measure, e.g. piece, with each item`,
      );
    if (!MODES_OF_SERVICE.includes(paymentMode))
      throw new PaymentInputError(
        `${at}items[${index}].paymentMode`,
        `must be full_prepayment or full_payment ${OF_SERVICE}`,
      );
    if (productCode !== undefined)
      throw new PaymentInputError(`${at}items[${index}].productCode`, `must be left out ${OF_SERVICE}`);
  }
}
