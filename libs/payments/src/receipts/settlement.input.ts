import { IsAmount } from '../api/requests/amount.js';
import type { Amount } from '../common/money.js';
import { Given, IsText, Items, OneOf, Rule } from '../common/validation.js';
import { isOfOnePiece } from './mark-codes.js';
import { IsReceiptKey } from './own-receipt.input.js';
import { paymentSubjects, vatCodes } from './receipt-words.js';
import {
  HasCodesOnce,
  IsCustomer,
  IsQuantity,
  ItemDetailsShape,
  MAX_ITEMS,
  type ReceiptInput,
} from './receipt.input.js';

/** Goods that are handed over. What it leaves out is as the payment's receipt said. */
class SettledItemShape extends ItemDetailsShape {
  /** As on the payment's receipt; of goods that are paid out of an advance, their own name. */
  @Rule('must not be blank', (value) => typeof value === 'string' && value.trim() !== '')
  @IsText(128)
  readonly description!: string;

  /** Its place among the items of the payment's receipt, from 0: where those of one name differ in price. */
  @Given()
  @Rule(
    'must be the place of an item among those of the receipt, a whole number from 0',
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  )
  readonly line?: number;

  /** Default: all that is left of it; with a code of its own, one. */
  @Given()
  @Rule(
    'must be 1 beside markCodeInfo: a code belongs to one piece, so each has a line of its own',
    isOfOnePiece,
  )
  @IsQuantity()
  readonly quantity?: number | string;

  /** The price of one, of goods that are paid out of an advance; then `quantity` and `vatCode` are needed too. */
  @Given()
  @Rule(
    'needs quantity and vatCode beside it',
    (_value, { quantity, vatCode }) => quantity !== undefined && vatCode !== undefined,
  )
  @IsAmount()
  readonly amount?: Amount;

  @Given()
  @OneOf(vatCodes)
  readonly vatCode?: (typeof vatCodes)[number];
}

export class SettlePrepaymentInputShape {
  /** Your own name for the receipt, 1 to 64 characters, not `auto:…` and without `~`; of several parcels one each. Default: `settlement`. */
  @Given()
  @IsReceiptKey()
  readonly receiptKey?: string;

  /** Who gets it. Default: who got the payment's. */
  @Given()
  @IsCustomer()
  readonly customer?: ReceiptInput['customer'];

  /** What is in this parcel. Default: all goods that were prepaid and are left. */
  @Given()
  @Rule(
    'needs receiptKey: each parcel has a name of its own',
    (_value, { receiptKey }) => receiptKey !== undefined,
  )
  @HasCodesOnce()
  @Rule('needs at least one item', (value) => Array.isArray(value) && value.length > 0)
  @Items(() => SettledItemShape, MAX_ITEMS, '{ description, quantity?, … }')
  readonly items?: readonly SettledItem[];

  /** What the goods are whose prepayment said `payment`. Default: `commodity`. */
  @Given()
  @OneOf(paymentSubjects)
  readonly paymentSubject?: (typeof paymentSubjects)[number];
}

/** The input of {@link PaymentsService.settlePrepayment}. */
export type SettlePrepaymentInput = Readonly<SettlePrepaymentInputShape>;

/** One of the goods that are handed over. */
export type SettledItem = Readonly<SettledItemShape>;
