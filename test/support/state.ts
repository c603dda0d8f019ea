import type { ServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { documentedProfile } from '../../libs/payments/src/api/service-profile.js';
import type { ServiceReceipt } from '../../libs/payments/src/api/service-receipt.js';
import type { ServiceRefund } from '../../libs/payments/src/api/service-refund.js';
import type { ReadingFacts } from '../../libs/payments/src/apply/decide-reading.js';
import { DAY_MS } from '../../libs/payments/src/common/durations.js';
import { draftOf, type Draft } from '../../libs/payments/src/payment/draft.js';
import type { CreateIntent } from '../../libs/payments/src/payment/inputs/create-intent.js';
import type { Queued } from '../../libs/payments/src/payment/queue.js';
import type { OrderPayments, State } from '../../libs/payments/src/payment/state.js';
import type {
  OperationRow,
  PaymentRow,
  ProblemRow,
  ReceiptRow,
  RefundRow,
} from '../../libs/payments/src/schema/rows.js';

/** Rows, states and answers for decisions that need no database: each has a payment of 100.00 that was made an hour ago. */

export const NOW = new Date('2026-03-02T12:00:00.000Z');
export const later = (ms: number) => new Date(NOW.getTime() + ms);
export const earlier = (ms: number) => later(-ms);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const PAYMENT_ID = '019c0000-0000-7000-8000-000000000001';
export const SERVICE_ID = '2d000000-000f-5000-8000-000000000001';
const STORE_ID = '019c0000-0000-7000-8000-0000000000aa';
export const ACCOUNT_ID = '100500';

export const paymentRow = (fields: Partial<PaymentRow> = {}): PaymentRow => ({
  id: PAYMENT_ID,
  storeId: STORE_ID,
  orderId: '019c0000-0000-7000-8000-0000000000bb',
  serviceId: SERVICE_ID,
  status: 'pending',
  currency: 'RUB',
  amountMinor: 10_000,
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  refundReservedMinor: 0,
  capture: true,
  method: 'bank_card',
  paymentMethodId: null,
  cardData: false,
  savePaymentMethod: false,
  description: null,
  metadata: {},
  part: '',
  tryNumber: 1,
  intentKey: 'intent',
  supersededAt: null,
  confirmation: null,
  test: false,
  holdExpiresAt: null,
  holdPolicy: null,
  holdDueAt: null,
  holdTries: 0,
  keepsDue: false,
  cancellation: null,
  cardLast4: null,
  receiptStatus: null,
  receiptsAfter: false,
  receiptDigest: null,
  prepaidMinor: 0,
  unsettledMinor: 0,
  unsettledSince: null,
  unsettledDueAt: null,
  object: null,
  traceparent: null,
  createdAt: earlier(HOUR_MS),
  updatedAt: earlier(HOUR_MS),
  ...fields,
});

/** All of it is paid, and nothing given back. */
export const paidRow = (fields: Partial<PaymentRow> = {}): PaymentRow =>
  paymentRow({ status: 'succeeded', authorizedMinor: 10_000, capturedMinor: 10_000, ...fields });

/** All of it is held, for six days more. */
export const heldRow = (fields: Partial<PaymentRow> = {}): PaymentRow =>
  paymentRow({
    status: 'waiting_for_capture',
    capture: false,
    authorizedMinor: 10_000,
    holdExpiresAt: later(6 * DAY_MS),
    holdDueAt: later(5 * DAY_MS),
    ...fields,
  });

export const operationRow = (fields: Partial<OperationRow> = {}): OperationRow => ({
  id: '019c0000-0000-7000-8000-0000000000cc',
  storeId: STORE_ID,
  paymentId: PAYMENT_ID,
  refundId: null,
  receiptId: null,
  kind: 'create',
  idempotenceKey: 'key',
  body: '{}',
  personal: null,
  hasPersonal: false,
  resendable: true,
  fingerprint: 'fingerprint',
  outcome: 'unknown',
  attempts: 1,
  leaseUntil: later(MINUTE_MS),
  recordedAt: earlier(MINUTE_MS),
  firstSentAt: earlier(MINUTE_MS),
  lastSentAt: earlier(MINUTE_MS),
  settledAt: null,
  lastError: null,
  ...fields,
});

export const refundRow = (fields: Partial<RefundRow> = {}): RefundRow => ({
  id: '019c0000-0000-7000-8000-0000000000dd',
  storeId: STORE_ID,
  paymentId: PAYMENT_ID,
  refundKey: 'refund',
  serviceId: null,
  status: 'submitting',
  amountMinor: 3_000,
  currency: 'RUB',
  whole: false,
  description: null,
  receiptDigest: null,
  metadata: {},
  cancellation: null,
  receiptStatus: null,
  object: null,
  createdAt: earlier(MINUTE_MS),
  updatedAt: earlier(MINUTE_MS),
  ...fields,
});

export const receiptRow = (fields: Partial<ReceiptRow> = {}): ReceiptRow => ({
  id: '019c0000-0000-7000-8000-0000000000ee',
  storeId: STORE_ID,
  paymentId: PAYMENT_ID,
  refundId: null,
  receiptKey: 'receipt',
  askedDigest: null,
  type: 'payment',
  status: 'submitting',
  amountMinor: 10_000,
  currency: 'RUB',
  body: null,
  personal: null,
  serviceId: null,
  object: null,
  createdAt: earlier(MINUTE_MS),
  updatedAt: earlier(MINUTE_MS),
  ...fields,
});

export const problemRow = (fields: Partial<ProblemRow> = {}): ProblemRow => ({
  id: '019c0000-0000-7000-8000-0000000000ff',
  storeId: STORE_ID,
  paymentId: PAYMENT_ID,
  refundId: null,
  receiptId: null,
  status: 'missing',
  isOpen: true,
  since: earlier(MINUTE_MS),
  resolution: null,
  ...fields,
});

/** Polled three times, and nobody has it. */
export const queuedRow = (fields: Partial<Queued> = {}): Queued => ({
  readyAt: later(HOUR_MS),
  wantedAt: null,
  checks: 3,
  lane: 'polls',
  refundSignals: 0,
  fence: null,
  isAsked: false,
  isTaken: false,
  ...fields,
});

/** An order of one payment, with its sums. */
export function stateOf(payment: PaymentRow, fields: Partial<State> = {}): State {
  return {
    now: NOW,
    databaseNow: NOW,
    order: {
      id: payment.orderId,
      storeId: payment.storeId,
      reference: 'order-1',
      version: 7,
      totalDueMinor: 10_000,
      state:
        payment.status === 'succeeded'
          ? 'paid'
          : payment.status === 'waiting_for_capture'
            ? 'authorized'
            : 'unpaid',
      wasPaid: payment.status === 'succeeded',
      waivedMinor: 0,
      paidMinor: payment.capturedMinor,
      heldMinor: payment.status === 'waiting_for_capture' ? payment.authorizedMinor : 0,
      refundedMinor: payment.refundedMinor,
      discountMinor: 0,
      letGoMinor: 0,
    },
    payment,
    refunds: [],
    receipts: [],
    problems: [],
    operations: [],
    queued: queuedRow(),
    anomalies: [],
    isRecovering: false,
    admission: null,
    ...fields,
  };
}

export const draftWith = (payment: PaymentRow, fields: Partial<State> = {}): Draft =>
  draftOf(stateOf(payment, fields));

/** A create of such a payment, whose buyer chooses the method. */
export const intentOf = (fields: Partial<CreateIntent> = {}): CreateIntent => ({
  scope: {},
  orderReference: 'order-1',
  totalDueMinor: 10_000,
  amountMinor: 10_000,
  currency: 'RUB',
  capture: true,
  confirmation: { type: 'redirect', returnUrl: 'https://shop.example/return' },
  method: null,
  methodData: null,
  paymentMethodId: null,
  cardData: false,
  description: null,
  savePaymentMethod: false,
  sent: {},
  receipt: null,
  receiptsAfter: false,
  metadata: {},
  extra: {},
  holdPolicy: null,
  replace: false,
  part: '',
  ...fields,
});

/** An order of these payments, which are all of its only part. `order`: with other values of some fields. */
export function ordered(
  payments: readonly PaymentRow[],
  {
    order,
    ...fields
  }: Partial<Omit<OrderPayments, 'order'>> & { order?: Partial<OrderPayments['order']> } = {},
): OrderPayments {
  const known = stateOf(payments[0] ?? paymentRow()).order;
  return {
    now: NOW,
    databaseNow: NOW,
    order: { ...known, currency: 'RUB', ...order },
    payments,
    tries: payments,
    creates: [],
    ...fields,
  };
}

/** What the service says of the payment. */
export const objectOf = (fields: Partial<ServicePayment> = {}): ServicePayment => ({
  id: SERVICE_ID,
  status: 'pending',
  amountMinor: 10_000,
  currency: 'RUB',
  refundedMinor: 0,
  accountId: ACCOUNT_ID,
  test: false,
  confirmation: null,
  expiresAt: null,
  createdAt: earlier(HOUR_MS),
  cancellation: null,
  cardLast4: null,
  receiptStatus: null,
  method: 'bank_card',
  discountMinor: null,
  metadata: {},
  kept: { id: SERVICE_ID },
  ...fields,
});

export const facts = (fields: Partial<ReadingFacts> = {}): ReadingFacts => ({
  accountId: ACCOUNT_ID,
  isTest: false,
  isKept: false,
  mustWait: false,
  fiscalization: null,
  isTold: false,
  ...fields,
});

export const TERMS = {
  holdLeadTimeMs: DAY_MS,
  unsettledAfterMs: 30 * DAY_MS,
  receiptLateMs: HOUR_MS,
  profile: documentedProfile,
};

/** Names of the events that it tells. */
export const told = ({ events }: Pick<Draft, 'events'>): string[] => events.map(({ name }) => name);

/** What the service says of a refund of it. */
export const refundObject = (fields: Partial<ServiceRefund> = {}): ServiceRefund => ({
  id: 'rf-1',
  paymentId: SERVICE_ID,
  status: 'succeeded',
  amountMinor: 3_000,
  currency: 'RUB',
  createdAt: NOW,
  cancellation: null,
  receiptStatus: null,
  description: null,
  metadata: {},
  kept: { id: 'rf-1' },
  ...fields,
});

/** And of a receipt that was sent by itself. */
export const receiptObject = (fields: Partial<ServiceReceipt> = {}): ServiceReceipt => ({
  id: 'rt-1',
  type: 'payment',
  status: 'pending',
  paymentId: SERVICE_ID,
  refundId: null,
  settlements: [],
  settledMinor: null,
  settlementTypes: [],
  paidMinor: null,
  items: [],
  head: {},
  kept: { id: 'rt-1' },
  ...fields,
});
