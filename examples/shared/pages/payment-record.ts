import type { Payment, Refund, TimelineEntry } from '@holdfast/payments';

/** A payment with its history and its refunds, each oldest first. */
export interface PaymentRecord {
  payment: Payment;
  timeline: TimelineEntry[];
  refunds: Refund[];
}
