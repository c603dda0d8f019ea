import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceRefund } from '../api/service-refund.js';
import { decideAlone } from '../apply/decide-alone.js';
import { settleReceipts } from '../apply/receipts/settle-owed.js';
import { applyRefunds } from '../apply/refunds/apply-refunds.js';
import { elapsedMs } from '../common/moment.js';
import type { SendClaim } from '../operations/send-claim.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Change } from '../payment/change.js';
import { changeTo, draftOf } from '../payment/draft.js';
import { answered } from '../payment/planned.js';
import type { Queued } from '../payment/queue.js';
import type { RefundRow } from '../schema/rows.js';

type Terms = Pick<
  ResolvedPaymentsOptions,
  'holdLeadTimeMs' | 'receiptLateMs' | 'unsettledAfterMs' | 'profile'
>;

interface RefundAnswer {
  readonly refund: RefundRow;
  readonly change: Change;
}

/**
 * What the answer to a create, capture or cancel changes, where nothing came between its recording and the answer; null: it has to
 * be settled under the locks.
 */
export function answerChange(
  { operation, payment, asRecorded, attempts, begunAt }: SendClaim,
  object: ServicePayment,
  isTest: boolean | null,
  options: Terms,
): Change | null {
  if (asRecorded === undefined) return null;
  const { order, store, state } = asRecorded;
  const { kind: cause } = operation;
  const now = new Date(operation.recordedAt.getTime() + elapsedMs(begunAt));
  const decision = decideAlone(
    { ...state, now, order, payment, queued: asRecordedIn(state?.queued, now) },
    object,
    { cause, evidence: { attempt: attempts } },
    { accountId: store.accountId, isTest },
    options,
  );
  if (!decision?.movedTo) return null;
  const draft = answered(decision.draft, decision.plan, false);
  return { ...changeTo(draft, decision.state, cause), operation: { id: operation.id, attempts } };
}

/** The place in the queue that its recording left: polls begin afresh with it, and nothing else was requested. */
function asRecordedIn(before: Queued | null | undefined, now: Date): Queued {
  const { refundSignals = 0 } = before ?? {};
  return {
    readyAt: now,
    wantedAt: null,
    checks: 0,
    lane: 'polls',
    refundSignals,
    fence: null,
    isAsked: false,
    isTaken: false,
  };
}

/**
 * What the answer to a refund changes, where nothing came between its recording and the answer; null: it has to be settled under the locks,
 * as where something of it does not fit, or is to be said of a receipt.
 */
export function refundAnswerChange(
  { operation, asRecorded, attempts, begunAt }: SendClaim,
  object: ServiceRefund,
  options: Terms,
): RefundAnswer | null {
  const state = asRecorded?.state;
  if (state === undefined || operation.refundId === null) return null;
  const { refundId } = operation;
  const now = new Date(operation.recordedAt.getTime() + elapsedMs(begunAt));
  const decided = { cause: operation.kind, evidence: { attempt: attempts } };
  const seen = [{ object, ourId: refundId, marked: null }];
  const before = draftOf({ ...state, now });
  const { draft: seenDraft, anomalies } = applyRefunds(before, seen, decided, options);
  const followed = settleReceipts(seenDraft, decided.cause, options);
  const refund = followed.refunds.find(({ id }) => id === refundId);
  // What is to be sent has a place of its own in the queue.
  const isOver = anomalies.length === 0 && followed.wanted === null;
  if (!isOver || refund === undefined || refund.status === 'submitting') return null;
  const { rows, ...change } = changeTo(followed, state, decided.cause);
  const { operations: _ended, ...others } = rows ?? {};
  return { refund, change: { ...change, rows: others, operation: { id: operation.id, attempts } } };
}
