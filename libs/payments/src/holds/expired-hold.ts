import type { ServicePayment } from '../api/service-payment.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/**
 * Whether a canceled payment was a hold that ran out. The reason says so, whether or not we ever saw it held; a
 * service that gives no reason is judged by the time.
 */
export function isExpiredHold(
  before: Pick<PaymentEntity, 'status' | 'holdExpiresAt'>,
  { status, cancellation }: Pick<ServicePayment, 'status' | 'cancellation'>,
  now: Date,
): boolean {
  if (status !== 'canceled') return false;
  if (cancellation !== null) return cancellation.reason === 'expired_on_capture';
  return (
    before.status === 'waiting_for_capture' && before.holdExpiresAt !== null && before.holdExpiresAt <= now
  );
}
