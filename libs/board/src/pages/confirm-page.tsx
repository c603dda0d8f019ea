import { formatAmount, type Amount } from '@holdfast/payments';
import type { JSX } from 'preact';
import { seenOf, type PaymentAction } from '../payment-actions.js';
import { mostOf, type Asked, type FormAbout, type PaymentForm } from '../payment-form.js';
import { amountText, minorOf } from '../view/amount-text.js';
import { MoneyOnceDone } from '../view/money-once-done.js';
import { ActionFrame, ONCE } from './action-frame.js';
import { payerOf } from './action-telling.js';

interface ConfirmPageProps {
  readonly action: PaymentAction;
  readonly about: FormAbout;
  readonly form: PaymentForm;
  readonly asked: AskedSum;
}

type AskedSum = Asked & { readonly amount: Amount };

/** Asks once more, with the very sum that moves, and the money once that is done. */
export function ConfirmPage({ action, about, form, asked }: ConfirmPageProps): JSX.Element {
  const { record } = about;
  const { payment } = record;
  const { amount, lines, why } = asked;
  const sum = amountText(amount);
  const typed =
    lines === null
      ? { amount: form.amount }
      : {
          by: form.by,
          ...Object.fromEntries(lines.map(({ line, quantity }) => [`pieces${line}`, quantity])),
        };
  const { question, effects } = action === 'capture' ? ofCapture(about, asked) : ofRefund(about, asked);
  return (
    <ActionFrame
      payment={payment}
      question={question}
      fault={null}
      hidden={{ key: form.key, seen: seenOf(record), store: payment.store, ...typed, sum: amount.value, why }}
      effects={[...effects, `The reason: ${why}`]}
      button={`${action === 'capture' ? 'Capture' : 'Refund'} ${sum}`}
      hint={ONCE}
      beside={<MoneyOnceDone record={record} action={action} sumMinor={minorOf(amount)} />}
    />
  );
}

function ofCapture(about: FormAbout, { amount, isAll }: AskedSum) {
  const sum = amountText(amount);
  const held = about.record.payment.amount;
  const most = mostOf('capture', about.record) ?? held;
  const rest = formatAmount(minorOf(most) - minorOf(amount), amount.currency);
  return {
    question: isAll ? `Capture ${sum}?` : `Capture ${sum} of ${amountText(most)}?`,
    effects: [
      `${sum} is charged to ${payerOf(about)}${about.goods?.receipt ? ', with a receipt of what is captured' : ''}.`,
      isAll
        ? 'Nothing is held any more after that.'
        : `The other ${amountText(rest)} goes back to the buyer at once, is no longer due, and cannot be held again.`,
    ],
  };
}

function ofRefund(about: FormAbout, { amount, isAll, lines }: AskedSum) {
  const { goods, record } = about;
  const sum = amountText(amount);
  const pieces = lines?.map(({ line, quantity }) => `${quantity} × ${goods?.items[line]?.description}`);
  return {
    question: pieces
      ? `Refund ${sum} for ${pieces.join(', ')}?`
      : `Refund ${sum} of ${amountText(record.payment.capturedAmount)}?`,
    effects: [
      `${sum} goes back to ${payerOf(about)}${receiptOfRefund(about, isAll, pieces !== undefined)}. It cannot be taken back from here.`,
      'Once the service confirms, your handlers of refund.succeeded run.',
    ],
  };
}

function receiptOfRefund({ goods }: FormAbout, isAll: boolean, isOfPieces: boolean): string {
  if (!goods?.receipt) return '';
  if (isOfPieces) return ', with a receipt of the pieces';
  return isAll
    ? ', with a receipt of all that is left'
    : ', with a receipt that takes the sum off all that is left, in proportion';
}
