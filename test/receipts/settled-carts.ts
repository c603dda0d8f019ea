import { array, constantFrom, integer, nat, pre, property, record } from 'fast-check';
import { deepEqual, equal } from 'node:assert/strict';
import { formatAmount } from '../../libs/payments/src/common/money.js';
import { PaymentInputError } from '../../libs/payments/src/common/payments.errors.js';
import { prepaymentLeft } from '../../libs/payments/src/receipts/prepayment.js';
import { receiptOfCart, receiptOfPart } from '../../libs/payments/src/receipts/receipt-builder.js';
import type { SaidItem } from '../../libs/payments/src/receipts/receipt-from-wire.js';
import { itemTotalMinor, receiptTotalMinor } from '../../libs/payments/src/receipts/receipt-sums.js';
import type { ReceiptInput, ReceiptItem } from '../../libs/payments/src/receipts/receipt.input.js';
import { settledGoods } from '../../libs/payments/src/receipts/settled-goods.js';
import type { SettledItem } from '../../libs/payments/src/receipts/settlement.input.js';
import { cup, customer, sent, settled } from './answered.js';
import { anyItem } from './any-item.js';

const item = anyItem.map((one) => ({ ...one, paymentMode: 'full_prepayment' as const }));
const shoes = integer({ min: 1, max: 4 }).map((quantity): ReceiptItem => ({
  ...cup,
  description: 'Shoes',
  quantity,
}));
const cart = record({
  goods: array(item, { minLength: 1, maxLength: 8 }),
  marked: array(shoes, { maxLength: 1 }),
});
const step = record({
  kind: constantFrom('settle', 'return', 'sorry', 'hand back'),
  line: nat(20),
  units: integer({ min: 1, max: 3 }),
});

/** By what a buyer and a register tell goods apart. */
function sums(items: readonly SaidItem[] | readonly ReceiptItem[]): Record<string, number> {
  const byName: Record<string, number> = {};
  for (const one of items) {
    const name = `${one.description} ${String(one.vatCode)}`;
    byName[name] = (byName[name] ?? 0) + itemTotalMinor(one);
  }
  return byName;
}

function orNothing<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}

/**
 * What is registered of a cart is what was paid, line by line: after a discount, settled in parcels with codes, returned before it
 * was handed over and afterwards, until nothing is left.
 */
export const settledCarts = property(
  cart,
  integer({ min: 30, max: 100 }),
  array(step, { maxLength: 6 }),
  (given, percent, steps) => {
    const whole: ReceiptInput = { customer, items: [...given.goods, ...given.marked] };
    const paidMinor = Math.floor((receiptTotalMinor(whole) * percent) / 100);
    const paid = orNothing(() => receiptOfCart(whole, formatAmount(paidMinor)));
    pre(paid !== null);
    const receipts = [sent({ items: paid.items })];
    const parcels: SaidItem[] = [];
    const returned: ReceiptItem[] = [];
    const handedBack: SaidItem[] = [];
    let code = 0;
    const settle = (items: readonly SettledItem[] | undefined) => {
      const prepayment = prepaymentLeft(receipts);
      if (typeof prepayment === 'string') return;
      const parcel = orNothing(() => settledGoods(prepayment, items ? { items } : {}, []));
      if (parcel === null) return;
      parcels.push(...parcel);
      receipts.push(settled(parcel));
    };
    /** What the buyer had already; of a line's pieces all that one parcel contained. */
    const handBack = (line: number) => {
      const kept = parcels.filter((one) => !handedBack.includes(one));
      const one = kept[line % Math.max(1, kept.length)];
      if (one === undefined) return;
      handedBack.push(one);
      receipts.push(sent({ type: 'refund', of: `r${receipts.length}`, items: [one] }));
    };
    const giveBack = (quantity: number | null, line: number) => {
      const prepayment = prepaymentLeft(receipts);
      if (typeof prepayment === 'string') return;
      const rest = orNothing(() => settledGoods(prepayment, {}, []));
      const sold = rest?.map((one) => ({ ...cup, ...one, paymentMode: 'full_prepayment' }) as const);
      if (!sold) return;
      const open = { customer, items: sold };
      const part =
        quantity === null
          ? { amount: formatAmount(Math.ceil(receiptTotalMinor(open) / 10)) }
          : { lines: [{ line: line % sold.length, quantity }] };
      const receipt = orNothing(() => receiptOfPart(open, part));
      if (receipt === null) return;
      returned.push(...receipt.items);
      receipts.push(sent({ type: 'refund', of: `r${receipts.length}`, items: receipt.items }));
    };
    for (const { kind, line, units } of steps) {
      const place = line % paid.items.length;
      const description = paid.items[place]?.description ?? '';
      const isMarked = description === 'Shoes';
      if (kind === 'settle')
        settle([
          {
            description,
            line: place,
            ...(isMarked ? { markCodeInfo: { gs1m: `${++code}` } } : { quantity: units }),
          },
        ]);
      else if (kind === 'hand back') handBack(line);
      else giveBack(kind === 'sorry' ? null : units, line);
    }
    settle(undefined);
    pre(typeof prepaymentLeft(receipts) === 'string');
    deepEqual(sums([...parcels, ...returned]), sums(paid.items));
    const codes = parcels.flatMap(({ markCodeInfo }) => (markCodeInfo ? JSON.stringify(markCodeInfo) : []));
    equal(new Set(codes).size, codes.length);
  },
);
