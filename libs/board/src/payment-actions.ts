import type { PaymentRecord, RecordedOperation, Refund } from '@holdfast/payments';
import { isUnderWay, leftOf, moneyNow } from './payment-money.js';

/** What a person can do with a payment, each on a page of its own that asks once more. */
export const paymentActions = [
  'capture',
  'cancel',
  'leave',
  'refund',
  'accept-refund',
  'hand-over',
  'send-receipt',
  'close-receipt',
  'resolve-incident',
  'note',
] as const;
export type PaymentAction = (typeof paymentActions)[number];

type Seen = Pick<
  PaymentRecord,
  'payment' | 'operations' | 'refunds' | 'receiptProblems' | 'incidents' | 'unsettled' | 'timeline'
>;

/** It may still have an effect. */
export function isUnsettled(outcome: RecordedOperation['outcome']): boolean {
  return outcome === null || outcome === 'unknown';
}

/** Refunds that have not ended, though the service has said something that does not fit since they were asked for. */
export function oddRefunds({ refunds, timeline }: Pick<Seen, 'refunds' | 'timeline'>): Refund[] {
  return refunds.filter(
    (refund) =>
      isUnderWay(refund) &&
      timeline.some(({ name, at }) => name === 'payment.anomaly' && at >= refund.createdAt),
  );
}

/** What makes sense now: a hold is captured or let go, once; what was captured and not given back can be refunded. */
export function availableActions(seen: Seen): PaymentAction[] {
  const { payment, operations, receiptProblems, incidents, unsettled } = seen;
  const isFinishing = operations.some(
    ({ kind, outcome }) => (kind === 'capture' || kind === 'cancel') && isUnsettled(outcome),
  );
  const isHeld = payment.status === 'waiting_for_capture' && !isFinishing;
  const can: Readonly<Record<PaymentAction, boolean>> = {
    capture: isHeld,
    cancel: isHeld,
    leave: isHeld && payment.holdDueAt !== null && !payment.superseded,
    refund: payment.status === 'succeeded' && leftOf(moneyNow(seen)) > 0,
    'accept-refund': oddRefunds(seen).length > 0,
    'hand-over': payment.status === 'succeeded' && unsettled !== null,
    'send-receipt': receiptProblems.some(({ remedy }) => remedy === 'send_again'),
    'close-receipt': receiptProblems.length > 0,
    'resolve-incident': incidents.length > 0,
    note: true,
  };
  return paymentActions.filter((action) => can[action]);
}

/** What is done about one refund, receipt or incident of a payment stands beside that. */
export function isAboutProblem(action: PaymentAction): boolean {
  return (
    action === 'accept-refund' ||
    action === 'send-receipt' ||
    action === 'close-receipt' ||
    action === 'resolve-incident'
  );
}

/** What a page has shown of a payment's money: if it is different now, a form of that page is out of date. */
export function seenOf({ payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>): string {
  const { status, capturedAmount, refundedAmount } = payment;
  const ofRefunds = refunds.map((refund) => `${refund.id} ${refund.status}`);
  return [status, capturedAmount.value, refundedAmount.value, ...ofRefunds].join(' ');
}
