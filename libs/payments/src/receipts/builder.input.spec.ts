import { receiptOfCart, receiptOfPart } from './receipt-builder.js';
import { receiptTotal } from './receipt-sums.js';
import type { ReceiptInput } from './receipt.input.js';

const rub = (value: unknown) => ({ value, currency: 'RUB' });
const customer = { email: 'buyer@shop.example' };
const cup = {
  description: 'Cup',
  amount: { value: '35.00', currency: 'RUB' },
  quantity: 3,
  vatCode: 11,
} as const;
const bag = { ...cup, description: 'Bag', amount: { value: '0.35', currency: 'RUB' }, quantity: 1 } as const;
const cups: ReceiptInput = { customer, items: [cup, bag] };

/** A call as JavaScript makes it, where nothing checks the types. */
const called = (build: (...given: never[]) => unknown, given: readonly unknown[]): unknown =>
  Reflect.apply(build, undefined, [...given]);

const A_RECEIPT = 'must be a receipt: { customer, items, … }';
const ITEMS = 'must be an array of at most 100, each { description, amount, quantity, vatCode, … }';
const AN_ITEM = 'must be an object: { description, amount, quantity, vatCode, … }';
const QUANTITY =
  'must be above zero and at most 99999.999, with at most three decimals after a point, e.g. 1.5';
const FREE = 'must be above zero: leave what is free out, or sell it for a kopeck';
const A_VALUE = 'must be a decimal string with exactly two fractional digits and above zero, e.g. "10.00"';

/** What is wrong with a receipt, and what every builder says of it. */
const wrongReceipts: [string, unknown, string][] = [
  ['null', null, `: ${A_RECEIPT}`],
  ['nothing', undefined, `: ${A_RECEIPT}`],
  ['an array', [cup], `: ${A_RECEIPT}`],
  ['no customer', { items: [cup] }, '.customer: is required: { email, phone?, fullName?, inn? }'],
  ['nobody to send it to', { customer: {}, items: [cup] }, '.customer: needs an email or a phone'],
  ['no list of items', { customer }, `.items: ${ITEMS}`],
  ['no items', { customer, items: [] }, '.items: needs at least one item'],
  ['null for an item', { customer, items: [null] }, `.items[0]: ${AN_ITEM}`],
  [
    'a comma in a quantity',
    { customer, items: [cup, { ...cup, quantity: '1,5' }] },
    `.items[1].quantity: ${QUANTITY}`,
  ],
  ['no quantity', { customer, items: [{ ...cup, quantity: undefined }] }, `.items[0].quantity: ${QUANTITY}`],
  [
    'no price',
    { customer, items: [cup, { ...cup, amount: undefined }] },
    '.items[1].amount: must be an amount: { value, currency }',
  ],
  [
    'a price without kopecks',
    { customer, items: [cup, cup, { ...cup, amount: rub('35') }] },
    `.items[2].amount.value: ${A_VALUE}`,
  ],
  [
    'a number for a price',
    { customer, items: [{ ...cup, amount: rub(35) }] },
    `.items[0].amount.value: ${A_VALUE}`,
  ],
  [
    'a price of nothing',
    { customer, items: [{ ...cup, amount: rub('0.00') }, cup] },
    `.items[0].amount: ${FREE}`,
  ],
  [
    'a price below nothing',
    { customer, items: [cup, { ...cup, amount: rub('-5.00') }] },
    `.items[1].amount: ${FREE}`,
  ],
  [
    'another currency',
    { customer, items: [{ ...cup, amount: { value: '1.00', currency: 'USD' } }] },
    '.items[0].amount.currency: must be RUB',
  ],
  [
    'a typing error',
    { customer, items: [{ ...cup, vat: 1 }] },
    '.items[0].vat: is not a field of this input',
  ],
];

describe('a builder of receipts', () => {
  it.each(wrongReceipts)('refuses %s by its place and the rule', (_what, wrong, message) => {
    const calls: [() => unknown, string][] = [
      [() => called(receiptOfCart, [wrong]), 'cart'],
      [() => called(receiptOfPart, [wrong, { amount: rub('1.00') }]), 'receipt'],
      [() => called(receiptTotal, [wrong]), 'receipt'],
    ];
    if (wrong !== undefined)
      calls.push([() => called(receiptOfPart, [cups, { amount: rub('1.00') }, [cups, wrong]]), 'before[1]']);
    for (const [call, name] of calls)
      expect(call).toThrow(
        expect.objectContaining({
          name: 'PaymentInputError',
          message:
            name === 'before[1]' && message === `: ${A_RECEIPT}`
              ? 'before[1]: must be an object: { customer, items, … }'
              : `${name}${message}`,
        }),
      );
  });

  it.each([
    ['null', null, ': must be an amount: { value, currency }'],
    ['a sum that is no amount', '100.00', ': must be an amount: { value, currency }'],
    ['a number', rub(100), `.value: ${A_VALUE}`],
    ['nothing', rub('0.00'), `.value: ${A_VALUE}`],
    ['another currency', { value: '100.00', currency: 'USD' }, '.currency: must be RUB'],
  ])('refuses %s as what is paid, and as a part', (_what, amount, message) => {
    expect(() => called(receiptOfCart, [cups, amount])).toThrow(
      expect.objectContaining({ name: 'PaymentInputError', message: `paid${message}` }),
    );
    expect(() => called(receiptOfPart, [cups, { amount }])).toThrow(
      expect.objectContaining({ name: 'PaymentInputError', message: `part.amount${message}` }),
    );
  });

  const EITHER = 'part: must be either { amount } or { lines }';
  const LINES = 'part.lines: must be an array of at most 100, each { id, quantity? } or { line, quantity? }';
  const PLACE =
    'part.lines[0].line: must be the place of an item among those of the receipt, a whole number from 0';

  it.each([
    ['null', null, EITHER],
    ['nothing', undefined, EITHER],
    ['neither a sum nor lines', {}, EITHER],
    ['both a sum and lines', { amount: rub('1.00'), lines: [{ line: 0 }] }, EITHER],
    ['a typing error', { amount: rub('1.00'), ammount: 1 }, 'part.ammount: is not a field of this input'],
    ['lines that are no list', { lines: { line: 0 } }, LINES],
    [
      'null for a line',
      { lines: [null] },
      'part.lines[0]: must be an object: { id, quantity? } or { line, quantity? }',
    ],
    ['no lines', { lines: [] }, 'part.lines: needs at least one line'],
    ['a line without its place', { lines: [{ quantity: 1 }] }, PLACE],
    ['a place in quotes', { lines: [{ line: '0' }] }, PLACE],
    ['a place before the first', { lines: [{ line: -1 }] }, PLACE],
    ['a place between two', { lines: [{ line: 0.5 }] }, PLACE],
    [
      'a place after the last',
      { lines: [{ line: 0 }, { line: 2 }] },
      'part.lines[1].line: must be the place of an item, 0 to 1',
    ],
    [
      'a comma in a quantity',
      { lines: [{ line: 0, quantity: '1,5' }] },
      `part.lines[0].quantity: ${QUANTITY}`,
    ],
    ['null for a quantity', { lines: [{ line: 0, quantity: null }] }, `part.lines[0].quantity: ${QUANTITY}`],
    [
      'a quantity of four decimals',
      { lines: [{ line: 0, quantity: 0.0001 }] },
      `part.lines[0].quantity: ${QUANTITY}`,
    ],
    [
      'what rounds to nothing',
      { lines: [{ line: 1, quantity: 0.001 }] },
      'part.lines[0].quantity: must cost a kopeck at least, and is less',
    ],
    [
      'more than there is',
      { lines: [{ line: 1, quantity: 2 }] },
      'part.lines[0].quantity: must be at most 1',
    ],
    [
      'more than there is, in two lines',
      { lines: [{ line: 0 }, { line: 0, quantity: 1 }] },
      'part.lines[1]: must be at most what is left of it, 0.00',
    ],
    [
      'a sum above the receipt',
      { amount: rub('105.36') },
      'part.amount.value: must be at most what is left of the receipt, 105.35',
    ],
  ])('refuses %s as a part', (_what, part, message) => {
    expect(() => called(receiptOfPart, [cups, part])).toThrow(
      expect.objectContaining({ name: 'PaymentInputError', message }),
    );
  });

  it.each([
    ['null', null],
    ['one receipt', cups],
  ])('refuses %s as receipts of earlier refunds', (_what, before) => {
    expect(() => called(receiptOfPart, [cups, { amount: rub('1.00') }, before])).toThrow(
      expect.objectContaining({
        name: 'PaymentInputError',
        message: 'before: must be an array of at most 1000, each { customer, items, … }',
      }),
    );
  });

  it('counts an item that JSON has been through as the same', () => {
    const given = { customer, items: [{ ...cup, measure: undefined }] };
    const stored: ReceiptInput = JSON.parse(JSON.stringify({ customer, items: [{ ...cup, quantity: 1 }] }));
    expect(() => called(receiptOfPart, [given, { amount: rub('70.01') }, [stored]])).toThrow(
      'part.amount.value: must be at most what is left of the receipt, 70.00',
    );
  });

  it('takes a receipt that is sent by itself, with its agent', () => {
    const sold = { ...cup, agentType: 'commissioner', supplier: { name: 'Potter' } };
    const given = { customer, items: [sold] };
    expect(called(receiptOfCart, [given])).toEqual(given);
    expect(called(receiptOfPart, [given, { lines: [{ line: 0, quantity: 1 }] }])).toEqual({
      customer,
      items: [{ ...sold, quantity: 1 }],
    });
  });
});
