import type { ServiceRefund } from '../../api/service-refund.js';
import { RefundNotAcceptableError } from '../../common/payments.errors.js';
import type { Draft } from '../../payment/draft.js';
import type { Decided } from '../../payment/status-change.js';
import { settleReceipts, type OwedTerms } from '../receipts/settle-owed.js';
import { applyRefunds, type RefundTerms } from './apply-refunds.js';

/**
 * With a refund of ours as the service has made it, its sum included, where it contradicts the request: a person has decided so. The body of
 * its operation keeps the requested sum.
 * @throws RefundNotAcceptableError if it does not fit the payment either
 */
export function acceptRefund(
  before: Draft,
  refundId: string,
  object: ServiceRefund,
  decided: Decided,
  terms: RefundTerms & OwedTerms,
): Draft {
  const seen = [{ object, ourId: refundId, marked: null }];
  const { amountMinor } = object;
  const refunds = before.refunds.map((one) =>
    one.id === refundId ? { ...one, amountMinor, updatedAt: before.now } : one,
  );
  const { draft, anomalies } = applyRefunds({ ...before, refunds }, seen, decided, terms);
  if (statusOf(draft, refundId) !== statusOf(before, refundId))
    return settleReceipts(draft, decided.cause, terms);
  const [reason = `the service has it as ${object.status} still`] = anomalies;
  throw new RefundNotAcceptableError(before.payment.id, refundId, reason);
}

function statusOf({ refunds }: Draft, refundId: string): string | undefined {
  return refunds.find(({ id }) => id === refundId)?.status;
}
