import { parseAmount } from '../common/money.js';
import { lineTotalMinor } from './priced-lines.js';
import { parseQuantity, THOUSANDTHS } from './quantity.js';
import { itemTotalMinor } from './receipt-sums.js';
import type { ReceiptItem } from './receipt.input.js';
import { spread } from './spread.js';

/** As it stands on a receipt; one that is read back has no id. */
export type NamedItem = Pick<ReceiptItem, 'description' | 'amount' | 'quantity'>;

/** What is left of an item: so much of it, at so much money. */
export interface Left<Item extends NamedItem = ReceiptItem> {
  readonly item: Item;
  thousandths: number;
  sumMinor: number;
}

/**
 * What is left of the items of a receipt once these were given back: goods where they were returned at their price, else money
 * alone. The sums add up to those of the receipt less those of what was given back, kopeck by kopeck.
 */
export function leftOf<Item extends NamedItem>(
  items: readonly Item[],
  returned: readonly NamedItem[],
): Left<Item>[] {
  const left = items.map((item) => ({
    item,
    thousandths: thousandthsOf(item),
    sumMinor: itemTotalMinor(item),
  }));
  for (const back of returned) giveBack(sameGoods(left, back), back);
  return left.filter(({ sumMinor }) => sumMinor > 0);
}

/** Of one kind: all that they say, but for what differs between pieces of it, and between its sale and its return. */
export function isSameKind(one: NamedItem, other: NamedItem): boolean {
  return kindOf(one) === kindOf(other);
}

export function thousandthsOf({ quantity }: Pick<NamedItem, 'quantity'>): number {
  return parseQuantity(quantity) ?? 0;
}

/** So much of what is left, at what it is worth by now, and less is left from then on. */
export function takeOf<Item extends NamedItem>(
  left: readonly Left<Item>[],
  wanted: number,
): Readonly<Left<Item>>[] {
  let open = wanted;
  return left.flatMap((one) => {
    const thousandths = Math.min(open, one.thousandths);
    if (thousandths === 0) return [];
    const sumMinor = worthOf(one, thousandths);
    open -= thousandths;
    one.thousandths -= thousandths;
    one.sumMinor -= sumMinor;
    return [{ item: one.item, thousandths, sumMinor }];
  });
}

function worthOf({ item, thousandths, sumMinor }: Left<NamedItem>, taken: number): number {
  if (taken === thousandths) return sumMinor;
  const unitMinor = parseAmount(item.amount);
  const isExact = lineTotalMinor({ thousandths, unitMinor }) === sumMinor;
  const worthMinor = isExact
    ? lineTotalMinor({ thousandths: taken, unitMinor })
    : Math.round((sumMinor * taken) / thousandths);
  return Math.min(worthMinor, sumMinor);
}

/** The closest in price first. What is returned may name another mode than what was sold, since it was handed over meanwhile. */
function sameGoods<Item extends NamedItem>(left: readonly Left<Item>[], back: NamedItem): Left<Item>[] {
  const ofKind = left.filter(({ item }) => isSameKind(item, back));
  const named = left.filter(({ item }) => item.description === back.description);
  const off = ({ item }: Left<Item>) => Math.abs(parseAmount(item.amount) - parseAmount(back.amount));
  return (ofKind.length > 0 ? ofKind : named).toSorted((a, b) => off(a) - off(b));
}

function giveBack(left: readonly Left<NamedItem>[], back: NamedItem): void {
  let thousandths = thousandthsOf(back);
  let sumMinor = itemTotalMinor(back);
  for (const one of left.filter((candidate) => isAtPrice(candidate, back))) {
    const taken = Math.min(thousandths, one.thousandths);
    if (taken === 0) continue;
    const ofIt = taken === thousandths ? sumMinor : Math.round((sumMinor * taken) / thousandths);
    one.thousandths -= taken;
    one.sumMinor -= ofIt;
    thousandths -= taken;
    sumMinor -= ofIt;
  }
  takeMoney(left, sumMinor);
  settleKopecks(left);
}

/** As it was sold, or as it is worth since some money was given back; but for a kopeck a unit. */
function isAtPrice({ item, thousandths, sumMinor }: Left<NamedItem>, { amount }: NamedItem): boolean {
  if (thousandths === 0) return false;
  const unitMinor = parseAmount(amount);
  const worthMinor = (sumMinor * THOUSANDTHS) / thousandths;
  return Math.abs(parseAmount(item.amount) - unitMinor) <= 1 || Math.abs(worthMinor - unitMinor) <= 1;
}

export function takeMoney(left: readonly Left<NamedItem>[], sumMinor: number): void {
  const sums = left.map((one) => Math.max(0, one.sumMinor));
  const wholeMinor = sums.reduce((total, sum) => total + sum, 0);
  if (wholeMinor === 0 || sumMinor === 0) return;
  const parts = spread(Math.min(sumMinor, wholeMinor), sums);
  for (const [index, one] of left.entries()) one.sumMinor -= parts[index] ?? 0;
}

/** A split makes some units a kopeck dearer than others: what one line lacks or has too much of is another's of its kind. */
function settleKopecks(left: readonly Left<NamedItem>[]): void {
  for (const one of left) {
    const isGone = one.thousandths === 0 && one.sumMinor !== 0;
    if (!isGone && one.sumMinor >= 0) continue;
    const other = left.find(
      (candidate) => candidate.thousandths > 0 && candidate.sumMinor + one.sumMinor > 0,
    );
    if (other && other !== one) {
      other.sumMinor += one.sumMinor;
      one.sumMinor = 0;
    }
  }
}

function kindOf(item: NamedItem): string {
  const {
    amount: _amount,
    quantity: _quantity,
    id: _id,
    plannedStatus: _status,
    markQuantity: _part,
    ...same
  }: Partial<ReceiptItem> = item;
  return JSON.stringify(Object.entries(same).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
