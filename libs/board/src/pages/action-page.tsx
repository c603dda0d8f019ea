import { formatAmount, type Amount, type PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import { leftMinor, seenOf, type PaymentAction } from '../payment-actions.js';
import { amountText, minorOf } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink } from '../view/page-context.js';
import { Shape } from '../view/shape.js';
import { methodText } from '../view/words.js';

interface ActionPageProps {
  readonly record: PaymentRecord;
  readonly action: PaymentAction;
  /** What can be captured or refunded; null where the action has no amount. */
  readonly most: Amount | null;
  /** What is in the fields. */
  readonly amount: string;
  readonly why: string;
  /** Sent with the form: pressed twice, it is done once. */
  readonly formKey: string;
  /** What is wrong with what was entered; null: nothing. */
  readonly fault: string | null;
}

/** What can be captured or refunded at most; null: the action has no amount. */
export function mostOf(
  action: PaymentAction,
  { payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>,
): Amount | null {
  const { amount, discount } = payment;
  // An instalment credit has taken its discount off what can be captured.
  const authorizedMinor = minorOf(amount) - (discount === null ? 0 : minorOf(discount));
  if (action === 'capture') return formatAmount(authorizedMinor, amount.currency);
  return action === 'refund' ? formatAmount(leftMinor({ payment, refunds }), amount.currency) : null;
}

/** Says what will happen, and asks once more. */
export function ActionPage({
  record,
  action,
  most,
  amount,
  why,
  formKey,
  fault,
}: ActionPageProps): JSX.Element {
  const link = useLink();
  const { payment } = record;
  const back = link(`payments/${payment.id}?${new URLSearchParams({ store: payment.store }).toString()}`);
  const told = telling[action];
  const question = told.question(record, most);
  return (
    <Document title={`${question} – Order ${payment.orderReference}`}>
      <p class="crumb">
        <a href={back}>← Order {payment.orderReference}</a>
      </p>
      <h1>{question}</h1>
      {fault !== null && (
        <div class="note is-bad" role="alert">
          <Shape name="stop" />
          <p>{fault}</p>
        </div>
      )}
      <div class="step">
        <form class="panel" method="post" aria-label={question}>
          <input type="hidden" name="key" value={formKey} />
          <input type="hidden" name="seen" value={seenOf(record)} />
          <input type="hidden" name="store" value={payment.store} />
          <div class="head">
            <h2>Nothing has been sent yet</h2>
          </div>
          <div class="body">
            <ol class="effects">
              {told.effects(record, most).map((effect) => (
                <li>
                  <span>{effect}</span>
                </li>
              ))}
              <li>
                <span>Your name, the time and your reason are kept in the timeline.</span>
              </li>
            </ol>
            {most !== null && (
              <div class="field">
                <label for="amount">Amount</label>
                <input
                  id="amount"
                  name="amount"
                  inputMode="decimal"
                  value={amount}
                  required
                  {...(fault !== null && { 'aria-invalid': 'true' as const })}
                />
              </div>
            )}
            <div class="field">
              <label for="why">
                {action === 'note' ? 'What you have done or found' : 'Reason, for your colleagues'}
              </label>
              <textarea id="why" name="why" rows={3} maxLength={900} required>
                {why}
              </textarea>
              <p class="hint">Up to 900 characters. The buyer does not see it.</p>
            </div>
            <div class="bottom">
              <a class="btn" href={back}>
                Go back
              </a>
              <button class="btn main" type="submit">
                {told.button}
              </button>
            </div>
            {action !== 'note' && <p class="hint">Done once, even if you press twice.</p>}
          </div>
        </form>
      </div>
    </Document>
  );
}

/** How an action is told. */
interface Telling {
  readonly question: (record: PaymentRecord, most: Amount | null) => string;
  /** What will happen. */
  readonly effects: (record: PaymentRecord, most: Amount | null) => string[];
  readonly button: string;
}

const telling: Readonly<Record<PaymentAction, Telling>> = {
  capture: {
    question: ({ payment }) => `Capture up to ${amountText(payment.amount)}?`,
    effects: (record) => [
      `The amount is charged to ${payerOf(record)}; what is held beyond it goes back to the buyer at once.`,
      'It cannot be held again.',
    ],
    button: 'Capture the amount',
  },
  cancel: {
    question: ({ payment }) => `Let ${amountText(payment.amount)} go?`,
    effects: (record) => [
      `All of ${amountText(record.payment.amount)} goes back to ${payerOf(record)}. It cannot be charged after that.`,
    ],
    button: 'Let the hold go',
  },
  refund: {
    question: ({ payment }, most) =>
      `Refund up to ${amountText(most ?? payment.amount)} of ${amountText(payment.capturedAmount)}?`,
    effects: (record, most) => [
      `The amount goes back to ${payerOf(record)}, at most ${amountText(most ?? record.payment.amount)}. It cannot be taken back from here.`,
      'Once the service confirms, your handlers of refund.succeeded run.',
    ],
    button: 'Refund the amount',
  },
  note: {
    question: () => 'Write into the timeline',
    effects: () => ['Nothing else changes.'],
    button: 'Write',
  },
};

function payerOf({ payment }: PaymentRecord): string {
  const method = methodText(payment);
  return method === '' ? 'the buyer' : method;
}
