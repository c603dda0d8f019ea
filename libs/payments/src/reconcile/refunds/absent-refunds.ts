import type { ServicePayment } from '../../api/service-payment.js';
import type { SeenRefund, SentRefund } from '../../apply/refunds/judge-refunds.js';

/**
 * What a list proves was never received (G3). A refund that it shows in any form was received; and a list that shows less than
 * the payment counts is not a full one.
 */
export function absentFrom(
  listed: readonly SeenRefund[],
  { refundedMinor }: Pick<ServicePayment, 'refundedMinor'>,
  sent: readonly SentRefund[],
): SentRefund[] {
  const made = listed.filter(({ object }) => object.status === 'succeeded');
  if (refundedMinor > made.reduce((sum, { object }) => sum + object.amountMinor, 0)) return [];
  return sent.filter(({ refundId }) => !listed.some(({ ourId }) => ourId === refundId));
}
