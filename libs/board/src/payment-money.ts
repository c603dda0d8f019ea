import type { PaymentRecord, Refund } from '@holdfast/payments';
import { minorOf } from './view/amount-text.js';

/** Where a payment's money is, in minor units. */
export interface MoneyAt {
  readonly heldMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** Of refunds that have not ended. */
  readonly underWayMinor: number;
}

/** It has not ended. */
export function isUnderWay({ status }: Refund): boolean {
  return status === 'submitting' || status === 'pending';
}

export function moneyNow({ payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>): MoneyAt {
  return {
    heldMinor: payment.status === 'waiting_for_capture' ? minorOf(payment.amount) : 0,
    capturedMinor: minorOf(payment.capturedAmount),
    refundedMinor: minorOf(payment.refundedAmount),
    underWayMinor: refunds.filter(isUnderWay).reduce((sum, { amount }) => sum + minorOf(amount), 0),
  };
}

/** What was captured, and is neither given back nor on its way. */
export function leftOf({ capturedMinor, refundedMinor, underWayMinor }: MoneyAt): number {
  return capturedMinor - refundedMinor - underWayMinor;
}
