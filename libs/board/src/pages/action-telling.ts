import type { Amount } from '@holdfast/payments';
import type { PaymentAction } from '../payment-actions.js';
import type { FormAbout, PaymentForm } from '../payment-form.js';
import { amountText } from '../view/amount-text.js';
import { dayText } from '../view/time-text.js';
import { methodText } from '../view/words.js';

/** What an action is about: the payment, what it has paid for, the form so far, and what can be taken for it at most. */
export interface AskedAbout extends FormAbout {
  readonly form: PaymentForm;
  readonly most: Amount | null;
  readonly now: Date;
  readonly timeZone: string;
}

/** How an action is about. */
interface Telling {
  readonly question: (about: AskedAbout) => string;
  /** What will happen. */
  readonly effects: (about: AskedAbout) => string[];
  readonly button: string;
}

/** How each action asks once more. */
export const telling: Readonly<Record<PaymentAction, Telling>> = {
  capture: {
    question: ({ record: { payment } }) => `Capture up to ${amountText(payment.amount)}?`,
    effects: (about) => [
      `The amount is charged to ${payerOf(about)}; what is held beyond it goes back to the buyer at once.`,
      'The next page says the sum, and asks once more.',
    ],
    button: 'Next',
  },
  cancel: {
    question: ({ record: { payment } }) => `Let ${amountText(payment.amount)} go?`,
    effects: (about) => [
      `All of ${amountText(about.record.payment.amount)} goes back to ${payerOf(about)}. It cannot be charged after that.`,
    ],
    button: 'Let the hold go',
  },
  leave: {
    question: ({ record: { payment } }) => `Leave the hold of ${amountText(payment.amount)} to a person?`,
    effects: ({ record: { payment }, now, timeZone }) => [
      'The module will neither capture it nor let it go by itself.',
      'It stands among what needs a person until somebody does either.',
      payment.holdExpiresAt === null
        ? 'The service did not say when it ends: it may end at any moment.'
        : `If nobody does, it ends on ${dayText(payment.holdExpiresAt, now, timeZone)}, and nothing is charged.`,
    ],
    button: 'Leave it to a person',
  },
  refund: {
    question: ({ record: { payment }, most, form }) =>
      form.by === 'pieces'
        ? `Refund pieces of order ${payment.orderReference}?`
        : `Refund up to ${amountText(most ?? payment.amount)} of ${amountText(payment.capturedAmount)}?`,
    effects: (about) => [
      about.form.by === 'pieces'
        ? `What the pieces are worth goes back to ${payerOf(about)}, with a receipt of them.`
        : `The amount goes back to ${payerOf(about)}.`,
      'The next page says the sum, and asks once more.',
    ],
    button: 'Next',
  },
  'accept-refund': {
    question: ({ record: { refunds }, form }) => {
      const refund = refunds.find(({ id }) => id === form.problem);
      return `Accept the refund${refund ? ` of ${amountText(refund.amount)}` : ''} as the service has it?`;
    },
    effects: (about) => [
      `${saidOf(about)} The service’s list is read now, and the refund ends with the sum that stands there.`,
      'No money moves. What is requested beyond that sum can be refunded again.',
      'If the list has no such refund, or a sum that does not fit the payment, nothing is booked.',
    ],
    button: 'Accept it',
  },
  'hand-over': {
    question: ({ record: { unsettled, payment } }) =>
      `Hand over what was paid in advance, ${amountText(unsettled?.left ?? payment.amount)}?`,
    effects: () => [
      'The receipt of the hand-over is sent, of all goods that are left. It moves no money.',
      'Do it once the buyer has the goods.',
    ],
    button: 'Handed over',
  },
  'send-receipt': {
    question: () => 'Send the receipt again?',
    effects: () => [
      'It is sent as it was, as a new receipt for the same sum. It moves no money.',
      'If it fails again, it stands among what needs a person again.',
    ],
    button: 'Send it again',
  },
  'close-receipt': {
    question: () => 'Is the receipt taken care of?',
    effects: () => [
      'It leaves the list of receipts that need a person, and counts as made.',
      'Nothing is sent: do it once the receipt is made by hand, or clear with the service’s support.',
    ],
    button: 'It is taken care of',
  },
  'resolve-incident': {
    question: () => 'Is the incident resolved?',
    effects: () => [
      'It leaves the list of incidents, and the timeline says who resolved it and how.',
      'Nothing else changes: do it once what happened is put right.',
    ],
    button: 'It is resolved',
  },
  note: {
    question: () => 'Write into the timeline',
    effects: () => ['Nothing else changes.'],
    button: 'Write',
  },
};

/** What the service has said that does not fit, the last of it. */
function saidOf({ record: { timeline } }: FormAbout): string {
  const reason = timeline.findLast(({ name }) => name === 'payment.anomaly')?.evidence['reason'];
  return typeof reason === 'string' ? `What does not fit: ${reason}.` : '';
}

export function payerOf({ record: { payment } }: FormAbout): string {
  const method = methodText(payment);
  return method === '' ? 'the buyer' : method;
}
