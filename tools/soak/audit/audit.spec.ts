import { HANGING_HANDLER } from '../shop/settings.js';
import { audit } from './audit.js';
import type { DeliveryRow, ShopRecords } from './records.js';
import {
  entry,
  find,
  offset,
  receipts,
  refused,
  registered,
  service,
  shop,
  theirPayment,
  wished,
} from './sound-books.js';

const [payment] = shop.payments;
const [order] = shop.orders;
if (!payment || !order) throw new Error('The books are empty.');

describe('the audit of a soak', () => {
  it('finds nothing in books that agree', () => {
    expect(audit(shop, service, [wished()])).toEqual([]);
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a payment at the service that is in no row',
      {
        service: {
          payments: [...service.payments, { ...theirPayment, id: 'other', ourId: null }],
        },
      },
      /^lost: payment other of the service \(succeeded, ours null\) is in no row/,
    ],
    [
      'a payment that was put back into the queue',
      { shop: { putBack: [{ paymentId: 'ours' }] } },
      /^wrong: payment ours was in progress and out of the queue/,
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
      /^lost: payment ours has 0 events payment.succeeded, not 1/,
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
      'a cancel that nobody made',
      {
        shop: {
          operations: [
            ...shop.operations,
            { paymentId: 'ours', kind: 'cancel', key: 'key-4', outcome: 'confirmed' },
          ],
        },
      },
      /^lost: the cancel key-4 .* counts as done/,
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
          payments: [{ ...theirPayment, cancellationReason: 'expired_on_capture' }],
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

  it.each([
    ['ran out before its cancel arrived', null],
    ['was canceled under a key that the database has forgotten', 'key-0'],
  ])('takes a cancel for done if the hold %s', (_what, key) => {
    const cancel = { paymentId: 'ours', kind: 'cancel', key: 'key-4', outcome: 'confirmed' } as const;
    const findings = find({
      shop: {
        operations: [...shop.operations, cancel],
        forgotten: { ...shop.forgotten, keys: new Set(['key-0']) },
      },
      service: { ledger: [...service.ledger, entry('cancel', '100.00', key)] },
    });
    expect(findings.filter((finding) => finding.includes('counts as done'))).toEqual([]);
  });

  it.each<[string, Parameters<typeof find>[0], RegExp]>([
    [
      'a payment made twice at the service',
      {
        service: {
          payments: [...service.payments, { ...theirPayment, id: 'other', status: 'pending' }],
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
