import type { Amount } from '@holdfast/payments';
import type { JSX } from 'preact';
import { seenOf } from '../payment-actions.js';
import type { AskedLine, FormAbout, PaymentForm } from '../payment-form.js';
import { amountText } from '../view/amount-text.js';
import { ActionFrame } from './action-frame.js';
import { payerOf } from './action-telling.js';

interface PiecesPageProps {
  readonly about: FormAbout;
  readonly form: PaymentForm;
  readonly lines: readonly AskedLine[];
  readonly worth: Amount;
}

/** Asks once more about pieces that are given back, with what they are worth by now. */
export function PiecesPage({ about, form, lines, worth }: PiecesPageProps): JSX.Element {
  const { payment } = about.record;
  const sum = amountText(worth);
  const pieces = lines.map(({ line, quantity }) => `${quantity} × ${about.goods?.items[line]?.description}`);
  return (
    <ActionFrame
      payment={payment}
      question={`Refund ${sum} for ${pieces.join(', ')}?`}
      fault={null}
      hidden={{
        key: form.key,
        seen: seenOf(about.record),
        store: payment.store,
        by: 'pieces',
        ...Object.fromEntries(lines.map(({ line, quantity }) => [`pieces${line}`, quantity])),
        sum: worth.value,
        why: form.why,
      }}
      effects={[
        `${sum} goes back to ${payerOf(about)}, with a receipt of the pieces. It cannot be taken back from here.`,
        'Once the service confirms, your handlers of refund.succeeded run.',
        `The reason: ${form.why}`,
      ]}
      button={`Refund ${sum}`}
      hint="Done once, even if you press twice."
    />
  );
}
