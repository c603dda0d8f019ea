import { parseServicePayment, type ServicePayment } from '../../libs/payments/src/api/service-payment.js';
import type { ServiceRefund } from '../../libs/payments/src/api/service-refund.js';
import type { SeenRefund } from '../../libs/payments/src/apply/refunds/judge-refunds.js';
import { formatAmount } from '../../libs/payments/src/common/money.js';
import { keyOf, keyOfEffect } from '../../libs/payments/src/handlers/effect-key.js';
import { CANCEL_BODY, captureBody } from '../../libs/payments/src/operations/request-body.js';
import type { CreateIntent } from '../../libs/payments/src/payment/inputs/create-intent.js';
import { intentKeyOf, refundIdOf } from '../../libs/payments/src/payment/intent-key.js';
import type { KnownOrder } from '../../libs/payments/src/payment/order-totals.js';
import { paymentMark, readPaymentMark } from '../../libs/payments/src/payment/payment-mark.js';
import { readRefundMark, refundMark } from '../../libs/payments/src/payment/refunds/refund-mark.js';
import type { PaymentFields } from '../../libs/payments/src/schema/ledger-fields.js';
import { PaymentsOperationEntity } from '../../libs/payments/src/schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../libs/payments/src/schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../libs/payments/src/schema/refund.entity.js';
import { once } from './once.js';
import {
  DUE_MINOR,
  dueOf,
  type Age,
  type OperationRow,
  type OrderRow,
  type PaymentRow,
  type RefundRow,
  type SeenPayment,
  type ServicePaymentRow,
  type ServiceRefundRow,
  type Way,
} from './state.js';

/** The model's rows as those of the library: all that the model leaves out has one value for good. */

const MINUTE_MS = 60_000;
const AGES_MS = [0, 20 * MINUTE_MS, 40 * MINUTE_MS, 25 * 60 * MINUTE_MS] as const;
/** More than a request may be on its way, less than from one age to the next. */
export const NOW = new Date('2030-01-08T00:00:00.000Z');
const CREATED = new Date('2030-01-07T00:00:00.000Z');
const HOLD_ENDS = new Date('2030-01-15T00:00:00.000Z');
const CURRENCY = 'RUB';
export const STORE_ID = '00000000-0000-4000-8000-000000000001';
/** Of another database that uses the same store. */
const OTHER_STORE_ID = '00000000-0000-4000-8000-000000000002';
const ORDER = 'order';
const SAVED = 'saved';
/** What is asked for once the cart has changed. */
const CHANGED = 'bank_card';
/** What a row keeps of an object; nothing here depends on it. */
const KEPT = {};

export const paymentId = (index: number) => `payment-${index}`;
export const serviceId = (index: number) => `service-${index}`;
/** Made of the same each time. */
const intentKey = once((tryNumber: number) =>
  intentKeyOf(STORE_ID, { reference: ORDER }, { part: '', tryNumber }),
);
const derivedRefundId = once((tryNumber: number, refundKey: string) =>
  refundIdOf({ intentKey: intentKey(tryNumber) }, refundKey),
);
const derivedRefundMark = once((tryNumber: number, refundKey: string, whole: boolean) =>
  refundMark({ intentKey: intentKey(tryNumber) }, { refundKey, whole, receiptDigest: null }),
);
const markedRefund = once((tryNumber: number, mark: string) =>
  readRefundMark({ intentKey: intentKey(tryNumber) }, mark),
);
/** Of a refund of ours it is made of its key. */
export const refundId = (refundKey: string | null, { tryNumber }: PaymentRow, index: number) =>
  refundKey === null ? `refund-${index}` : derivedRefundId(tryNumber, refundKey);
const refundServiceId = (index: number) => `service-refund-${index}`;
/** The other way round. */
export const indexOf = (id: string) => Number(id.slice(id.lastIndexOf('-') + 1));

export function timeOf(age: Age): Date;
export function timeOf(age: Age | null): Date | null;
export function timeOf(age: Age | null): Date | null {
  return age === null ? null : new Date(NOW.getTime() - AGES_MS[age]);
}

export function paymentOf(row: PaymentRow, index: number, way: Way): PaymentsPaymentEntity {
  const { saved, capture, receipts } = way;
  return {
    id: paymentId(index),
    storeId: STORE_ID,
    orderId: ORDER,
    serviceId: row.serviceId === null ? null : serviceId(row.serviceId),
    status: row.status,
    currency: CURRENCY,
    amountMinor: dueOf(row, way),
    authorizedMinor: row.authorizedMinor,
    capturedMinor: row.capturedMinor,
    refundedMinor: row.refundedMinor,
    refundReservedMinor: 0,
    capture,
    method: row.changed ? CHANGED : null,
    paymentMethodId: saved ? SAVED : null,
    cardData: false,
    savePaymentMethod: false,
    description: null,
    metadata: {},
    part: '',
    tryNumber: row.tryNumber,
    intentKey: intentKey(row.tryNumber),
    supersededAt: row.superseded ? CREATED : null,
    confirmation: null,
    test: false,
    holdExpiresAt: row.status === 'waiting_for_capture' ? HOLD_ENDS : null,
    holdPolicy: null,
    // No hold comes to its end here.
    holdDueAt: row.status === 'waiting_for_capture' ? HOLD_ENDS : null,
    holdTries: 0,
    keepsDue: false,
    cancellation: null,
    cardLast4: null,
    receiptStatus: null,
    receiptsAfter: receipts,
    receiptDigest: receipts ? 'digest' : null,
    prepaidMinor: 0,
    unsettledMinor: 0,
    unsettledSince: null,
    unsettledDueAt: null,
    object: row.serviceId === null ? null : KEPT,
    traceparent: null,
    createdAt: CREATED,
    updatedAt: CREATED,
  };
}

/** Of the delivery to the handler of a payment's success. */
export const handlerKey = once((tryNumber: number) => {
  const about = {
    storeId: STORE_ID,
    subjectType: 'payment',
    subjectId: '',
    name: 'payment.succeeded',
  } as const;
  return keyOf('handler', about, { intentKey: intentKey(tryNumber) }, '');
});

/** Of the effect that it records. */
export const effectKey = once((ofHandler: string) => keyOfEffect(ofHandler, 'effect', undefined));

const paymentMarkOf = once((storeId: string, tryNumber: number, changed: boolean) =>
  paymentMark(storeId, {
    tryNumber,
    amountMinor: DUE_MINOR,
    totalDueMinor: DUE_MINOR,
    capture: true,
    cardData: false,
    savePaymentMethod: false,
    receiptsAfter: false,
    method: changed ? CHANGED : null,
    paymentMethodId: null,
    receiptDigest: null,
    prepaidMinor: 0,
    holdPolicy: null,
    part: '',
    orderReference: ORDER,
  }),
);

/** Whether the mark of a payment of the service is one that this database could have made. */
export const isOurs = ({ mark, changed, isOthers }: ServicePaymentRow) =>
  readPaymentMark(STORE_ID, paymentMarkOf(isOthers ? OTHER_STORE_ID : STORE_ID, mark + 1, changed)) !== null;

/** What a change makes of a payment. */
export function rowOf(
  after: PaymentFields,
  { changed, tryNumber, supersededByFind }: PaymentRow,
): PaymentRow {
  return {
    status: after.status,
    serviceId: after.serviceId === null ? null : indexOf(after.serviceId),
    authorizedMinor: after.authorizedMinor,
    capturedMinor: after.capturedMinor,
    refundedMinor: after.refundedMinor,
    superseded: after.supersededAt !== null,
    supersededByFind,
    changed,
    tryNumber,
  };
}

export function orderOf({
  version,
  state,
  dueMinor: totalDueMinor,
  paidOf,
  paidMinor,
  heldMinor,
  refundedMinor,
}: OrderRow): KnownOrder {
  const named = { id: ORDER, storeId: STORE_ID, reference: ORDER };
  // Nothing is captured in part here, and no discount is granted.
  const sums = { paidMinor, heldMinor, refundedMinor, discountMinor: 0, letGoMinor: 0 };
  return { ...named, ...sums, version, totalDueMinor, state, waivedMinor: 0, wasPaid: paidOf !== null };
}

export function objectOf({ id, status, amountMinor, refundedMinor }: SeenPayment): ServicePayment {
  const object = parseServicePayment({
    id: serviceId(id),
    status,
    amount: formatAmount(amountMinor, CURRENCY),
    refunded_amount: formatAmount(refundedMinor, CURRENCY),
    test: false,
    ...(status === 'waiting_for_capture' && { expires_at: HOLD_ENDS.toISOString() }),
  });
  if (object === null) throw new Error('It is a payment.');
  return { ...object, kept: KEPT };
}

export function operationOf(
  row: Pick<
    OperationRow,
    'kind' | 'outcome' | 'attempts' | 'recorded' | 'firstSent' | 'lastSent' | 'refusedBy'
  >,
): PaymentsOperationEntity {
  return Object.assign(new PaymentsOperationEntity(), {
    kind: row.kind,
    ...(row.kind === 'capture' ? captureBody(DUE_MINOR, CURRENCY) : CANCEL_BODY),
    outcome: row.outcome,
    attempts: row.attempts,
    resendable: true,
    recordedAt: timeOf(row.recorded),
    firstSentAt: timeOf(row.firstSent),
    lastSentAt: timeOf(row.lastSent),
    lastError: row.refusedBy === null ? null : { code: row.refusedBy },
  });
}

export function intentOf(isChanged: boolean, way: Way): CreateIntent {
  const { saved, capture } = way;
  const dueMinor = dueOf({ changed: isChanged }, way);
  return {
    scope: {},
    orderReference: ORDER,
    totalDueMinor: dueMinor,
    amountMinor: dueMinor,
    currency: CURRENCY,
    capture,
    confirmation: null,
    method: isChanged ? CHANGED : null,
    methodData: null,
    paymentMethodId: saved ? SAVED : null,
    cardData: false,
    description: null,
    savePaymentMethod: false,
    sent: {},
    receipt: null,
    receiptsAfter: false,
    metadata: {},
    extra: {},
    holdPolicy: null,
    replace: isChanged,
    part: '',
  };
}

export function refundOf(
  row: RefundRow,
  payment: PaymentRow,
  index: number,
): Pick<
  PaymentsRefundEntity,
  | 'id'
  | 'refundKey'
  | 'serviceId'
  | 'status'
  | 'amountMinor'
  | 'whole'
  | 'description'
  | 'receiptDigest'
  | 'receiptStatus'
  | 'metadata'
> {
  return {
    id: refundId(row.refundKey, payment, index),
    refundKey: row.refundKey,
    serviceId: row.serviceId === null ? null : refundServiceId(row.serviceId),
    status: row.status,
    amountMinor: row.amountMinor,
    whole: row.whole,
    description: null,
    receiptDigest: null,
    receiptStatus: null,
    metadata: {},
  };
}

/** `isListed`: in a list, where its mark says whose it is; else in the answer to the request for it. */
export function seenRefundOf(
  { id, payment, mark, whole, amountMinor, isNameless }: ServiceRefundRow & { id: number },
  { tryNumber }: PaymentRow,
  isListed: boolean,
): SeenRefund {
  const object: ServiceRefund = {
    id: refundServiceId(id),
    paymentId: serviceId(payment),
    status: 'succeeded',
    amountMinor,
    currency: CURRENCY,
    createdAt: null,
    cancellation: null,
    receiptStatus: null,
    description: null,
    metadata: {},
    kept: {},
  };
  const ourId = mark === null || isNameless ? null : derivedRefundId(tryNumber, mark);
  if (ourId === null || mark === null || !isListed) return { object, ourId, marked: null };
  return { object, ourId, marked: markedRefund(tryNumber, derivedRefundMark(tryNumber, mark, whole)) };
}
