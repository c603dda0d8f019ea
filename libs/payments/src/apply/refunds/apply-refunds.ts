import type { ServiceProfile } from '../../api/service-profile.js';
import type { Cause } from '../../common/cause.js';
import { endOperation, foundOperation } from '../../operations/new-operation.js';
import { isKeyReused } from '../../operations/refused-operation.js';
import { foundRefundBody } from '../../operations/request-body.js';
import { withRow, type Draft } from '../../payment/draft.js';
import { closeProblem, reportReceipt } from '../../payment/receipts/receipt-change.js';
import { moveRefund } from '../../payment/refunds/refund-change.js';
import type { State } from '../../payment/state.js';
import type { Decided } from '../../payment/status-change.js';
import { isReceiptLate } from '../receipts/receipt-news.js';
import { decideSeenRefunds } from './decide-refunds.js';
import type { ListedRefunds, SeenRefund } from './judge-refunds.js';

/** The evidence of what the list of a payment's refunds has shown. */
export const BY_LIST = { source: 'list' } as const;

export interface RefundTerms {
  readonly profile: Pick<ServiceProfile, 'refundMetadataKey'>;
  readonly receiptLateMs: number;
}

interface Applied {
  readonly draft: Draft;
  /** What does not fit: reported to the operator. */
  readonly anomalies: readonly string[];
}

/** With the service's view of a payment's refunds, as far as it fits. */
export function applyRefunds(
  before: Draft,
  seen: readonly SeenRefund[],
  decided: Decided,
  { profile, receiptLateMs }: RefundTerms,
): Applied {
  const { draft, confirmed, found, anomalies } = decideSeenRefunds(before, seen, decided, profile);
  const settled = draft.operations
    .filter(({ refundId, settledAt }) => settledAt === null && confirmed.some((id) => id === refundId))
    .reduce((now, operation) => endOperation(now, operation, 'confirmed'), draft);
  const recorded = found.map(({ refundId, object }) =>
    foundOperation(
      before.payment,
      { kind: 'refund', refundId, request: foundRefundBody(object) },
      before.now,
    ),
  );
  const after = { ...settled, operations: [...settled.operations, ...recorded] };
  return { draft: withReceipts(after, before, decided.cause, receiptLateMs), anomalies };
}

/** With a list of all of them, and what an absence proves of a request that can no longer arrive (G3). */
export function applyRefundList(
  before: Draft,
  { listed, lost }: ListedRefunds,
  cause: Cause,
  terms: RefundTerms,
): Applied {
  if (listed === null) return { draft: before, anomalies: [] };
  const taken = takenOver(before, listed);
  const { draft, anomalies } = applyRefunds(taken, listed, { cause, evidence: BY_LIST }, terms);
  const ended = lost.reduce((now, { refundId, attempts }) => {
    const operation = now.operations.find((one) => one.refundId === refundId);
    const refund = now.refunds.find(({ id }) => id === refundId);
    // Answered meanwhile; or its caller came back and sent it again.
    if (refund?.status !== 'submitting' || operation?.attempts !== attempts) return now;
    const decided = { cause, evidence: { reason: 'never received', attempts } };
    return endOperation(rejectRefund(now, refundId, decided), operation, 'refused');
  }, draft);
  return { draft: ended, anomalies };
}

/** The service refused it for good, or never received it: its money is free again. */
export function rejectRefund(draft: Draft, refundId: string, decided: Decided): Draft {
  const refund = draft.refunds.find(({ id }) => id === refundId);
  if (!refund) throw new Error(`There is no refund ${refundId} of payment ${draft.payment.id}.`);
  return moveRefund(draft, refund, 'rejected', {}, decided);
}

/** What became of the registration of each one's receipt. */
function withReceipts(draft: Draft, before: State, cause: Cause, lateMs: number): Draft {
  const { now } = draft;
  return draft.refunds
    .filter(({ receiptStatus }) => receiptStatus !== null)
    .reduce((reported, refund) => {
      const whose = { refundId: refund.id, receiptId: null };
      // What was not given back needs none, whatever the register says.
      if (refund.status === 'canceled') return closeProblem(reported, whose, cause);
      const known = before.refunds.find(({ id }) => id === refund.id);
      return reportReceipt(reported, whose, {
        before: known?.receiptStatus ?? null,
        after: refund.receiptStatus,
        isLate: isReceiptLate(refund, { now, lateMs }),
        cause,
      });
    }, draft);
}

/**
 * What was requested under a key that the service has used for a refund of ours is that refund, forgotten by the database: its sum
 * may be another one, where all that was left was to be given back.
 */
function takenOver(draft: Draft, listed: readonly SeenRefund[]): Draft {
  const open = draft.operations.filter(({ settledAt }) => settledAt === null);
  const reused = open.filter(isKeyReused).map(({ refundId }) => refundId);
  return listed
    .filter(({ ourId, marked }) => marked !== null && reused.includes(ourId))
    .reduce((now, { ourId, object: { amountMinor } }) => {
      const refund = now.refunds.find(({ id }) => id === ourId);
      return refund
        ? { ...now, refunds: withRow(now.refunds, { ...refund, amountMinor, updatedAt: now.now }) }
        : now;
    }, draft);
}
