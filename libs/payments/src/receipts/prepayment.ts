import type { ServiceReceipt } from '../api/service-receipt.js';
import { parseAmount } from '../common/money.js';
import { leftOf, takeMoney, thousandthsOf, type Left, type NamedItem } from './left-of.js';
import { quantityOf } from './quantity.js';
import { saidItems, type SaidItem } from './receipt-from-wire.js';
import { itemTotalMinor } from './receipt-sums.js';
import { vatOfGoods } from './receipt-words.js';

/** What of a prepayment was neither handed over nor given back. */
export interface Prepayment {
  /** Of the receipt that says what was prepaid, in its order. */
  readonly items: readonly SaidItem[];
  /** Goods that were paid before they were handed over, in full or in part. */
  readonly goods: readonly Left<SaidItem>[];
  /** Money for goods that were not known yet. */
  readonly advances: readonly Left<SaidItem>[];
  /** What that receipt says besides, in the service's words. */
  readonly head: KnownReceipt['head'];
}

/** What decides, of a receipt as the service lists it or as it was recorded. */
export type KnownReceipt = Pick<
  ServiceReceipt,
  'type' | 'status' | 'refundId' | 'settledMinor' | 'settlementTypes' | 'items' | 'head'
>;

const GIVEN_BACK = 'its prepayment was given back';

/**
 * What is left of a prepayment, or why nothing is. After a capture of a part, the last receipt says what the buyer has paid.
 *
 * @param receipts of the payment, oldest first, those of its refunds included; what was made by hand counts as registered
 * @param unsaidMinor given back by refunds that have no receipt
 */
export function prepaymentLeft(receipts: readonly KnownReceipt[], unsaidMinor = 0): Prepayment | string {
  const registered = receipts.filter((receipt) => counts(receipt, receipts));
  const known = withoutTakenBack(registered);
  const sale = known.findLast(isSale);
  if (sale === undefined && registered.some(isSale)) return GIVEN_BACK;
  if (sale === undefined)
    return receipts.some(isSale)
      ? 'its own receipt was not registered: send it again, or make it by hand and resolve its problem, first'
      : 'the service has no receipt of it: what was made elsewhere is settled there';
  const items = saidItems(sale.items);
  if (items.length < sale.items.length) return 'the service answers its receipt with an item that has no sum';
  if (!items.some(isPrepaid))
    return 'nothing of it was prepaid: its receipt names no full_prepayment, partial_prepayment or advance';
  const since = known.slice(known.indexOf(sale) + 1);
  const { gone, advancedMinor } = goneSince(since, items);
  const left = leftOf(items, gone);
  takeMoney(
    left.filter(({ item }) => isAdvance(item)),
    advancedMinor,
  );
  takeMoney(left, unsaidMinor);
  const open = left.filter(({ sumMinor }) => sumMinor > 0);
  const [goods, advances] = [
    open.filter(({ item }) => isGoods(item)),
    open.filter(({ item }) => isAdvance(item)),
  ];
  if (goods.length > 0 || advances.length > 0) return { items, goods, advances, head: sale.head };
  return since.some(isSettlement) ? 'its prepayment is settled already' : GIVEN_BACK;
}

/** One that failed says nothing, but for a refund's: that money went back all the same. Of its attempts the last counts. */
function counts(receipt: KnownReceipt, all: readonly KnownReceipt[]): boolean {
  if (receipt.status !== 'canceled') return true;
  const attempts = all.filter(({ refundId }) => refundId !== null && refundId === receipt.refundId);
  return attempts.every(({ status }) => status === 'canceled') && attempts.at(-1) === receipt;
}

function isSale(receipt: KnownReceipt): boolean {
  return receipt.type === 'payment' && receipt.refundId === null && !isOffset(receipt);
}

function isOffset({ settlementTypes }: KnownReceipt): boolean {
  return settlementTypes.includes('prepayment');
}

function isSettlement(receipt: KnownReceipt): boolean {
  return receipt.type === 'payment' && isOffset(receipt);
}

/** What a return of the payment itself takes back never was: a settlement, or the receipt of a hold that was captured in part. */
function withoutTakenBack(receipts: readonly KnownReceipt[]): readonly KnownReceipt[] {
  const left = [...receipts];
  for (const back of receipts) {
    if (back.type !== 'refund' || back.refundId !== null) continue;
    const isOfIt = (one: KnownReceipt) =>
      one.type === 'payment' && isOffset(one) === isOffset(back) && one.settledMinor === back.settledMinor;
    const earlier = left.slice(0, left.indexOf(back)).findLast(isOfIt);
    const taken = earlier ?? left.find(isOfIt);
    if (taken) left.splice(left.indexOf(taken), 1);
    if (taken || isOffset(back)) left.splice(left.indexOf(back), 1);
  }
  return left;
}

/**
 * What was handed over or given back. A return that says “paid in full” is of goods that were handed over, as many as settlements
 * name; such a return takes nothing from the prepayment of all other goods.
 */
function goneSince(
  receipts: readonly KnownReceipt[],
  items: readonly SaidItem[],
): { readonly gone: SaidItem[]; readonly advancedMinor: number } {
  const names = new Set(items.map(({ description }) => description));
  const handedOver = new Map<string, number>();
  const gone: SaidItem[] = [];
  let advancedMinor = 0;
  for (const receipt of receipts)
    for (const item of saidItems(receipt.items)) {
      const sold = asSold(item, items);
      const { description } = item;
      const thousandths = thousandthsOf(item);
      const handed = handedOver.get(description) ?? 0;
      if (!names.has(description)) {
        if (isSettlement(receipt)) advancedMinor += itemTotalMinor(item);
      } else if (isSettlement(receipt)) {
        handedOver.set(description, handed + thousandths);
        gone.push(sold);
      } else if (handed === 0 || isGoods(item) || isAdvance(item)) gone.push(sold);
      else {
        const back = Math.min(handed, thousandths);
        handedOver.set(description, handed - back);
        if (back < thousandths) gone.push({ ...sold, quantity: quantityOf(thousandths - back) });
      }
    }
  return { gone, advancedMinor };
}

/** In the words of the prepayment: the line that it is most likely of, since what is handed over has another mode, VAT and code. */
function asSold(item: SaidItem, items: readonly SaidItem[]): SaidItem {
  const { amount, quantity } = item;
  const ranks = items
    .filter(({ description }) => description === item.description)
    .map((sold) => ({
      sold,
      rank: [
        vatOfGoods(sold['vatCode']) === vatOfGoods(item['vatCode']) ? 0 : 1,
        sold['paymentMode'] === item['paymentMode'] ? 0 : isGoods(sold) ? 1 : 2,
        Math.abs(parseAmount(sold.amount) - parseAmount(amount)),
      ],
    }));
  const [best] = ranks.toSorted((a, b) => compare(a.rank, b.rank));
  return best ? { ...best.sold, amount, quantity } : item;
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, index) => rank - (b[index] ?? 0)).find((differs) => differs !== 0) ?? 0;
}

type Paid = NamedItem & { readonly paymentMode?: unknown };

/** Paid before it is handed over. */
export function isPrepaid(item: Paid): boolean {
  return isGoods(item) || isAdvance(item);
}

function isGoods({ paymentMode }: Paid): boolean {
  return paymentMode === 'full_prepayment' || paymentMode === 'partial_prepayment';
}

function isAdvance({ paymentMode }: Paid): boolean {
  return paymentMode === 'advance';
}
