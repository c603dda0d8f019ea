import type { Payment, TimelineEntry } from '@holdfast/payments';

const timelineWords: Record<string, string> = {
  'payment.submitting': 'Payment started',
  'payment.pending': 'Waiting for the buyer',
  'payment.waiting_for_capture': 'Amount held',
  'payment.succeeded': 'Amount charged',
  'payment.canceled': 'Payment canceled',
  'payment.rejected': 'Refused by the payment service',
  'payment.superseded': 'Another payment took its place',
  'payment.anomaly': 'Something unexpected: a person looks at it',
  'order.overpaid': 'More was paid than was due',
};

/** An entry without words of its own is shown by its name: new ones must not vanish from the page. */
export function timelineText({ name, cause }: TimelineEntry): string {
  if (cause === 'service') return 'The payment service sent word';
  return timelineWords[name] ?? name;
}

const failureWords: Record<string, string> = {
  insufficient_funds: 'There was not enough money on the card.',
  card_expired: 'The card has expired.',
  invalid_csc: 'The security code was wrong.',
  invalid_card_number: 'The card number was wrong.',
  '3d_secure_failed': 'The bank could not confirm that it was you.',
  expired_on_confirmation: 'The time for paying ran out.',
  expired_on_capture: 'The hold ran out before we could ship.',
  call_issuer: 'The bank asks you to call it.',
};

export function failureText(payment: Payment | undefined): string {
  const cause =
    payment?.status === 'rejected'
      ? 'The payment service refused it.'
      : (failureWords[payment?.cancellation?.reason ?? ''] ?? 'The payment was declined.');
  return `${cause} Nothing was charged; you can try again.`;
}
