import type { ServicePayment } from '../api/service-payment.js';
import { decideUnlocked } from '../apply/decide-unlocked.js';
import { elapsedMs } from '../common/moment.js';
import { sumOf } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Change } from '../payment/change.js';

/**
 * What the answer to a create, capture or cancel changes, where nothing came between its recording and the answer; null: it has to
 * be settled under the locks.
 */
export function answerChange(
  { operation, payment, asRecorded, attempts, begunAt }: SendClaim,
  object: ServicePayment,
  isTest: boolean | null,
  {
    holdLeadTimeMs: leadTimeMs,
    receiptLateMs,
    unsettledAfterMs,
    profile,
  }: Pick<ResolvedPaymentsOptions, 'holdLeadTimeMs' | 'receiptLateMs' | 'unsettledAfterMs' | 'profile'>,
): Change | null {
  if (asRecorded === undefined) return null;
  const { order, store } = asRecorded;
  const now = new Date(operation.recordedAt.getTime() + elapsedMs(begunAt));
  const askedMinor = operation.kind === 'capture' ? sumOf(operation.body) : null;
  const decision = decideUnlocked(
    { payment, order, accountId: store.accountId, isTest, askedMinor },
    object,
    { cause: operation.kind, evidence: { attempt: attempts } },
    { now, leadTimeMs, receiptLateMs, unsettledAfterMs, profile },
    0,
  );
  if (!decision?.movedTo || decision.change === null) return null;
  return { ...decision.change, operation: { id: operation.id, attempts }, place: decision.place };
}
