import type { ServicePayment } from '../../api/service-payment.js';
import type { PaymentEntity } from '../../schema/payment.entity.js';

/** Whether there is something to report of the payment's receipt: its registration has ended, or takes too long. */
export function isReceiptNews(
  payment: Pick<PaymentEntity, 'receiptStatus' | 'updatedAt'>,
  { receiptStatus }: Pick<ServicePayment, 'receiptStatus'>,
  { now, lateMs }: { readonly now: Date; readonly lateMs: number },
): boolean {
  const after = receiptStatus ?? payment.receiptStatus;
  if (after === 'pending') return isReceiptLate(payment, { now, lateMs });
  return after !== payment.receiptStatus;
}

/** Its registration began no later than the last change of status. */
export function isReceiptLate(
  { updatedAt }: { readonly updatedAt: Date },
  { now, lateMs }: { readonly now: Date; readonly lateMs: number },
): boolean {
  return now.getTime() - updatedAt.getTime() >= lateMs;
}
