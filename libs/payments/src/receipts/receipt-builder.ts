import { parseRequest } from '../api/requests/parse-request.js';
import { formatAmount, parseAmount, valueFromMinor, type Amount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { CartInputShape, PartInputShape, type ReceiptPart } from './builder.input.js';
import { linesCosting } from './priced-lines.js';
import { parseQuantity, quantityOf, THOUSANDTHS } from './quantity.js';
import { itemTotalMinor, receiptTotalMinor } from './receipt-sums.js';
import { MAX_ITEMS, type ReceiptInput, type ReceiptItem } from './receipt.input.js';
import { spread, spreadAtLeast } from './spread.js';

/** So much of an item, and what it costs together. */
interface Share {
  readonly item: ReceiptItem;
  readonly thousandths: number;
  readonly sumMinor: number;
}

/**
 * The receipt of a cart for what the buyer pays: a discount, bonus points or a rounded total are spread over its lines in
 * proportion, so that they add up to the kopeck. A line whose sum no price hits is split: three for 100.00 are two at 33.33
 * and one at 33.34. So the receipt may have more items than the cart, in the same order.
 *
 * @param cart the receipt with the prices before the discount; what is free is left out, or costs a kopeck
 * @param paid default: what the cart adds up to
 * @throws PaymentInputError for what is no cart, naming the field by its path and the rule, as `create` does; where a unit would
 * be free; where the lines would be more than 100
 */
export function receiptOfCart(cart: ReceiptInput, paid?: Amount): ReceiptInput {
  const given = parseRequest(CartInputShape, { cart, paid });
  const { items } = given.cart;
  const paidMinor = given.paid === undefined ? receiptTotalMinor(given.cart) : parseAmount(given.paid);
  // A thousandth of a kopeck's worth costs nothing, and gets its kopeck.
  const prices = items.map((item) => Math.max(itemTotalMinor(item), 1));
  const units = items.map((item) => Math.ceil(thousandthsOf(item) / THOUSANDTHS));
  const sums = spreadAtLeast(paidMinor, prices, units);
  if (sums === null)
    throw new PaymentInputError('paid', 'must be at least a kopeck for each unit of the cart');
  const shares = items.map((item, index) => ({
    item,
    thousandths: thousandthsOf(item),
    sumMinor: sums[index] ?? 0,
  }));
  return withShares(given.cart, shares);
}

/**
 * The receipt of a part: of what a partial capture takes, or of what a partial refund gives back. By `amount` each item gives
 * in proportion to what is left of it, so parts that are the whole together add up to the whole, item by item.
 *
 * @param receipt of the payment; where only a part was captured, of the capture
 * @param part a sum, or items by their places in this receipt, not in the cart that it was made of
 * @param before receipts of earlier refunds
 * @throws PaymentInputError for what is no receipt or no part, naming the field by its path and the rule, as `create` does; where
 * less is left than asked for
 */
export function receiptOfPart(
  receipt: ReceiptInput,
  part: ReceiptPart,
  before: readonly ReceiptInput[] = [],
): ReceiptInput {
  return partOf(parseRequest(PartInputShape, { receipt, part, before }));
}

/** Likewise of what is known to fit. */
export function partOf({ receipt, part, before }: PartInputShape): ReceiptInput {
  const left = new LeftOf(receipt, before);
  const shares =
    'amount' in part ? sharesOfSum(receipt, left, part.amount) : sharesOfLines(receipt, left, part.lines);
  return withShares(
    receipt,
    shares.filter(({ sumMinor }) => sumMinor > 0),
  );
}

/**
 * What is left of a receipt once parts were refunded, items of one kind together; null: nothing. Where refunds were by lines it
 * has fewer of them; a sum given back leaves the goods, for less.
 */
export function receiptLeft(receipt: ReceiptInput, refunds: readonly ReceiptInput[]): ReceiptInput | null {
  const kinds = kindsOf(receipt.items);
  const returned = kindsOf(refunds.flatMap(({ items }) => items));
  const shares = [...kinds].flatMap(([kind, items]) => {
    const [whole, back] = [totalOf(items), totalOf(returned.get(kind) ?? [])];
    const [item] = items;
    const sumMinor = whole.sumMinor - back.sumMinor;
    return item === undefined || sumMinor <= 0
      ? []
      : [{ item, sumMinor, thousandths: goodsLeft(whole, back) }];
  });
  return shares.length === 0 ? null : withShares(receipt, shares);
}

function kindsOf(items: readonly ReceiptItem[]): Map<string, ReceiptItem[]> {
  const kinds = new Map<string, ReceiptItem[]>();
  for (const item of items) kinds.set(sameOf(item), [...(kinds.get(sameOf(item)) ?? []), item]);
  return kinds;
}

function totalOf(items: readonly ReceiptItem[]): Pick<Share, 'sumMinor' | 'thousandths'> {
  return {
    sumMinor: items.reduce((sum, item) => sum + itemTotalMinor(item), 0),
    thousandths: items.reduce((sum, item) => sum + thousandthsOf(item), 0),
  };
}

/** Less those that were returned at their price, but for a kopeck each. */
function goodsLeft(
  whole: Pick<Share, 'sumMinor' | 'thousandths'>,
  back: Pick<Share, 'sumMinor' | 'thousandths'>,
): number {
  const worthMinor = (whole.sumMinor * back.thousandths) / whole.thousandths;
  const isGoods = Math.abs(worthMinor - back.sumMinor) <= Math.ceil(back.thousandths / THOUSANDTHS);
  return isGoods && back.thousandths < whole.thousandths
    ? whole.thousandths - back.thousandths
    : whole.thousandths;
}

function sharesOfSum({ items }: ReceiptInput, left: LeftOf, amount: Amount): Share[] {
  const wantedMinor = parseAmount(amount);
  const sums = items.map((item) => left.take(item, itemTotalMinor(item)));
  const leftMinor = sums.reduce((total, sum) => total + sum, 0);
  if (wantedMinor === 0) throw new PaymentInputError('part.amount.value', 'must be above zero');
  if (wantedMinor > leftMinor)
    throw new PaymentInputError(
      'part.amount.value',
      `must be at most what is left of the receipt, ${valueFromMinor(leftMinor)}`,
    );
  const parts = spread(wantedMinor, sums);
  return items.map((item, index) => {
    const sumMinor = parts[index] ?? 0;
    // Where it is less than a kopeck a unit, fewer units are enough: this is a sum given back, and no goods.
    return { item, sumMinor, thousandths: Math.min(thousandthsOf(item), sumMinor * THOUSANDTHS) };
  });
}

function sharesOfLines(
  { items }: ReceiptInput,
  left: LeftOf,
  lines: Extract<ReceiptPart, { lines: unknown }>['lines'],
): Share[] {
  return lines.map(({ line, quantity }, index) => {
    const field = `part.lines[${index}]`;
    const item = items[line];
    if (item === undefined)
      throw new PaymentInputError(`${field}.line`, `must be the place of an item, 0 to ${items.length - 1}`);
    const thousandths = thousandthsOf({ quantity: quantity ?? item.quantity });
    if (thousandths > thousandthsOf(item))
      throw new PaymentInputError(`${field}.quantity`, `must be at most ${item.quantity}`);
    const wantedMinor = itemTotalMinor({ ...item, quantity: quantityOf(thousandths) });
    if (wantedMinor === 0)
      throw new PaymentInputError(`${field}.quantity`, 'must cost a kopeck at least, and is less');
    const sumMinor = left.take(item, wantedMinor);
    // Parts of a unit are each rounded to a kopeck, and may be one more together.
    const isEnough = wantedMinor - sumMinor <= 1 || quantity === undefined;
    if (sumMinor === 0 || !isEnough)
      throw new PaymentInputError(field, `must be at most what is left of it, ${valueFromMinor(sumMinor)}`);
    return { item, thousandths, sumMinor };
  });
}

/** What earlier receipts have left of each item. Items that differ in price and quantity alone, as a split makes them, are one. */
class LeftOf {
  readonly #leftMinor = new Map<string, number>();

  constructor(receipt: ReceiptInput, before: readonly ReceiptInput[]) {
    for (const item of receipt.items) this.#add(item, itemTotalMinor(item));
    for (const { items } of before) for (const item of items) this.#add(item, -itemTotalMinor(item));
  }

  /** As much of it as is left. */
  take(item: ReceiptItem, wantedMinor: number): number {
    const taken = Math.max(0, Math.min(wantedMinor, this.#leftMinor.get(sameOf(item)) ?? 0));
    this.#add(item, -taken);
    return taken;
  }

  #add(item: ReceiptItem, sumMinor: number): void {
    this.#leftMinor.set(sameOf(item), (this.#leftMinor.get(sameOf(item)) ?? 0) + sumMinor);
  }
}

/** All that it says, but for price and quantity. */
function sameOf({ amount: _amount, quantity: _quantity, ...same }: ReceiptItem): string {
  return JSON.stringify(Object.entries(same).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withShares(receipt: ReceiptInput, shares: readonly Share[]): ReceiptInput {
  const items = shares.flatMap(({ item, thousandths, sumMinor }) => {
    const lines = linesCosting(thousandths, sumMinor);
    if (lines === null)
      throw new PaymentInputError(
        'items',
        `must cost at least a kopeck a unit: ${item.quantity} of “${item.description}” would be ${valueFromMinor(sumMinor)}`,
      );
    return lines.map((line) => ({
      ...item,
      quantity: quantityOf(line.thousandths),
      amount: formatAmount(line.unitMinor, item.amount.currency),
    }));
  });
  if (items.length > MAX_ITEMS)
    throw new PaymentInputError(
      'items',
      `must be at most ${MAX_ITEMS} once split to add up, and are ${items.length}`,
    );
  return { ...receipt, items };
}

function thousandthsOf({ quantity }: Pick<ReceiptItem, 'quantity'>): number {
  return parseQuantity(quantity) ?? 0;
}
