import { formatAmount, parseAmount, type Payment } from '@holdfast/payments';

import { leftToRefundMinor, paidPayment } from '../orders/order-view.js';
import { isSentAgain, plannedRefund } from './planned-refund.js';
import { onlyLeft, type RefundForm, type RefundRequest } from './refund-form.js';
import type { StaffOrderView } from './staff-order-view.js';

export type MoneyAct = 'ship' | 'cancel' | 'refund';

/** What moves money is asked for once more, with the sum that it moves. */
export interface Question {
  act: MoneyAct;
  amountMinor: number;
  /** null: the sum itself was typed. */
  pieces: number | null;
  /** What the answer sends again. */
  fields: Readonly<Record<string, string>>;
  /** Whether it was answered, and something else is to be asked by now. */
  hasChanged?: boolean;
}

/** null: nothing is held, which the act itself says. */
export function questionOfHold(act: 'ship' | 'cancel', { payments }: StaffOrderView): Question | null {
  const held: Payment | undefined = payments.at(-1)?.payment;
  if (held?.status !== 'waiting_for_capture') return null;
  return { act, amountMinor: parseAmount(held.amount), pieces: null, fields: {} };
}

/** Or the form with its fault; null: nothing was charged or is left, or it was answered before, which the act itself says. */
export function questionOfRefund(
  view: StaffOrderView,
  { form, request }: { form: RefundForm; request: RefundRequest },
): Question | RefundForm | null {
  const paid = paidPayment(view);
  if (paid === undefined || isSentAgain(paid.refunds, request)) return null;
  const leftMinor = leftToRefundMinor(paid);
  if (leftMinor <= 0) return null;
  const { refundKey } = request;
  const { amountMinor } = plannedRefund(view.order, paid, request);
  if (amountMinor === null || amountMinor > leftMinor) return { ...form, fault: onlyLeft(leftMinor) };
  if (!('pieces' in request.part))
    return { act: 'refund', amountMinor, pieces: null, fields: { refundKey, amount: form.amount } };
  const { pieces } = request.part;
  const fields = { refundKey, pieces: String(pieces), sum: formatAmount(amountMinor).value };
  return { act: 'refund', amountMinor, pieces, fields };
}
