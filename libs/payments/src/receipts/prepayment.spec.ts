import { cup, rub, sent, settled } from '../../../../test/receipts/answered.js';
import type { ServiceReceipt } from '../api/service-receipt.js';
import { prepaymentLeft, type Prepayment } from './prepayment.js';
import type { SaidItem } from './receipt-from-wire.js';
import type { ReceiptItem } from './receipt.input.js';
import { settledGoods } from './settled-goods.js';
import type { SettledItem } from './settlement.input.js';

const back = (items: readonly ReceiptItem[], status = 'succeeded') =>
  sent({ type: 'refund', of: 'r', status, items });
const handedOver = (items: readonly ReceiptItem[]) =>
  items.map((item) => ({ ...item, paymentMode: 'full_payment' }) as const);

function left(...receipts: readonly ServiceReceipt[]): Prepayment {
  const prepayment = prepaymentLeft(receipts);
  if (typeof prepayment === 'string') throw new Error(prepayment);
  return prepayment;
}
const goods = (
  receipts: readonly ServiceReceipt[],
  items?: readonly SettledItem[],
  recorded: readonly SaidItem[] = [],
) => settledGoods(left(...receipts), items === undefined ? {} : { items }, recorded);
const lines = (items: readonly SaidItem[]) =>
  items.map(({ description, quantity, amount: { value } }) => [description, quantity, value]);

describe('what is left of a prepayment', () => {
  it('keeps the prices of lines of one name', () => {
    const sale = sent({ items: [cup, { ...cup, amount: rub('2000.00'), quantity: 2 }] });
    expect(lines(goods([sale]))).toEqual([
      ['Cup', 1, '1000.00'],
      ['Cup', 2, '2000.00'],
    ]);
    expect(() => goods([sale], [{ description: 'Cup', quantity: 1 }])).toThrow(
      'items[0].line: is required: “Cup” was prepaid at several prices',
    );
    const parcel = goods([sale], [{ description: 'Cup', line: 1, quantity: 1 }]);
    expect(lines(parcel)).toEqual([['Cup', 1, '2000.00']]);
    expect(lines(goods([sale, settled(parcel)]))).toEqual([
      ['Cup', 1, '1000.00'],
      ['Cup', 1, '2000.00'],
    ]);
  });

  it('is less what was returned before, in whichever mode, and not less what came back once it was handed over', () => {
    const three = { ...cup, quantity: 3 };
    const sale = sent({ items: [three] });
    for (const one of [cup, ...handedOver([cup])])
      expect(lines(goods([sale, back([one])]))).toEqual([['Cup', 2, '1000.00']]);
    const parcel = goods([sale], [{ description: 'Cup', quantity: 1 }]);
    expect(lines(goods([sale, settled(parcel), back(handedOver([cup]))]))).toEqual([['Cup', 2, '1000.00']]);
    expect(lines(goods([sale, settled(parcel), back([cup])]))).toEqual([['Cup', 1, '1000.00']]);
  });

  it('is of a sum given back all of the goods, for less', () => {
    const sorry = back([{ ...cup, amount: rub('100.00') }]);
    expect(lines(goods([sent({ items: [cup] }), sorry]))).toEqual([['Cup', 1, '900.00']]);
  });

  it('is what was said last, where a part was captured, and again what a settlement was taken back of', () => {
    const two = { ...cup, quantity: 2 };
    const whole = sent({ items: [two] });
    const taken = sent({ type: 'refund', items: [two] });
    const part = sent({ items: [cup] });
    for (const order of [
      [whole, taken, part],
      [whole, part, taken],
    ])
      expect(lines(goods(order))).toEqual([['Cup', 1, '1000.00']]);
    expect(lines(goods([whole, taken, sent({ items: [two] })]))).toEqual([['Cup', 2, '1000.00']]);
    const all = goods([whole]);
    expect(lines(goods([whole, settled(all), settled(all, 'refund')]))).toEqual([['Cup', 2, '1000.00']]);
    const ofRefund = sent({ type: 'refund', of: 'r', by: 'prepayment', items: all });
    expect(prepaymentLeft([whole, settled(all), ofRefund])).toBe('its prepayment is settled already');
  });

  it('counts a refund whose receipt failed, once', () => {
    const sale = sent({ items: [{ ...cup, quantity: 3 }] });
    const failed = back([cup], 'canceled');
    expect(lines(goods([sale, failed, back([cup], 'canceled')]))).toEqual([['Cup', 2, '1000.00']]);
    expect(lines(goods([sale, failed, back([cup])]))).toEqual([['Cup', 2, '1000.00']]);
  });

  it('is less what refunds without a receipt gave back', () => {
    const sale = sent({ items: [cup] });
    const prepayment = prepaymentLeft([sale], 100_00);
    expect(prepayment).toMatchObject({ goods: [{ thousandths: 1_000, sumMinor: 900_00 }] });
    expect(prepaymentLeft([sale], 1_000_00)).toBe('its prepayment was given back');
  });

  it.each<[string, ServiceReceipt[], string]>([
    ['no receipt', [], 'the service has no receipt of it'],
    [
      'only one that failed',
      [sent({ status: 'canceled', items: [cup] })],
      'its own receipt was not registered',
    ],
    ['none that says so', [sent({ items: handedOver([cup]) })], 'nothing of it was prepaid'],
    [
      'settled it',
      [sent({ items: [cup] }), settled(handedOver([cup]).map((item) => ({ ...item })))],
      'its prepayment is settled already',
    ],
    ['given it back', [sent({ items: [cup] }), back([cup])], 'its prepayment was given back'],
  ])('says that the service has %s', (_what, receipts, reason) => {
    expect(prepaymentLeft(receipts)).toContain(reason);
  });

  it('has what the receipt says besides its items', () => {
    const head = { tax_system_code: 2, internet: false, timezone: 3 };
    expect(left(sent({ items: [cup], ...head })).head).toEqual(head);
  });
});

describe('the goods that settle a prepayment', () => {
  it.each([
    [5, 3],
    [6, 4],
    [9, 7],
    [10, 8],
    [12, 11],
    [11, 11],
    [1, 1],
  ] as const)('have their own VAT in place of that contained in the sum: %s → %s', (vatCode, own) => {
    const [item] = goods([sent({ items: [{ ...cup, vatCode, paymentSubject: 'payment' }] })]);
    expect(item).toMatchObject({ vatCode: own, paymentSubject: 'commodity', paymentMode: 'full_payment' });
  });

  it('are what the caller says they are at hand-over, each piece with its code', () => {
    const sale = sent({ items: [{ ...cup, quantity: 2, paymentSubject: 'payment' }] });
    const piece = (gs1m: string) => ({
      description: 'Cup',
      paymentSubject: 'marked' as const,
      measure: 'piece' as const,
      markMode: '0' as const,
      markQuantity: { numerator: 1, denominator: 1 },
      markCodeInfo: { gs1m },
    });
    const both = goods([sale], [piece('a'), piece('b')]);
    expect(both).toMatchObject([
      { ...piece('a'), quantity: 1 },
      { ...piece('b'), quantity: 1 },
    ]);
  });

  it('are the caller’s where an advance named none, and cost no more than it', () => {
    const advance = {
      ...cup,
      description: 'Advance',
      paymentMode: 'advance',
      amount: rub('500.00'),
    } as const;
    const sale = sent({ items: [advance] });
    expect(() => goods([sale])).toThrow('items: is required: an advance names no goods');
    const tea = { description: 'Tea', amount: rub('150.00'), quantity: 2, vatCode: 11 } as const;
    const first = goods([sale], [tea]);
    expect(first).toMatchObject([{ ...tea, paymentMode: 'full_payment', paymentSubject: 'commodity' }]);
    expect(settledGoods(left(sale), { items: [tea], paymentSubject: 'service' }, [])).toMatchObject([
      { paymentSubject: 'service' },
    ]);
    expect(() => goods([sale, settled(first)], [tea])).toThrow(
      'items[0].amount: must cost at most what is left of the advance, 200.00',
    );
    const second = goods([sale, settled(first)], [{ ...tea, amount: rub('100.00') }]);
    expect(prepaymentLeft([sale, settled(first), settled(second)])).toBe('its prepayment is settled already');
  });

  it('are settled for what was paid of them, where that was a part', () => {
    const sale = sent({ items: [{ ...cup, paymentMode: 'partial_prepayment' }] });
    expect(lines(goods([sale]))).toEqual([['Cup', 1, '1000.00']]);
  });

  it('leave out what nobody knows, and name the supplier that was sent', () => {
    const supplier = { name: 'Potter', inn: '7708123456' };
    const masked = {
      ...cup,
      agentType: 'agent',
      supplier: { ...supplier, inn: '***' },
      addedLater: { a: 1 },
    } as const;
    const sale = sent({ items: [masked] });
    expect(() => goods([sale])).toThrow('items: needs the supplier of “Cup”');
    const [item] = goods([sale], undefined, [{ ...cup, supplier }]);
    expect(item).toMatchObject({ agentType: 'agent', supplier });
    expect(item).not.toHaveProperty('addedLater');
    expect(goods([sale], [{ description: 'Cup', supplier }])).toMatchObject([{ supplier }]);
    const other = { name: 'Weaver', inn: '7708654321' };
    const both = [supplier, other].map((one) => ({ ...cup, supplier: one }));
    expect(goods([sale], undefined, both.toReversed())).toMatchObject([{ supplier }]);
    const unnamed = { ...sale, items: sale.items.map((said) => ({ ...said, supplier: { inn: '***' } })) };
    expect(() => goods([unnamed], undefined, both)).toThrow('items: needs the supplier of “Cup”');
  });

  it.each<[string, readonly SettledItem[], string]>([
    [
      'goods that were not prepaid',
      [{ description: 'Tea' }],
      'items[0].description: must be of goods that were prepaid and are left: “Cup”',
    ],
    [
      'more than is left',
      [{ description: 'Cup', quantity: 2 }],
      'items[0].quantity: must be at most what is left of it, 1',
    ],
    [
      'one piece twice',
      [{ description: 'Cup' }, { description: 'Cup', quantity: 1 }],
      'items[1].quantity: must be at most what is left of it, 0',
    ],
  ])('are refused for %s', (_what, items, message) => {
    expect(() => goods([sent({ items: [cup] })], items)).toThrow(message);
  });
});
