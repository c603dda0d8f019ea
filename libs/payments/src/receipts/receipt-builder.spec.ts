import { array, assert, constant, integer, nat, pre, property, record, type Arbitrary } from 'fast-check';
import { anyItem } from '../../../../test/receipts/any-item.js';
import { parseRequest } from '../api/requests/parse-request.js';
import { formatAmount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import type { ReceiptPart } from './builder.input.js';
import { receiptOfCart, receiptOfPart } from './receipt-builder.js';
import { mustAddUp, receiptTotalMinor } from './receipt-sums.js';
import { IsReceipt, type ReceiptInput } from './receipt.input.js';

const anyCart: Arbitrary<ReceiptInput> = record({
  customer: constant({ email: 'buyer@shop.example' }),
  items: array(anyItem, { minLength: 1, maxLength: 12 }),
});

class Holder {
  @IsReceipt()
  readonly receipt!: ReceiptInput;
}

const restOf = (paid: ReceiptInput, before: readonly ReceiptInput[]) =>
  receiptOfPart(
    paid,
    {
      amount: formatAmount(
        before.reduce((left, receipt) => left - receiptTotalMinor(receipt), receiptTotalMinor(paid)),
      ),
    },
    before,
  );

/** null: so much of it is not left. */
function partOrNothing(
  paid: ReceiptInput,
  part: ReceiptPart,
  before: readonly ReceiptInput[],
): ReceiptInput | null {
  try {
    return receiptOfPart(paid, part, before);
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}

describe('receipts built from a cart', () => {
  it('add up to the money, to the kopeck, through a discount, a partial capture and refunds until nothing is left', () => {
    assert(
      property(
        anyCart,
        integer({ min: 1, max: 100 }),
        integer({ min: 1, max: 100 }),
        array(integer({ min: 1, max: 100 }), { maxLength: 4 }),
        (given, paidPercent, capturedPercent, refundPercents) => {
          const part = (sum: number, percent: number): number =>
            Math.max(1, Math.floor((sum * percent) / 100));
          const paidMinor = part(receiptTotalMinor(given), paidPercent);
          const units = given.items.reduce((sum, { quantity }) => sum + Math.ceil(Number(quantity)), 0);
          pre(paidMinor >= units);
          const paid = receiptOfCart(given, formatAmount(paidMinor));
          expect(receiptTotalMinor(paid)).toBe(paidMinor);
          parseRequest(Holder, { receipt: paid });
          const capturedMinor = part(paidMinor, capturedPercent);
          const captured = receiptOfPart(paid, { amount: formatAmount(capturedMinor) });
          expect(receiptTotalMinor(captured)).toBe(capturedMinor);
          const refunds: ReceiptInput[] = [];
          let leftMinor = capturedMinor;
          for (const percent of [...refundPercents, 100]) {
            if (leftMinor === 0) break;
            const refundMinor = part(leftMinor, percent);
            const refund = receiptOfPart(captured, { amount: formatAmount(refundMinor) }, refunds);
            expect(receiptTotalMinor(refund)).toBe(refundMinor);
            refunds.push(refund);
            leftMinor -= refundMinor;
          }
          expect(refunds.reduce((sum, refund) => sum + receiptTotalMinor(refund), 0)).toBe(capturedMinor);
        },
      ),
      { numRuns: 100 },
    );
  });

  const customer = { email: 'buyer@shop.example' };
  const rub = (value: string) => ({ value, currency: 'RUB' as const });
  const coffee = { description: 'Coffee', amount: rub('40.00'), quantity: 3, vatCode: 11 } as const;
  const cup = { description: 'Cup', amount: rub('500.00'), quantity: 1, vatCode: 11 } as const;
  const prices = ({ items }: ReceiptInput) => items.map(({ quantity, amount }) => [quantity, amount.value]);

  it('split a line whose sum no price hits', () => {
    const paid = receiptOfCart({ customer, items: [coffee] }, rub('100.00'));
    expect(prices(paid)).toEqual([
      [2, '33.33'],
      [1, '33.34'],
    ]);
  });

  it('leave a cart without a discount as it is', () => {
    expect(receiptOfCart({ customer, items: [coffee, cup] })).toEqual({ customer, items: [coffee, cup] });
  });

  it('of a refund by lines have the price that was paid', () => {
    const paid = receiptOfCart({ customer, items: [coffee, cup] }, rub('310.00'));
    const refund = receiptOfPart(paid, { lines: [{ line: 0, quantity: 2 }, { line: 1 }] });
    expect(prices(refund)).toEqual([
      [2, '20.00'],
      [1, '250.00'],
    ]);
  });

  it('of a sum contain no more goods than are left, and are these where it is all that is left', () => {
    const paid = receiptOfCart({ customer, items: [coffee] }, rub('100.00'));
    const one = receiptOfPart(paid, { lines: [{ line: 0, quantity: 1 }] });
    const two = [
      [1, '33.33'],
      [1, '33.34'],
    ];
    expect(prices(receiptOfPart(paid, { amount: rub('66.67') }, [one]))).toEqual(two);
    expect(prices(receiptOfPart(paid, { amount: rub('20.00') }, [one]))).toEqual([
      [1, '10.00'],
      [1, '10.00'],
    ]);
  });

  it('of the rest keep the prices of goods of one name', () => {
    const dear = { ...coffee, amount: rub('90.00'), quantity: 2 };
    const paid = receiptOfCart({ customer, items: [coffee, dear] });
    const one = receiptOfPart(paid, { lines: [{ line: 1, quantity: 1 }] });
    expect(prices(restOf(paid, [one]))).toEqual([
      [3, '40.00'],
      [1, '90.00'],
    ]);
  });

  it('of a part by the host’s own id take any of the items into which its line was split', () => {
    const cart = {
      customer,
      items: [
        { ...coffee, id: 'sku-7' },
        { ...cup, id: 'sku-8' },
      ],
    };
    const paid = receiptOfCart(cart, rub('310.50'));
    expect(paid.items.map(({ id }) => id)).toEqual(['sku-7', 'sku-7', 'sku-8']);
    const some = receiptOfPart(paid, { lines: [{ id: 'sku-7', quantity: 2 }] });
    const other = receiptOfPart(paid, { lines: [{ id: 'sku-7', quantity: 1 }] }, [some]);
    const rest = restOf(paid, [some, other]);
    expect(rest.items.map(({ id, quantity }) => [id, quantity])).toEqual([['sku-8', 1]]);
    const sum = [some, other, rest].reduce((total, part) => total + receiptTotalMinor(part), 0);
    expect(sum).toBe(310_50);
    expect(() => receiptOfPart(paid, { lines: [{ id: 'sku-7' }] }, [some, other])).toThrow(
      'part.lines[0]: must be at most what is left of it, 0.00',
    );
    expect(() => receiptOfPart(paid, { lines: [{ id: 'tea' }] })).toThrow(
      'part.lines[0].id: must be the id of an item',
    );
    expect(() => receiptOfPart(paid, { lines: [{ id: 'sku-7', line: 0 }] })).toThrow(
      'part.lines[0].line: must',
    );
  });

  it('of what is given back, in goods and in sums by turns, add up to the whole until nothing is left', () => {
    const step = record({ line: nat(20), units: integer({ min: 1, max: 3 }), percent: nat(100) });
    assert(
      property(anyCart, array(step, { maxLength: 6 }), (given, steps) => {
        const units = given.items.reduce((sum, { quantity }) => sum + Math.ceil(Number(quantity)), 0);
        pre(receiptTotalMinor(given) >= units);
        const paid = receiptOfCart(given);
        const before: ReceiptInput[] = [];
        const sumOf = (receipts: readonly ReceiptInput[]) =>
          receipts.reduce((sum, receipt) => sum + receiptTotalMinor(receipt), 0);
        const leftMinor = () => receiptTotalMinor(paid) - sumOf(before);
        for (const { line, units: quantity, percent } of steps) {
          const minor = Math.floor((leftMinor() * percent) / 200);
          const part =
            percent % 2 === 0 && minor > 0
              ? { amount: formatAmount(minor) }
              : { lines: [{ line: line % paid.items.length, quantity }] };
          const back = partOrNothing(paid, part, before);
          if (back) before.push(back);
        }
        if (leftMinor() > 0) before.push(restOf(paid, before));
        expect(leftMinor()).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  const shoe = {
    description: 'Shoe',
    amount: rub('100.00'),
    quantity: 1,
    vatCode: 11,
    measure: 'piece',
    paymentSubject: 'marked',
    markMode: '0',
    markCodeInfo: { gs1m: '010463003407001221SxMGorvNuq6Wk' },
    markQuantity: { numerator: 1, denominator: 1 },
  } as const;

  it('leave a code on one line, and say which part of its piece a part of it is', () => {
    const paid = receiptOfCart({ customer, items: [shoe, coffee] }, rub('173.33'));
    expect(paid.items.filter(({ markCodeInfo }) => markCodeInfo)).toHaveLength(1);
    const parts = (part: ReceiptInput) =>
      part.items.map(({ quantity, markQuantity }) => [quantity, markQuantity]);
    const half = receiptOfPart(paid, { lines: [{ line: 0, quantity: 0.5 }] });
    expect(parts(half)).toEqual([[0.5, { numerator: 1, denominator: 2 }]]);
    const rest = receiptOfPart(paid, { lines: [{ line: 0 }] }, [half]);
    expect(parts(rest)).toEqual([[0.5, { numerator: 1, denominator: 2 }]]);
    const pencils = { ...shoe, quantity: 10, markQuantity: { numerator: 10, denominator: 100 } };
    const three = receiptOfPart({ customer, items: [pencils] }, { lines: [{ line: 0, quantity: 3 }] });
    expect(parts(three)).toEqual([[3, { numerator: 3, denominator: 100 }]]);
    const { markQuantity: _whole, ...weighed } = shoe;
    const cheese = { ...weighed, measure: 'kilogram', quantity: 2.5 } as const;
    expect(() => receiptOfCart({ customer, items: [cheese] }, rub('249.99'))).toThrow(
      'items: must not be split where they have a code',
    );
  });

  it.each<[string, object[], string]>([
    [
      'three pieces with one code',
      [{ ...shoe, quantity: 3 }],
      'items[0].quantity: must be 1 beside markCodeInfo',
    ],
    ['one code on two lines', [shoe, shoe], 'items: must name each mark code once'],
    [
      'no code',
      [{ ...shoe, markCodeInfo: undefined }],
      'items[0].paymentSubject: needs markCodeInfo beside marked',
    ],
    ['no measure', [{ ...shoe, measure: undefined }], 'items[0].paymentSubject: needs measure beside marked'],
    ['no mode', [{ ...shoe, markMode: undefined }], 'items[0].paymentSubject: needs markMode beside marked'],
    [
      'no part',
      [{ ...shoe, markQuantity: undefined }],
      'items[0].paymentSubject: needs markQuantity beside marked',
    ],
  ])('refuse marked goods with %s', (_what, items, message) => {
    expect(() => parseRequest(Holder, { receipt: { customer, items } })).toThrow(`receipt.${message}`);
  });

  it('of a refund by lines give back no more than is left', () => {
    const paid = receiptOfCart({ customer, items: [coffee, cup] });
    const first = receiptOfPart(paid, { lines: [{ line: 1 }] });
    expect(() => receiptOfPart(paid, { lines: [{ line: 1 }] }, [first])).toThrow(
      'part.lines[0]: must be at most what is left of it, 0.00',
    );
    expect(() => receiptOfPart(paid, { amount: rub('120.01') }, [first])).toThrow(
      'part.amount.value: must be at most what is left of the receipt, 120.00',
    );
    expect(prices(receiptOfPart(paid, { amount: rub('120.00') }, [first]))).toEqual([[3, '40.00']]);
  });

  it('name the line and the rule that is broken', () => {
    const paid = receiptOfCart({ customer, items: [coffee, cup] });
    expect(() => receiptOfPart(paid, { lines: [{ line: 2 }] })).toThrow(
      'part.lines[0].line: must be the place of an item, 0 to 1',
    );
    expect(() => receiptOfPart(paid, { lines: [{ line: 0, quantity: 4 }] })).toThrow(
      'part.lines[0].quantity: must be at most 3',
    );
    expect(() => receiptOfCart(paid, rub('0.03'))).toThrow(
      'paid: must be at least a kopeck for each unit of the cart',
    );
  });

  it('refuse what does not add up, and name the difference', () => {
    expect(() => mustAddUp({ customer, items: [coffee] }, 13_000)).toThrow(
      'receipt.items: must add up to the amount, unit price × quantity rounded in each line: they are 120.00, which is 10.00 less than 130.00',
    );
  });

  it.each([
    ['customer', { customer: {} }, 'receipt.customer: needs an email or a phone'],
    [
      'a phone with a plus',
      { customer: { phone: '+79001234567' } },
      'receipt.customer.phone: must be 4 to 15 digits',
    ],
    ['no items', { items: [] }, 'receipt.items: needs at least one item'],
    [
      'a VAT code',
      { items: [coffee, cup, { ...cup, vatCode: 13 }] },
      'receipt.items[2].vatCode: must be one of 1, 2,',
    ],
    [
      'a unit price',
      { items: [{ ...cup, amount: rub('5') }] },
      'receipt.items[0].amount.value: must be a decimal string',
    ],
    [
      'a quantity',
      { items: [{ ...cup, quantity: 0.0001 }] },
      'receipt.items[0].quantity: must be above zero',
    ],
    [
      'a mark code',
      { items: [{ ...cup, markCodeInfo: {} }] },
      'receipt.items[0].markCodeInfo: must name at least one code',
    ],
    ['a typing error', { items: [{ ...cup, vat: 1 }] }, 'receipt.items[0].vat: is not a field of this input'],
  ])('refuse %s by the field and the rule', (_what, change, message) => {
    const receipt = { customer, items: [cup], ...change };
    expect(() => parseRequest(Holder, { receipt })).toThrow(message);
  });
});
