import type { RefundEntity } from '../schema/refund.entity.js';
import { isRefundUnsettled } from '../common/refund-status.js';

export interface RefundSums {
  readonly refundedMinor: number;
  /** In flight: asked for and neither made nor refused. */
  readonly inFlightMinor: number;
}

/** What a payment's refunds, ours and those made outside, add up to. */
export function refundSums(refunds: readonly Pick<RefundEntity, 'status' | 'amountMinor'>[]): RefundSums {
  const sums = { refundedMinor: 0, inFlightMinor: 0 };
  for (const { status, amountMinor } of refunds) {
    if (status === 'succeeded') sums.refundedMinor += amountMinor;
    else if (isRefundUnsettled(status)) sums.inFlightMinor += amountMinor;
  }
  return sums;
}
