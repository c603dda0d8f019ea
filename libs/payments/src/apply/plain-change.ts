import { isDeepStrictEqual } from 'node:util';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { isExpiredHold } from '../holds/hold-plan.js';
import { discountOf } from '../payment/discount.js';
import type { NextLook } from '../payment/due.js';
import { orderState } from '../payment/order-totals.js';
import type { Moved, PaymentChange } from '../payment/status-writer-of-many.js';
import type { OrderEntity } from '../schema/order.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import { changeOf, type PlanTerms } from './change-of.js';
import { judge } from './judge.js';
import { fruitlessDelayMs, nextCheckAt, termMsOf } from './poll-plan.js';
import { isReceiptNews } from './receipt-news.js';

/** The result of a re-read of a payment with nothing special about it. */
export interface PlainChange {
  /** null: its status stays. */
  readonly moved: Moved | null;
  /** null: nothing of it is new. */
  readonly fields: PaymentChange | null;
  readonly next: NextLook;
  readonly restMs: number;
}

/** The state of a payment with nothing special about it: read with its order, of which it is the only payment. */
interface KnownPayment {
  readonly payment: PaymentEntity;
  readonly order: Pick<OrderEntity, 'totalDueMinor'>;
  /** The store's identifier at the service, and whether it moves test money only. */
  readonly accountId: string;
  readonly isTest: boolean;
  /** Re-reads since the last change. */
  readonly checks: number;
  /** How many notifications there were of it. */
  readonly notified: number;
  /** Of the capture that is answered. Default: there is none. */
  readonly askedMinor?: number | null;
}

interface Circumstances extends PlanTerms {
  readonly receiptLateMs: number;
  readonly cause: Cause;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/**
 * The result of the object; null if it cannot be determined without the locks: a refund made elsewhere, a hold that is due or
 * expired, a receipt to be reported or sent, more money than is due, anything odd.
 */
export function plainChange(
  { payment, order, accountId, isTest, checks, notified, askedMinor = null }: KnownPayment,
  object: ServicePayment,
  { receiptLateMs, cause, evidence, ...terms }: Circumstances,
): PlainChange | null {
  const { now, profile } = terms;
  const { status: from, refundedMinor, holdDueAt } = payment;
  const isDue = holdDueAt !== null && holdDueAt <= now;
  if (isDue || object.refundedMinor !== refundedMinor || isExpiredHold(payment, object, now)) return null;
  if (isReceiptNews(payment, object, { now, lateMs: receiptLateMs })) return null;
  const expected = { ...expectationOf(payment), askedMinor, accountId, test: payment.test ?? isTest };
  const verdict = judge(expected, object);
  if (verdict.kind !== 'move' && verdict.kind !== 'unchanged') return null;
  if (payment.receiptsAfter && verdict.kind === 'move' && verdict.to !== 'pending') return null;
  const status = verdict.kind === 'move' ? verdict.to : from;
  const fields = changeOf(payment, object, { status, ...terms });
  const { method, amountMinor, createdAt, capture } = payment;
  const changed = { method, amountMinor, refundedMinor, createdAt, capture, ...fields, status };
  const look = (looks: number): NextLook => ({
    at: nextCheckAt(changed, now, { checks: looks, termMs: termMsOf(changed, profile) }),
    checks: looks,
  });
  if (verdict.kind === 'unchanged') {
    const isNew = differs<PaymentChange>(payment, fields);
    // A buyer who reloads the return page must not make the sweep look less often.
    const next = look(cause === 'refresh' ? checks : checks + 1);
    return { moved: null, fields: isNew ? fields : null, next, restMs: fruitlessDelayMs(notified) };
  }
  const totals = {
    totalDueMinor: order.totalDueMinor,
    paidMinor: fields.capturedMinor,
    heldMinor: status === 'waiting_for_capture' ? fields.authorizedMinor : 0,
    refundedMinor,
  };
  const state = orderState(totals, discountOf(changed));
  if (state === 'overpaid') return null;
  const seen = { serviceStatus: object.status, serviceId: object.id, ...evidence };
  const moved = { from, to: verdict.to, totals: { ...totals, state }, cause, evidence: seen };
  return { moved, fields, next: look(0), restMs: 0 };
}

function expectationOf(payment: PaymentEntity) {
  const { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency } = payment;
  return { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency };
}

/** Whether one of these fields has changed. */
function differs<Fields extends object>(known: Fields, fields: Fields): boolean {
  for (const name in fields) if (!isDeepStrictEqual(known[name], fields[name])) return true;
  return false;
}
