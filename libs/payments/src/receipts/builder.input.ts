import { IsAmount } from '../api/requests/amount.js';
import type { Amount } from '../common/money.js';
import { Given, Items, Nested, Rule } from '../common/validation.js';
import {
  IsItemId,
  IsReceipt,
  IsQuantity,
  MAX_ITEMS,
  ReceiptShape,
  type ReceiptInput,
} from './receipt.input.js';

/** What the builders of receipts are given. A receipt may be one that is sent by itself; `create` refuses what only those have. */

/** As many as the path of a fault can count. */
const MAX_BEFORE = 1000;

const IsBuilt = (): PropertyDecorator => IsReceipt();

export class TotalInputShape {
  @IsBuilt()
  readonly receipt!: ReceiptInput;
}

export class CartInputShape {
  @IsBuilt()
  readonly cart!: ReceiptInput;

  @Given()
  @IsAmount()
  readonly paid?: Amount;
}

class LineShape {
  /** Your own id of it: of all items that have it, where a line of the cart was split. */
  @Given()
  @IsItemId()
  readonly id?: string;

  /** Its place among the items of the receipt, from 0. These may be more than the lines of the cart, of which some were split. */
  @Rule('must be left out beside id', (value, { id }) => id === undefined || value === undefined)
  @Rule(
    'must be the place of an item among those of the receipt, a whole number from 0',
    (value, { id }) =>
      id !== undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0),
  )
  readonly line?: number;

  /** Default: all that is left of it. */
  @Given()
  @IsQuantity()
  readonly quantity?: number | string;
}

/** So much of some items of a receipt. */
export type ReceiptLines = readonly Readonly<LineShape>[];

/** Which part of a receipt is captured or refunded: a sum of it, or so much of some of its items. */
export type ReceiptPart = { readonly amount: Amount } | { readonly lines: ReceiptLines };

/** For the property that holds them. */
export const AreLines = (): PropertyDecorator => (prototype, name) => {
  Items(() => LineShape, MAX_ITEMS, '{ id, quantity? } or { line, quantity? }')(prototype, name);
  Rule('needs at least one line', (value) => Array.isArray(value) && value.length > 0)(prototype, name);
};

class PartShape {
  @Given()
  @IsAmount()
  readonly amount?: Amount;

  @Given()
  @AreLines()
  readonly lines?: ReceiptLines;
}

const EITHER = 'must be either { amount } or { lines }';

export class PartInputShape {
  @IsBuilt()
  readonly receipt!: ReceiptInput;

  @Rule(EITHER, (value) => {
    const { amount, lines } = Object(value);
    return (amount === undefined) !== (lines === undefined);
  })
  @Nested(() => PartShape, EITHER)
  readonly part!: ReceiptPart;

  @Items(() => ReceiptShape, MAX_BEFORE, '{ customer, items, … }')
  readonly before!: readonly ReceiptInput[];
}
