import type { LedgerEntry } from '@holdfast/sandbox';
import { HANGING_HANDLER } from '../shop/settings.js';
import { audit } from './audit.js';
import type { DeliveryRow, ServiceRecords, ShopRecords } from './records.js';

/** An order held, captured in part and refunded in part, in books that agree. */
const shop: ShopRecords = {
  payments: [
    {
      id: 'ours',
      orderReference: 'order-1',
      serviceId: 'theirs',
      status: 'succeeded',
      amountMinor: 100_00,
      authorizedMinor: 100_00,
      capturedMinor: 80_00,
      refundedMinor: 30_00,
      reservedMinor: 0,
    },
  ],
  orders: [{ reference: 'order-1', dueMinor: 100_00, paidMinor: 80_00, heldMinor: 0, refundedMinor: 30_00 }],
  operations: [
    { paymentId: 'ours', kind: 'create', key: 'key-1', outcome: 'confirmed' },
    { paymentId: 'ours', kind: 'capture', key: 'key-2', outcome: 'confirmed' },
    { paymentId: 'ours', kind: 'refund', key: 'key-3', outcome: 'confirmed' },
  ],
  refunds: [
    {
      id: 'our-refund',
      paymentId: 'ours',
      serviceId: 'their-refund',
      status: 'succeeded',
      amountMinor: 30_00,
    },
  ],
  handlers: [
    { id: 'paid', event: 'payment.succeeded' },
    { id: 'refunded', event: 'refund.succeeded' },
    { id: 'canceled', event: 'payment.canceled' },
  ],
  events: [
    { id: '1', name: 'payment.succeeded', paymentId: 'ours' },
    { id: '2', name: 'refund.succeeded', paymentId: 'ours' },
  ],
  deliveries: [
    { eventId: '1', handlerId: 'paid', done: true, attempts: 1, tookMs: 500 },
    { eventId: '2', handlerId: 'refunded', done: true, attempts: 1, tookMs: 500 },
  ],
  effects: [
    { eventId: '1', handlerId: 'paid', paymentId: 'ours', event: 'payment.succeeded', amountMinor: 80_00 },
    { eventId: '2', handlerId: 'refunded', paymentId: 'ours', event: 'refund.succeeded', amountMinor: 30_00 },
  ],
  notifications: [{ event: 'payment.succeeded', objectId: 'theirs', count: 2, handledCount: 2 }],
  receipts: [
    {
      paymentId: 'ours',
      refundId: null,
      servicePaymentId: 'theirs',
      serviceRefundId: null,
      status: 'succeeded',
      missing: false,
    },
    {
      paymentId: 'ours',
      refundId: 'our-refund',
      servicePaymentId: 'theirs',
      serviceRefundId: 'their-refund',
      status: 'succeeded',
      missing: false,
    },
  ],
  ownReceipts: [
    {
      id: 'our-offset',
      paymentId: 'ours',
      servicePaymentId: 'theirs',
      receiptKey: 'settlement',
      serviceId: 'their-offset',
      status: 'succeeded',
      byHandMinor: 0,
    },
  ],
  receiptEvents: [
    { name: 'receipt.succeeded', paymentId: 'ours', refundId: null, receiptId: null },
    { name: 'receipt.succeeded', paymentId: 'ours', refundId: 'our-refund', receiptId: null },
    { name: 'receipt.succeeded', paymentId: 'ours', refundId: null, receiptId: 'our-offset' },
  ],
};

/** Newest first, as the service lists them: the hold's was taken back when a part was captured. */
const registered = (changed: Partial<ServiceRecords['receipts'][number]>) => ({
  id: crypto.randomUUID(),
  paymentId: 'theirs',
  refundId: null,
  status: 'succeeded',
  amountMinor: 0,
  offsetMinor: 0,
  ...changed,
});
const offset = registered({ id: 'their-offset', offsetMinor: 50_00 });
const receipts: ServiceRecords['receipts'] = [
  offset,
  registered({ refundId: 'their-refund', amountMinor: -30_00 }),
  registered({ amountMinor: 80_00 }),
  registered({ amountMinor: -100_00 }),
  registered({ amountMinor: 100_00 }),
];
const refused = receipts.map((receipt) =>
  receipt.refundId === null ? receipt : { ...receipt, status: 'canceled' },
);

const entry = (kind: LedgerEntry['kind'], amount: string, requestKey: string): LedgerEntry => ({
  kind,
  paymentId: 'theirs',
  amount,
  requestKey,
  at: '2026-01-01T00:00:00.000Z',
  ...(kind === 'refund' && { refundId: 'their-refund' }),
});

const service: ServiceRecords = {
  payments: [{ id: 'theirs', ourId: 'ours', status: 'succeeded', cancellationReason: null }],
  refunds: [
    { id: 'their-refund', ourId: 'our-refund', paymentId: 'theirs', status: 'succeeded', amountMinor: 30_00 },
  ],
  ledger: [
    entry('charge', '100.00', 'key-1'),
    entry('capture', '80.00', 'key-2'),
    entry('refund', '30.00', 'key-3'),
  ],
  receipts,
  requests: [
    { endpoint: 'create', requestKey: 'key-1' },
    { endpoint: 'read', requestKey: null },
  ],
  acknowledged: [{ event: 'payment.succeeded', objectId: 'theirs', times: 2 }],
};

/** What the audit finds once a part of the books is replaced. */
function find(changed: { shop?: Partial<ShopRecords>; service?: Partial<ServiceRecords> }): string[] {
  return audit({ ...shop, ...changed.shop }, { ...service, ...changed.service }).map(
    ({ kind, what }) => `${kind}: ${what}`,
  );
}

const [payment] = shop.payments;
const [order] = shop.orders;
if (!payment || !order) throw new Error('The books are empty.');

describe('the audit of a soak', () => {
  it('finds nothing in books that agree', () => {
    expect(audit(shop, service)).toEqual([]);
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a payment at the service that is in no row',
      {
        service: {
          payments: [
            ...service.payments,
            { id: 'other', ourId: null, status: 'succeeded', cancellationReason: null },
          ],
        },
      },
      /^lost: payment other of the service \(succeeded, ours null\) is in no row/,
    ],
    ['a refund at the service that is in no row', { shop: { refunds: [] } }, /^lost: refund their-refund/],
    [
      'a change of status that was never noticed',
      { shop: { payments: [{ ...payment, status: 'waiting_for_capture' }] } },
      /^lost: payment ours is waiting_for_capture, and at the service succeeded/,
    ],
    [
      'a change without an event',
      { shop: { events: shop.events.slice(1) } },
      /^lost: 1 changes payment.succeeded of payment ours have 0 events/,
    ],
    [
      'an event that took no effect',
      { shop: { effects: shop.effects.slice(1) } },
      /^lost: event 1, .* took effect 0 times in paid/,
    ],
    [
      'a capture that nobody made',
      { service: { ledger: service.ledger.filter(({ kind }) => kind !== 'capture') } },
      /^lost: the capture key-2 .* counts as done/,
    ],
    [
      'an acknowledged notification that is not stored',
      { shop: { notifications: [] } },
      /^lost: .* acknowledged 2 times and is stored 0/,
    ],
    [
      'a hold that ran out unreported',
      {
        service: {
          payments: [
            { id: 'theirs', ourId: 'ours', status: 'succeeded', cancellationReason: 'expired_on_capture' },
          ],
        },
      },
      /^lost: the hold of payment ours \(theirs\) ran out/,
    ],
    [
      'one stored less often than acknowledged',
      {
        shop: {
          notifications: [{ event: 'payment.succeeded', objectId: 'theirs', count: 1, handledCount: 1 }],
        },
      },
      /^lost: .* is stored 1 times/,
    ],
  ])('finds %s', (_what, changed, finding) => {
    expect(find(changed)).toContainEqual(expect.stringMatching(finding));
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a payment made twice at the service',
      {
        service: {
          payments: [
            ...service.payments,
            { id: 'other', ourId: 'ours', status: 'pending', cancellationReason: null },
          ],
        },
      },
      /^doubled: payment ours was made 2 times/,
    ],
    [
      'a charge made twice',
      { service: { ledger: [...service.ledger, entry('charge', '100.00', 'key-1')] } },
      /^doubled: payment ours has 2 entries charge/,
    ],
    [
      'a refund made twice under one key',
      { service: { ledger: [...service.ledger, entry('refund', '30.00', 'key-3')] } },
      /^doubled: key-3 refund: 2 entries/,
    ],
    [
      'an effect that took place twice',
      { shop: { effects: [...shop.effects, ...shop.effects.slice(0, 1)] } },
      /^doubled: event 1, .* took effect 2 times in paid/,
    ],
    [
      'money that a handler has seen twice',
      { shop: { effects: [...shop.effects, ...shop.effects.slice(1)] } },
      /^doubled: payment ours: refunded: handler refunded has seen 6000, the ledger has 3000/,
    ],
    [
      'an order paid twice that was not reported',
      { shop: { orders: [{ ...order, dueMinor: 40_00 }] } },
      /^doubled: order order-1 is paid with 5000 of 4000 due/,
    ],
  ])('finds %s', (_what, changed, finding) => {
    expect(find(changed)).toContainEqual(expect.stringMatching(finding));
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a captured sum that is not the ledger’s',
      { shop: { payments: [{ ...payment, capturedMinor: 70_00 }] } },
      /^wrong: payment ours: captured 7000 here, 8000/,
    ],
    [
      'a total that is not the ledger’s',
      { shop: { orders: [{ ...order, paidMinor: 70_00 }] } },
      /^wrong: order order-1: paid 7000 here/,
    ],
    [
      'money in flight that will never arrive',
      { shop: { payments: [{ ...payment, reservedMinor: 1 }] } },
      /^wrong: payment ours: in flight 1/,
    ],
    [
      'a request without a record',
      { service: { requests: [{ endpoint: 'refund', requestKey: 'key-9' }] } },
      /^wrong: the service received a refund under key-9/,
    ],
    [
      'an operation that counts as refused and was executed',
      {
        shop: {
          operations: shop.operations.map((operation) => ({ ...operation, outcome: 'refused' as const })),
        },
      },
      /^wrong: the capture key-2 .* counts as refused/,
    ],
    ['an effect of no event', { shop: { events: [] } }, /^wrong: an effect of paid names the event 1/],
  ])('finds %s', (_what, changed, finding) => {
    expect(find(changed)).toContainEqual(expect.stringMatching(finding));
  });

  it('takes a receipt that was refused for told once there is an event of it', () => {
    const [ofPayment, ofRefund] = shop.receipts;
    const [told] = shop.receiptEvents;
    const ofOffset = shop.receiptEvents.slice(-1);
    if (!ofPayment || !ofRefund || !told) throw new Error('The books are empty.');
    const failed = { ...ofRefund, status: 'canceled' };
    const event = { name: 'receipt.failed', paymentId: 'ours', refundId: 'our-refund', receiptId: null };
    const found = (events: ShopRecords['receiptEvents']) =>
      find({
        shop: { receipts: [ofPayment, failed], receiptEvents: [...events, ...ofOffset] },
        service: { receipts: refused },
      });
    expect(found([told, event])).toEqual([]);
    expect(found([told])).toEqual([
      'doubled: receipts of payment theirs of the service are -3000 short of its money',
      'lost: the receipt of refund our-refund has 0 events receipt.failed',
    ]);
    expect(found([told, event, event])).toEqual([
      'doubled: the receipt of refund our-refund has 2 events receipt.failed',
    ]);
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    ['a payment without its receipt', { service: { receipts: receipts.slice(0, 2) } }, /^lost: receipts of/],
    [
      'a receipt too many',
      { service: { receipts: [...receipts, ...receipts.slice(-1)] } },
      /^doubled: receipts of/,
    ],
    [
      'an offset that was sent twice',
      { service: { receipts: [registered({ id: 'other', offsetMinor: 50_00 }), ...receipts] } },
      /^doubled: offsets of payment theirs of the service are 10000 of 8000 paid/,
    ],
    [
      'an offset that nobody recorded',
      { shop: { ownReceipts: [] } },
      /^lost: offset their-offset of payment theirs of the service is in no row/,
    ],
    [
      'an offset that was not sent',
      { shop: { ownReceipts: shop.ownReceipts.map((row) => ({ ...row, status: 'submitting' })) } },
      /^unsettled: the offset our-offset is submitting/,
    ],
    [
      'an offset whose refusal was never noticed',
      { service: { receipts: [{ ...offset, status: 'canceled' }, ...receipts.slice(1)] } },
      /^lost: the offset our-offset is succeeded here, and canceled at the service/,
    ],
    [
      'an offset that was told twice',
      { shop: { receiptEvents: [...shop.receiptEvents, ...shop.receiptEvents.slice(-1)] } },
      /^doubled: the offset our-offset has 2 events receipt.succeeded/,
    ],
    [
      'a prepayment that was settled in part',
      { service: { receipts: [{ ...offset, offsetMinor: 40_00 }, ...receipts.slice(1)] } },
      /^lost: the offset our-offset settles 4000, and 5000 was kept/,
    ],
    [
      'a registration that was never noticed',
      { shop: { receipts: shop.receipts.map((row) => ({ ...row, status: 'pending' })) } },
      /^lost: the receipt of payment ours is pending here, and succeeded at the service/,
    ],
  ])('finds %s', (_what, changed, finding) => {
    expect(find(changed)).toContainEqual(expect.stringMatching(finding));
  });

  describe('where receipts follow the money', () => {
    const row = (receiptKey: string, serviceId: string | null, status = 'succeeded', byHandMinor = 0) => ({
      id: `our ${receiptKey}`,
      paymentId: 'ours',
      servicePaymentId: 'theirs',
      receiptKey,
      serviceId,
      status,
      byHandMinor,
    });
    const rows = [
      row('auto:payment', 'r1'),
      row('auto:return', 'r2'),
      row('auto:capture', 'r3', 'canceled'),
      row('auto:capture~2', 'r4'),
      row('auto:refund:our-refund', 'r5'),
    ];
    const sent = [
      registered({ id: 'r5', refundId: 'their-refund', amountMinor: -30_00 }),
      registered({ id: 'r4', amountMinor: 80_00 }),
      registered({ id: 'r3', amountMinor: 80_00, status: 'canceled' }),
      registered({ id: 'r2', amountMinor: -100_00 }),
      registered({ id: 'r1', amountMinor: 100_00 }),
    ];
    const toldOf = ({ id, status }: { readonly id: string; readonly status: string }) => ({
      name: status === 'canceled' ? 'receipt.failed' : 'receipt.succeeded',
      paymentId: 'ours',
      refundId: null,
      receiptId: id,
    });
    const quiet = shop.receipts.map((receipt) => ({ ...receipt, status: null }));
    const found = (own: ShopRecords['ownReceipts'], theirs = sent, changed: Partial<ShopRecords> = {}) =>
      find({
        shop: { receipts: quiet, ownReceipts: own, receiptEvents: own.flatMap(told), ...changed },
        service: { receipts: theirs },
      });
    const told = (own: ShopRecords['ownReceipts'][number]) => (own.serviceId === null ? [] : [toldOf(own)]);

    it('finds nothing in those that were sent, one of them again', () => {
      expect(found(rows)).toEqual([]);
    });

    it('takes one that failed for registered once somebody made it by hand', () => {
      const failed = row('auto:capture', 'r3', 'canceled', 80_00);
      const byHand = rows.flatMap((own) =>
        own.receiptKey === 'auto:capture' ? failed : own.receiptKey === 'auto:capture~2' ? [] : own,
      );
      const theirs = sent.filter(({ id }) => id !== 'r4');
      expect(found(byHand, theirs)).toEqual([]);
      expect(
        found(
          byHand.map((own) => ({ ...own, byHandMinor: 0 })),
          theirs,
        ),
      ).toEqual(['lost: receipts of payment theirs of the service are 8000 short of its money']);
    });

    it('needs nobody to be told of one that failed where its hold was let go, or a part of it captured', () => {
      const failed = (key: string, serviceId: string) => [
        ...rows.filter(({ receiptKey }) => receiptKey !== key && receiptKey !== 'auto:return'),
        row(key, serviceId, 'canceled'),
      ];
      const refuse = (refusedId: string) =>
        sent
          .filter(({ id }) => id !== 'r2')
          .map((one) => (one.id === refusedId ? { ...one, status: 'canceled' } : one));
      const untold = (own: ShopRecords['ownReceipts'], id: string) =>
        own.flatMap(told).filter(({ receiptId }) => receiptId !== id);
      const ofHold = failed('auto:payment', 'r1');
      expect(found(ofHold, refuse('r1'), { receiptEvents: untold(ofHold, 'our auto:payment') })).toEqual([]);
      const ofPart = failed('auto:capture~2', 'r4');
      expect(found(ofPart, refuse('r4'), { receiptEvents: untold(ofPart, 'our auto:capture~2') })).toContain(
        'lost: the receipt auto:capture~2 our auto:capture~2 has 0 events receipt.failed',
      );
    });

    it('finds one that is owed for ever, one that was sent though it is void, and one of no row', () => {
      const last = rows.slice(0, -1);
      const key = 'auto:refund:our-refund';
      expect(found([...last, row(key, null, 'owed')], sent.slice(1))).toEqual([
        'doubled: receipts of payment theirs of the service are -3000 short of its money',
        `unsettled: the receipt ${key} our ${key} is owed`,
      ]);
      expect(found([...rows, row('auto:capture~3', null, 'void')])).toEqual([]);
      expect(found([...last, row(key, 'r5', 'void')])).toEqual([
        `wrong: the receipt ${key} our ${key} is void here, and succeeded at the service`,
      ]);
      expect(found(last)).toEqual([
        'lost: the receipt of refund our-refund is null here, and succeeded at the service',
      ]);
    });

    it('takes a refund in the Merchant Profile for told once somebody was', () => {
      const [ofPayment, ofRefund] = quiet;
      if (!ofPayment || !ofRefund) throw new Error('The books are empty.');
      const rowsOfMoney = [ofPayment, { ...ofRefund, missing: true }];
      const failed = { name: 'receipt.failed', paymentId: 'ours', refundId: 'our-refund', receiptId: null };
      const own = [...rows.slice(0, -1), row('found-our-refund', 'r5')];
      const events = own.flatMap(told);
      expect(found(own, sent, { receipts: rowsOfMoney, receiptEvents: [...events, failed] })).toEqual([]);
      expect(found(own, sent, { receipts: rowsOfMoney, receiptEvents: events })).toEqual([
        'wrong: the receipt of refund our-refund is missing, and has 0 events receipt.failed',
      ]);
    });
  });

  it('finds handlers that are late because of the one that hangs, unless they run again themselves', () => {
    const took = (handlerId: string, attempts: number, tookMs: number): DeliveryRow => ({
      eventId: '2',
      handlerId,
      done: true,
      attempts,
      tookMs,
    });
    const hung = took(HANGING_HANDLER, 3, 900_000);
    const atOnce = [took('paid', 1, 500), took('refunded', 1, 500), took('flaky', 2, 110_000)];
    expect(find({ shop: { deliveries: [...atOnce, hung] } })).toEqual([]);
    const waiting = [took('paid', 1, 44_000), took('refunded', 1, 44_000)];
    expect(find({ shop: { deliveries: [...waiting, hung] } })).toEqual([
      'late: every other delivery took more than 44 s, beside a handler that is cut off after 22 s',
    ]);
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a payment without an end',
      { shop: { payments: [{ ...payment, status: 'submitting', serviceId: null }] } },
      /^unsettled: payment ours is submitting/,
    ],
    [
      'an operation without an outcome',
      {
        shop: {
          operations: shop.operations.map((operation) => ({ ...operation, outcome: 'unknown' as const })),
        },
      },
      /^unsettled: the create key-1/,
    ],
    [
      'a delivery that was not made',
      { shop: { deliveries: [{ eventId: '1', handlerId: 'paid', done: false, attempts: 1, tookMs: null }] } },
      /^unsettled: event 1 is not delivered/,
    ],
    [
      'a notification that was not handled',
      {
        shop: {
          notifications: [{ event: 'payment.succeeded', objectId: 'theirs', count: 2, handledCount: 1 }],
        },
      },
      /^unsettled: payment.succeeded of theirs/,
    ],
  ])('finds %s', (_what, changed, finding) => {
    expect(find(changed)).toContainEqual(expect.stringMatching(finding));
  });
});
