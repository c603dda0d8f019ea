import { isOpen } from '../common/payment-status.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** What the choice depends on. */
type Known = Pick<PaymentsPaymentEntity, 'status' | 'supersededAt' | 'capturedMinor' | 'refundedMinor'>;

/**
 * The payment that the buyer of an order should see now, of its payments from the oldest on: what is still to be paid, else what was
 * paid last. Null: none is open, and none keeps money.
 */
export function currentPayment<Payment extends Known>(
  { state }: Pick<PaymentsOrderEntity, 'state'>,
  payments: readonly Payment[],
): Payment | null {
  // Whoever pays an open payment of an order that needs no more money pays twice.
  const needsMoney = state !== 'authorized' && state !== 'paid' && state !== 'overpaid';
  const open = payments.findLast(({ status, supersededAt }) => isOpen(status) && supersededAt === null);
  const keeping = payments.findLast(keepsMoney);
  return (needsMoney ? (open ?? keeping) : (keeping ?? open)) ?? null;
}

/** It is held, or paid and not wholly refunded. */
function keepsMoney({ status, capturedMinor, refundedMinor }: Known): boolean {
  return status === 'waiting_for_capture' || (status === 'succeeded' && refundedMinor < capturedMinor);
}
