import { parseAmount, type Payment } from '@holdfast/payments';

import { formText } from '../../examples/shared/pages/form.js';
import { refundMinor } from '../orders/order-receipt.js';
import { leftToRefundMinor, paidPayment } from '../orders/order-view.js';
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
}

/** The form comes from the question itself. */
export function isSure(body: unknown): boolean {
  return formText(body, 'sure') === 'yes';
}

/** null: nothing is held, which the act itself says. */
export function questionOfHold(act: 'ship' | 'cancel', { payments }: StaffOrderView): Question | null {
  const held: Payment | undefined = payments.at(-1)?.payment;
  if (held?.status !== 'waiting_for_capture') return null;
  return { act, amountMinor: parseAmount(held.amount), pieces: null, fields: {} };
}

/** Or the form with its fault; null: nothing was charged, which the act itself says. */
export function questionOfRefund(
  view: StaffOrderView,
  { form, request }: { form: RefundForm; request: RefundRequest },
): Question | RefundForm | null {
  const paid = paidPayment(view);
  if (paid === undefined) return null;
  const { part, refundKey } = request;
  const [amountMinor, leftMinor] = [refundMinor(part, view.order), leftToRefundMinor(paid)];
  if (leftMinor > 0 && amountMinor > leftMinor) return { ...form, fault: onlyLeft(leftMinor) };
  const pieces = 'pieces' in part ? part.pieces : null;
  const what = pieces === null ? { amount: form.amount } : { pieces: String(pieces) };
  return { act: 'refund', amountMinor, pieces, fields: { refundKey, ...what } };
}
