import { formatAmount, parseAmount, type Amount, type Payment } from '@holdfast/payments';

import type { PaymentRecord } from '../../shared/pages/payment-panel.js';
import { leftMinor } from '../sales/sale-view.js';
import type { Sale } from '../sales/sale.entity.js';

/** What an owner is asked once more before it is refunded: all that is left of a payment. */
export interface RefundQuestion {
  readonly sale: Sale;
  readonly payment: Payment;
  readonly amount: Amount;
  /** What the answer sends again. */
  readonly fields: Readonly<Record<'refundKey' | 'sum', string>>;
}

/** Sent again it asks for the sum that it asked for then. null: nothing is left. */
export function refundQuestion(
  { sale, record }: { readonly sale: Sale; readonly record: PaymentRecord },
  refundKey: string,
): RefundQuestion | null {
  const { payment, refunds } = record;
  const made = refunds.find((refund) => refund.refundKey === refundKey);
  const amount = made?.amount ?? formatAmount(leftMinor(record));
  if (parseAmount(amount) === 0) return null;
  return { sale, payment, amount, fields: { refundKey, sum: amount.value } };
}
