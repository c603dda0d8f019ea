/** The headline of a page about a purchase. */
export interface Headline {
  tone: 'good' | 'wait' | 'bad';
  title: string;
  text: string;
  /** What the buyer can do about it. */
  pay?: string;
  reloadAfterSeconds?: number;
}

/** While its payment is open, whatever was bought. */
export const waitingHeadlines = {
  checking: {
    tone: 'wait',
    title: 'We are checking your payment',
    text: 'The payment service has not answered yet. Nothing is lost and nothing is paid twice: this page keeps looking.',
    pay: 'Try again',
    reloadAfterSeconds: 5,
  },
  pending: {
    tone: 'wait',
    title: 'Waiting for your payment',
    text: 'The payment is open for an hour. You can pick it up where you left it.',
    pay: 'Continue payment',
    reloadAfterSeconds: 5,
  },
  settling: {
    tone: 'wait',
    title: 'One moment',
    text: 'We are recording your payment.',
    reloadAfterSeconds: 1,
  },
  delayed: {
    tone: 'wait',
    title: 'This takes longer than usual',
    text: 'The payment service has told us about your payment, but we could not record it yet. Our staff see to it: there is nothing for you to do, and nothing to pay again.',
    reloadAfterSeconds: 30,
  },
} as const satisfies Record<string, Headline>;
