import {
  parseAmount,
  type HoldEvent,
  type HoldPolicy,
  type OrderEvent,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';

import { moment, roubles } from '../../examples/shared/pages/format.js';

const dueAct: Record<HoldPolicy, string> = {
  flag: 'Ship the order before that, or cancel it.',
  cancel: 'It is being released.',
  capture: 'It is being charged.',
};

/** What the staff must know about a hold; null if it no longer needs a person. */
export function noteOfHold({
  name,
  payment,
  hold,
}: Pick<HoldEvent, 'name' | 'hold'> & { payment: Pick<Payment, 'amount' | 'status'> }): string | null {
  const what = `The hold of ${roubles(parseAmount(payment.amount))}`;
  const { expiresAt, policy } = hold;
  if (name === 'hold.expired' || policy === null)
    return `${what} ran out before the order was shipped. Nothing was charged.`;
  if (policy === 'flag' && payment.status !== 'waiting_for_capture') return null;
  const end = expiresAt === null ? 'may end at any moment' : `ends on ${moment(expiresAt)}`;
  return `${what} ${end}. ${dueAct[policy]}`;
}

/** What the staff must know about an overpaid order or an anomaly. */
export function noteOfPayment({
  name,
  evidence,
}: Pick<PaymentEvent | OrderEvent, 'name' | 'evidence'>): string {
  const reason = typeof evidence['reason'] === 'string' ? evidence['reason'] : 'the reason is not known';
  return name === 'order.overpaid'
    ? `More was paid than is due: ${reason}. Refund the excess.`
    : `The payment service reports something that does not fit: ${reason}. Do not ship before it is clear.`;
}
