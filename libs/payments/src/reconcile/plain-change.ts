import { isDeepStrictEqual } from 'node:util';
import type { ServicePayment } from '../api/service-payment.js';
import { isExpiredHold } from '../holds/expired-hold.js';
import type { NextLook } from '../payment/due.js';
import type { OrderEntity } from '../payment/order.entity.js';
import { orderState, type OrderTotals } from '../payment/order-state.js';
import type { PaymentEntity } from '../payment/payment.entity.js';
import type { ServiceStatus } from '../payment/payment-status.js';
import { changeOf, type PaymentChange } from './change.js';
import type { Claim } from './claims.js';
import { judge } from './judge.js';
import { fruitlessDelayMs, nextCheckAt } from './poll-plan.js';

/** What a re-read of a payment with nothing special about it comes to. */
export interface PlainChange {
  /** null: its status stays. */
  readonly moved: {
    readonly from: PaymentEntity['status'];
    readonly to: ServiceStatus;
    readonly totals: OrderTotals & Pick<OrderEntity, 'state'>;
  } | null;
  /** null: nothing of it is new. */
  readonly fields: PaymentChange | null;
  readonly next: NextLook;
  readonly restMs: number;
}

interface Circumstances {
  readonly now: Date;
  readonly leadTimeMs: number;
  /** Whether the store moves test money only. */
  readonly isTest: boolean;
  /** A caller asked, not the sweep. */
  readonly asked: 'sweep' | 'refresh';
}

/**
 * What the object comes to, where the claim's own rows are all there is to know; null where they are not: another payment of
 * the order, an operation or a refund that is not settled, a hold that is due, anything odd. Most re-reads are plain.
 */
export function plainChange(
  { payment, order, due, store, seen, isUnsettled, hasSiblings }: Claim,
  object: ServicePayment,
  { now, leadTimeMs, isTest, asked }: Circumstances,
): PlainChange | null {
  const { status, refundedMinor, holdDueAt } = payment;
  const isSpecial =
    isUnsettled ||
    hasSiblings ||
    payment.supersededAt !== null ||
    due.refundHints > 0 ||
    object.refundedMinor !== refundedMinor ||
    (holdDueAt !== null && holdDueAt <= now) ||
    isExpiredHold(payment, object, now);
  if (isSpecial) return null;
  const verdict = judge(
    { ...expectationOf(payment), askedMinor: null, accountId: store.accountId, test: payment.test ?? isTest },
    object,
  );
  if (verdict.kind !== 'move' && verdict.kind !== 'unchanged') return null;
  const to = verdict.kind === 'move' ? verdict.to : null;
  const fields = changeOf(payment, object, { status: to ?? status, now, leadTimeMs });
  const checks = to !== null ? 0 : asked === 'refresh' ? due.checks : due.checks + 1;
  const { createdAt } = payment;
  const at = nextCheckAt({ status: to ?? status, createdAt, holdDueAt: fields.holdDueAt }, now, { checks });
  const next = { at, checks };
  if (to === null) {
    const told = Math.max(0, ...seen.map(({ count }) => count));
    const isNew = !isDeepStrictEqual(knownOf(payment), fields);
    return { moved: null, fields: isNew ? fields : null, next, restMs: fruitlessDelayMs(told) };
  }
  const totals = {
    totalDueMinor: order.totalDueMinor,
    paidMinor: fields.capturedMinor,
    heldMinor: to === 'waiting_for_capture' ? fields.authorizedMinor : 0,
    refundedMinor,
  };
  const state = orderState(totals);
  if (state === 'overpaid') return null;
  return { moved: { from: status, to, totals: { ...totals, state } }, fields, next, restMs: 0 };
}

function expectationOf({ status, serviceId, amountMinor, capture, capturedMinor, currency }: PaymentEntity) {
  return { status, serviceId, amountMinor, capture, capturedMinor, currency };
}

/** The same fields as they are known. */
function knownOf({
  serviceId,
  test,
  authorizedMinor,
  capturedMinor,
  confirmationUrl,
  holdExpiresAt,
  holdDueAt,
  holdTries,
  cancellation,
  object,
}: PaymentEntity): PaymentChange {
  const money = { authorizedMinor, capturedMinor };
  return {
    serviceId,
    test,
    ...money,
    confirmationUrl,
    holdExpiresAt,
    holdDueAt,
    holdTries,
    cancellation,
    object,
  };
}
