import type { LedgerEntry } from '@holdfast/sandbox';
import type { OutsideEffect } from '../shop/outside-effects.js';
import { plainPurchase, type PurchasePlan } from '../workload/purchase-plan.js';
import { Wishes } from '../workload/wishes.js';
import { audit } from './audit.js';
import type { ServiceRecords, ShopRecords } from './records.js';

export const paidOutside: OutsideEffect = {
  effectKey: 'paid/1',
  handlerId: 'paid',
  event: 'payment.succeeded',
  orderReference: 'order-1',
  paymentId: 'theirs',
  subjectId: null,
};
export const refundedOutside: OutsideEffect = {
  ...paidOutside,
  effectKey: 'refunded/2',
  handlerId: 'refunded',
  event: 'refund.succeeded',
  subjectId: 'their-refund',
};

export const about = { paymentId: 'ours', orderReference: 'order-1', reason: null, endsByItself: false };

/** An order held, captured in part and refunded in part, in books that agree. */
export const shop: ShopRecords = {
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
    { id: 'pending', event: 'payment.pending' },
    { id: 'held', event: 'payment.waiting_for_capture' },
    { id: 'expiring', event: 'hold.expiring' },
    { id: 'order-paid', event: 'order.paid' },
    { id: 'order-unpaid', event: 'order.unpaid' },
    { id: 'order-refunded', event: 'order.refunded' },
    { id: 'overpaid', event: 'order.overpaid' },
  ],
  events: [
    { id: '1', name: 'payment.succeeded', ...about },
    { id: '2', name: 'refund.succeeded', ...about },
    { id: '3', name: 'payment.waiting_for_capture', ...about },
    { id: '4', name: 'order.paid', ...about },
  ],
  deliveries: [
    { eventId: '1', handlerId: 'paid', done: true, attempts: 1, tookMs: 500 },
    { eventId: '2', handlerId: 'refunded', done: true, attempts: 1, tookMs: 500 },
  ],
  effects: [
    { eventId: '1', handlerId: 'paid', paymentId: 'ours', event: 'payment.succeeded', amountMinor: 80_00 },
    { eventId: '2', handlerId: 'refunded', paymentId: 'ours', event: 'refund.succeeded', amountMinor: 30_00 },
    {
      eventId: '3',
      handlerId: 'held',
      paymentId: 'ours',
      event: 'payment.waiting_for_capture',
      amountMinor: 0,
    },
    { eventId: '4', handlerId: 'order-paid', paymentId: 'ours', event: 'order.paid', amountMinor: 0 },
  ],
  forgotten: { keys: new Set(), notifications: new Map() },
  losses: { times: 0, lastSeen: false },
  connected: 0,
  outside: [paidOutside, refundedOutside],
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
  outlived: [],
  putBack: [],
};

/** Newest first, as the service lists them: the hold's was taken back when a part was captured. */
export const registered = (changed: Partial<ServiceRecords['receipts'][number]>) => ({
  id: crypto.randomUUID(),
  paymentId: 'theirs',
  refundId: null,
  status: 'succeeded',
  amountMinor: 0,
  offsetMinor: 0,
  ...changed,
});
export const offset = registered({ id: 'their-offset', offsetMinor: 50_00 });
export const receipts: ServiceRecords['receipts'] = [
  offset,
  registered({ refundId: 'their-refund', amountMinor: -30_00 }),
  registered({ amountMinor: 80_00 }),
  registered({ amountMinor: -100_00 }),
  registered({ amountMinor: 100_00 }),
];
export const refused = receipts.map((receipt) =>
  receipt.refundId === null ? receipt : { ...receipt, status: 'canceled' },
);

export const entry = (kind: LedgerEntry['kind'], amount: string, requestKey: string | null): LedgerEntry => ({
  kind,
  paymentId: 'theirs',
  amount,
  requestKey,
  at: '2026-01-01T00:00:00.000Z',
  ...(kind === 'refund' && { refundId: 'their-refund' }),
});

export const theirPayment: ServiceRecords['payments'][number] = {
  id: 'theirs',
  ourId: 'ours',
  status: 'succeeded',
  cancellationReason: null,
  order: 'order-1',
  paysTwice: false,
};
export const theirRefund: ServiceRecords['refunds'][number] = {
  id: 'their-refund',
  ourId: 'our-refund',
  refundKey: 'return-1',
  paymentId: 'theirs',
  status: 'succeeded',
  amountMinor: 30_00,
};

export const service: ServiceRecords = {
  payments: [theirPayment],
  refunds: [theirRefund],
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

/** Of the order: captured in part by its staff, and refunded in part. */
export function wished(plan: Partial<PurchasePlan> = {}, asked: Partial<Wishes> = {}): Wishes {
  const wishes = new Wishes({
    ...plainPurchase(1),
    finish: 'capture a part',
    captureMinor: 80_00,
    ...plan,
  });
  const ask = { serviceId: 'theirs', told: ['succeeded'] };
  wishes.offered('theirs', 100_00);
  wishes.captures.push({ ...ask, amountMinor: 80_00 });
  wishes.refunds.push({ ...ask, amountMinor: 30_00, refundKey: 'return-1' });
  return Object.assign(wishes, asked);
}

/** What the audit finds once a part of the books is replaced. */
export function find(changed: {
  shop?: Partial<ShopRecords>;
  service?: Partial<ServiceRecords>;
  wishes?: readonly Wishes[];
}): string[] {
  return audit(
    { ...shop, ...changed.shop },
    { ...service, ...changed.service },
    changed.wishes ?? [wished()],
  ).map(({ kind, what }) => `${kind}: ${what}`);
}
