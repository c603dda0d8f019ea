import { isRefundUnsettled } from '../../common/refund-status.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';

export interface RefundSums {
  readonly refundedMinor: number;
  /** In flight: requested and neither made nor refused. */
  readonly inFlightMinor: number;
}

/** The totals of a payment's refunds, ours and those made outside. */
export function refundSums(
  refunds: readonly Pick<PaymentsRefundEntity, 'status' | 'amountMinor'>[],
): RefundSums {
  const sums = { refundedMinor: 0, inFlightMinor: 0 };
  for (const { status, amountMinor } of refunds) {
    if (status === 'succeeded') sums.refundedMinor += amountMinor;
    else if (isRefundUnsettled(status)) sums.inFlightMinor += amountMinor;
  }
  return sums;
}
