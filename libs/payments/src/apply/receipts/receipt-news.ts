import type { ServicePayment } from '../../api/service-payment.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';

/** Whether there is something to report of the payment's receipt: its registration has ended, or takes too long. */
export function isReceiptNews(
  payment: Pick<PaymentsPaymentEntity, 'receiptStatus' | 'updatedAt'>,
  { receiptStatus }: Pick<ServicePayment, 'receiptStatus'>,
  { now, lateMs }: { readonly now: Date; readonly lateMs: number },
): boolean {
  const after = receiptStatus ?? payment.receiptStatus;
  if (after === 'pending') return isReceiptLate(payment, { now, lateMs });
  return after !== payment.receiptStatus;
}

type Money = Pick<PaymentsPaymentEntity, 'status' | 'authorizedMinor'>;

/** What a payment is in need of, by its money. */
export type ReceiptNeed =
  | 'needed'
  /** A register that refuses it may yet keep the money from being taken. */
  | 'not-yet'
  /** No money was ever taken. */
  | 'none';

export function receiptNeed({ status, authorizedMinor }: Money): ReceiptNeed {
  if (status === 'submitting' || status === 'pending') return 'not-yet';
  const isOver = status === 'canceled' || status === 'rejected';
  return isOver && authorizedMinor === 0 ? 'none' : 'needed';
}

/** Its registration began no later than the last change of status. */
export function isReceiptLate(
  { updatedAt }: { readonly updatedAt: Date },
  { now, lateMs }: { readonly now: Date; readonly lateMs: number },
): boolean {
  return now.getTime() - updatedAt.getTime() >= lateMs;
}
