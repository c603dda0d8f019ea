import type { Cause } from '../../common/cause.js';
import { isRefundUnsettled } from '../../common/refund-status.js';
import { recordedPrepayment } from '../../operations/receipts/recorded-prepayment.js';
import type { ChangeEvent } from '../../payment/change.js';
import type { Draft } from '../../payment/draft.js';
import { aboutPayment } from '../../payment/record-event.js';
import { isOpenReceipt } from '../../receipts/own-receipt.js';
import { leftToSettle, tellingOf, unsettledNow } from '../../receipts/unsettled.js';
import { withFields } from '../../schema/ledger-fields.js';

/**
 * With what of a prepayment is left to settle: anew whenever a receipt of its payment was registered or money given back, and told once the
 * term is over. Until its first receipt or refund the payment's row says so by itself.
 */
export function followPrepayment(draft: Draft, cause: Cause, unsettledAfterMs: number): Draft {
  const { now, payment, refunds, receipts } = draft;
  const { status, prepaidMinor, capturedMinor, authorizedMinor, refundedMinor } = payment;
  if (status !== 'succeeded') return draft;
  // A part that was captured may have been said to be prepaid, as may what a receipt of its own is of.
  if (prepaidMinor === 0 && capturedMinor === authorizedMinor && receipts.length === 0) return draft;
  const { said, unsaidMinor } = recordedPrepayment(draft);
  const minor = Math.min(leftToSettle(said, unsaidMinor), capturedMinor - refundedMinor);
  const unsettled = unsettledNow(payment, minor, { now, unsettledAfterMs });
  const isAtRest = !receipts.some(isOpenReceipt) && !refunds.some((one) => isRefundUnsettled(one.status));
  const { isTold, dueAt } = tellingOf(unsettled, isAtRest, { now, unsettledAfterMs });
  const after = withFields(payment, { ...unsettled, unsettledDueAt: dueAt });
  return {
    ...draft,
    payment: after,
    events: [...draft.events, ...(isTold ? [notSettled(draft, after, cause)] : [])],
  };
}

function notSettled(
  { order }: Draft,
  { id, storeId, unsettledSince: since, unsettledMinor: leftMinor }: Draft['payment'],
  cause: Cause,
): ChangeEvent {
  return {
    ...aboutPayment({ id, storeId }),
    name: 'receipt.unsettled',
    cause,
    evidence: { since, leftMinor },
    notice: `The prepayment of payment ${id} of order ${JSON.stringify(order.reference)} is still not settled.`,
  };
}
