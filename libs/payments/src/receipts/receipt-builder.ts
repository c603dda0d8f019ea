import { parseRequest } from '../api/requests/parse-request.js';
import { type Amount, formatAmount, parseAmount, valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { CartInputShape, PartInputShape, type ReceiptPart } from './builder.input.js';
import { isSameKind, leftOf, takeOf, thousandthsOf, type Left, type NamedItem } from './left-of.js';
import { partOfMark } from './mark-codes.js';
import { linesCosting } from './priced-lines.js';
import { quantityOf, THOUSANDTHS } from './quantity.js';
import { itemTotalMinor, receiptTotalMinor } from './receipt-sums.js';
import { MAX_ITEMS, type ReceiptInput, type ReceiptItem } from './receipt.input.js';
import { spread, spreadAtLeast } from './spread.js';

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
 * @param part a sum, or items by your own `id` of them, or by their places in this receipt, not in the cart that it was made of
 * @param before receipts of earlier refunds
 * @throws PaymentInputError for what is no receipt or no part, naming the field by its path and the rule, as `create` does; where
 * less is left than asked for
 */
export function receiptOfPart(
  receipt: ReceiptInput,
  part: ReceiptPart,
  before: readonly ReceiptInput[] = [],
): ReceiptInput {
  const given = parseRequest(PartInputShape, { receipt, part, before });
  return partOf(given.receipt, given.part, itemsOf(given.before));
}

/** Likewise of what is known to fit. `at`: the path of the part, for faults. */
export function partOf(
  receipt: ReceiptInput,
  part: ReceiptPart,
  returned: readonly NamedItem[] = [],
  at = 'part.',
): ReceiptInput {
  const left = leftOf(receipt.items, returned);
  const shares =
    'amount' in part ? sharesOfSum(left, part.amount, at) : sharesOfLines(receipt, left, part.lines, at);
  return withShares(
    receipt,
    shares.filter(({ sumMinor }) => sumMinor > 0),
  );
}

function itemsOf(receipts: readonly ReceiptInput[]): readonly ReceiptItem[] {
  return receipts.flatMap(({ items }) => items);
}

/** What one line still has, in goods and money. Money without goods is of the fewest units that can have it. */
function asShare({ item, thousandths, sumMinor }: Left): Readonly<Left> {
  const fewest = Math.min(thousandthsOf(item), sumMinor * THOUSANDTHS);
  return { item, sumMinor, thousandths: thousandths > 0 ? Math.min(thousandths, fewest) : fewest };
}

function sharesOfSum(left: readonly Left[], amount: Amount, at: string): Readonly<Left>[] {
  const wantedMinor = parseAmount(amount);
  const sums = left.map(({ sumMinor }) => sumMinor);
  const leftMinor = sums.reduce((total, sum) => total + sum, 0);
  if (wantedMinor === 0) throw new PaymentInputError(`${at}amount.value`, 'must be above zero');
  if (wantedMinor > leftMinor)
    throw new PaymentInputError(
      `${at}amount.value`,
      `must be at most what is left of the receipt, ${valueFromMinor(leftMinor)}`,
    );
  const parts = spread(wantedMinor, sums);
  // Where it is less than a kopeck a unit, fewer units are enough: this is a sum given back, and no goods.
  return left.map((one, index) => asShare({ ...one, sumMinor: parts[index] ?? 0 }));
}

function sharesOfLines(
  { items }: ReceiptInput,
  left: readonly Left[],
  lines: Extract<ReceiptPart, { lines: unknown }>['lines'],
  at: string,
): Readonly<Left>[] {
  return lines.flatMap((asked, index) => {
    const field = `${at}lines[${index}]`;
    const chosen = chosenOf(items, asked, field);
    // Items of one kind, as a split makes them, stand in for each other.
    const lefts = [...left]
      .filter(({ item }) =>
        chosen.some((one) => one === item || (one.id === item.id && isSameKind(one, item))),
      )
      .toSorted((a, b) => Number(chosen.includes(b.item)) - Number(chosen.includes(a.item)));
    const most = chosen.reduce((sum, item) => sum + thousandthsOf(item), 0);
    const wanted = asked.quantity === undefined ? null : thousandthsOf({ quantity: asked.quantity });
    if (wanted !== null && wanted > most)
      throw new PaymentInputError(`${field}.quantity`, `must be at most ${quantityOf(most)}`);
    const ofChosen = lefts.filter(({ item }) => chosen.includes(item));
    const all = ofChosen.reduce((sum, { thousandths }) => sum + thousandths, 0);
    const leftMinor = lefts.reduce((sum, { sumMinor }) => sum + sumMinor, 0);
    const shares = takeOf(lefts, wanted ?? all);
    const taken = shares.reduce((sum, { thousandths }) => sum + thousandths, 0);
    if (taken === 0 || (wanted !== null && taken < wanted))
      throw new PaymentInputError(field, `must be at most what is left of it, ${valueFromMinor(leftMinor)}`);
    if (shares.every(({ sumMinor }) => sumMinor === 0))
      throw new PaymentInputError(`${field}.quantity`, 'must cost a kopeck at least, and is less');
    return shares;
  });
}

/** The items that a line names, by their place or by the host's own id, which a split leaves on each. */
function chosenOf(
  items: ReceiptInput['items'],
  { line, id }: { readonly line?: number; readonly id?: string },
  field: string,
): readonly ReceiptItem[] {
  const chosen = items.filter((item, place) => (id === undefined ? place === line : item.id === id));
  if (chosen.length > 0) return chosen;
  if (id === undefined)
    throw new PaymentInputError(`${field}.line`, `must be the place of an item, 0 to ${items.length - 1}`);
  throw new PaymentInputError(`${field}.id`, 'must be the id of an item');
}

function withShares(receipt: ReceiptInput, shares: readonly Readonly<Left>[]): ReceiptInput {
  const items = shares.flatMap(({ item, thousandths, sumMinor }) => {
    const lines = linesCosting(thousandths, sumMinor);
    if (lines === null)
      throw new PaymentInputError(
        'items',
        `must cost at least a kopeck a unit: ${item.quantity} of “${item.description}” would be ${valueFromMinor(sumMinor)}`,
      );
    if (lines.length > 1 && item.markCodeInfo && !item.markQuantity)
      throw new PaymentInputError(
        'items',
        `must not be split where they have a code: no price makes ${item.quantity} of “${item.description}” ${valueFromMinor(sumMinor)}`,
      );
    return lines.map((line) => ({
      ...item,
      ...partOfCode(item, line.thousandths),
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

/** Which part of its piece so much of an item is; nothing where its quantity says so. */
function partOfCode(item: ReceiptItem, thousandths: number): Pick<ReceiptItem, 'markQuantity'> {
  const { markCodeInfo, markQuantity, measure = 'piece' } = item;
  if (thousandths === thousandthsOf(item)) return {};
  const isPiece = markCodeInfo !== undefined && measure === 'piece';
  const whole = markQuantity ?? (isPiece ? { numerator: 1, denominator: 1 } : undefined);
  return whole ? { markQuantity: partOfMark(whole, thousandths, thousandthsOf(item)) } : {};
}
