import type { Payment } from '@holdfast/payments';
import { parseAmount } from '@holdfast/payments/client';

import type { PaymentRecord } from '../../shared/pages/payment-panel.js';
import type { Sale } from './sale.entity.js';

/** One sale with everything known of its payments, oldest first. */
export interface SaleView {
  sale: Sale;
  payments: PaymentRecord[];
}

/** The state of a sale for its buyer: its own state, or that of its latest payment meanwhile. */
export type Standing = 'unpaid' | 'checking' | 'pending' | 'settling' | 'paid' | 'payment_failed';

export function standing({ sale, payments }: SaleView): Standing {
  if (sale.state === 'paid') return 'paid';
  const status = payments.at(-1)?.payment.status;
  switch (status) {
    case undefined:
      return 'unpaid';
    case 'submitting':
      return 'checking';
    case 'pending':
      return 'pending';
    case 'rejected':
      return 'payment_failed';
    case 'canceled':
      if (sale.state === 'payment_failed') return 'payment_failed';
      break;
    case 'waiting_for_capture':
    case 'succeeded':
      break;
  }
  // The payment is ahead of the sale until the platform's handler has run.
  return 'settling';
}

/** The payment of which something is left to refund, with no refund pending. */
export function refundable({ payments }: SaleView): Payment | null {
  const paid = payments.findLast(({ payment }) => payment.status === 'succeeded');
  return paid && leftMinor(paid) > 0 ? paid.payment : null;
}

/** What can be refunded of a payment now: nothing while a refund is pending. */
export function leftMinor({ payment, refunds }: PaymentRecord): number {
  const isUnderWay = refunds.some(({ status }) => status === 'submitting' || status === 'pending');
  const { capturedAmount, refundedAmount } = payment;
  return isUnderWay ? 0 : parseAmount(capturedAmount) - parseAmount(refundedAmount);
}
