import type { PaymentRecord } from '@holdfast/payments';
import { minorOf } from './view/amount-text.js';

/** What a person can do with a payment, each on a page of its own that asks once more. */
export const paymentActions = ['capture', 'cancel', 'refund', 'note'] as const;
export type PaymentAction = (typeof paymentActions)[number];

type Seen = Pick<PaymentRecord, 'payment' | 'operations'>;

/** What makes sense now: a hold is captured or let go, once; what was captured and not given back can be refunded. */
export function availableActions({ payment, operations }: Seen): PaymentAction[] {
  const isHeld = payment.status === 'waiting_for_capture';
  const isFinishing = operations.some(
    ({ kind, outcome }) =>
      (kind === 'capture' || kind === 'cancel') && (outcome === null || outcome === 'unknown'),
  );
  const isLeft = minorOf(payment.capturedAmount) > minorOf(payment.refundedAmount);
  const can: Readonly<Record<PaymentAction, boolean>> = {
    capture: isHeld && !isFinishing,
    cancel: isHeld && !isFinishing,
    refund: payment.status === 'succeeded' && isLeft,
    note: true,
  };
  return paymentActions.filter((action) => can[action]);
}

/** What a page has shown of a payment's money: if it is different now, a form of that page is out of date. */
export function seenOf({ payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>): string {
  const { status, capturedAmount, refundedAmount } = payment;
  const ofRefunds = refunds.map((refund) => `${refund.id} ${refund.status}`);
  return [status, capturedAmount.value, refundedAmount.value, ...ofRefunds].join(' ');
}
