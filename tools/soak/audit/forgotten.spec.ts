import { Forgotten, type Inventory } from './forgotten.js';
import {
  entry,
  find,
  paidOutside,
  refundedOutside,
  service,
  shop,
  theirPayment,
  theirRefund,
} from './sound-books.js';

const [charge, capture, refund] = service.ledger;
if (!charge || !capture || !refund) throw new Error('The ledger is empty.');

describe('what the database forgot', () => {
  const has: Inventory = {
    commits: 10,
    payments: 2,
    refunds: 1,
    receipts: 0,
    events: 4,
    keys: ['key-1'],
    notifications: [{ event: 'payment.succeeded', objectId: 'theirs', count: 1 }],
  };
  const had: Inventory = {
    commits: 17,
    payments: 3,
    refunds: 1,
    receipts: 1,
    events: 6,
    keys: ['key-1', 'key-2'],
    notifications: [
      { event: 'payment.succeeded', objectId: 'theirs', count: 2 },
      { event: 'payment.succeeded', objectId: 'other', count: 1 },
    ],
  };

  it('is counted, by its key where it has one', () => {
    const forgotten = new Forgotten();
    forgotten.add(had, has);
    forgotten.add(had, had);
    expect(forgotten).toEqual({
      commits: 7,
      payments: 1,
      refunds: 0,
      receipts: 1,
      events: 2,
      keys: new Set(['key-2']),
      notifications: new Map([
        ['payment.succeeded theirs', 1],
        ['payment.succeeded other', 1],
      ]),
    });
  });

  it('needs no operation and no notification any more', () => {
    const operations = shop.operations.filter(({ key }) => key !== 'key-2');
    const without = { operations, notifications: [] };
    expect(find({ shop: without })).toHaveLength(2);
    const keys = new Set(['key-2']);
    const notifications = new Map([['payment.succeeded theirs', 2]]);
    expect(find({ shop: { ...without, forgotten: { keys, notifications } } })).toEqual([]);
  });
});

describe('the service, which forgets nothing', () => {
  const other = { ...theirPayment, id: 'other', ourId: 'another' };
  const payments = [theirPayment, other];
  const again = { ...entry('charge', '100.00', 'key-4'), paymentId: 'other' };
  const twice = 'doubled: order order-1 was charged twice at the service';

  it('shows an order that was charged twice, though the shop does not know the other payment', () => {
    expect(find({ service: { payments, ledger: [...service.ledger, again] } })).toContain(twice);
  });

  it('shows none where the first hold was let go, or all was given back, before the second charge', () => {
    const letGo = [charge, entry('cancel', '100.00', 'key-2'), again];
    const givenBack = [charge, capture, { ...refund, amount: '80.00' }, again];
    for (const ledger of [letGo, givenBack])
      expect(find({ service: { payments, ledger } })).not.toContain(twice);
  });

  it('shows none where the buyer meant to pay on both pages', () => {
    const meant = payments.map((payment) => ({ ...payment, paysTwice: true }));
    expect(find({ service: { payments: meant, ledger: [...service.ledger, again] } })).not.toContain(twice);
  });

  it('shows a refund that was paid twice under one name, unless a bank refused the other', () => {
    const copy = { ...theirRefund, id: 'copy', ourId: 'another' };
    const paidTwice = 'doubled: refund "return-1" of payment theirs was paid twice at the service';
    expect(find({ service: { refunds: [theirRefund, copy] } })).toContain(paidTwice);
    const refused = { ...copy, status: 'canceled' };
    expect(find({ service: { refunds: [theirRefund, refused] } })).not.toContain(paidTwice);
  });
});

describe('what handlers do outside the database', () => {
  it('is done once under one key, however often', () => {
    expect(find({ shop: { outside: [paidOutside, ...shop.outside] } })).toEqual([]);
  });

  it('is done twice where it has two keys', () => {
    expect(find({ shop: { outside: [...shop.outside, { ...paidOutside, effectKey: 'paid/7' }] } })).toEqual([
      'doubled: outside: paid at payment.succeeded of order-1, payment theirs has two effect keys',
    ]);
  });

  it('is left out where its key means another effect', () => {
    const other = { ...paidOutside, orderReference: 'order-2', paymentId: 'other' };
    expect(find({ shop: { outside: [...shop.outside, other] } })).toEqual([
      'lost: outside: paid at payment.succeeded of order-2, payment other has the key paid/1 of another effect',
    ]);
  });

  it('may be done before the service’s id is known, and once more afterwards', () => {
    expect(find({ shop: { outside: [{ ...paidOutside, paymentId: null }, ...shop.outside] } })).toEqual([]);
  });

  it('is missed where money moved', () => {
    expect(find({ shop: { outside: [paidOutside] } })).toEqual([
      'lost: outside: refunded at refund.succeeded of order-1, payment theirs (their-refund) was never done',
    ]);
    expect(find({ shop: { outside: [refundedOutside] } })).toHaveLength(1);
  });
});
