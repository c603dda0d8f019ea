import type { Payment, Refund, TimelineEntry } from '@holdfast/payments';

import { roubles } from './format.js';

/** What happened to the buyer's money; the other entries are for whoever has to handle them. */
const timelineWords: Record<string, string> = {
  'payment.submitting': 'Payment started',
  'payment.pending': 'Waiting for the payment to be confirmed',
  'payment.waiting_for_capture': 'Amount held',
  'payment.succeeded': 'Amount charged',
  'payment.canceled': 'Payment canceled',
  'payment.rejected': 'Refused by the payment service',
  'refund.submitting': 'Refund started',
  'refund.pending': 'Refund on its way',
  'refund.succeeded': 'Refunded',
  'refund.canceled': 'Refund did not go through',
  'refund.rejected': 'Refund refused by the payment service',
  'hold.expired': 'The hold ran out',
};

export function isForBuyer({ name, cause }: Pick<TimelineEntry, 'name' | 'cause'>): boolean {
  return cause !== 'service' && Object.hasOwn(timelineWords, name);
}

export function timelineText({ name, evidence: { amountMinor } }: TimelineEntry): string {
  const isOfRefund = name.startsWith('refund.') && typeof amountMinor === 'number';
  return `${timelineWords[name] ?? name}${isOfRefund ? `, ${roubles(amountMinor)}` : ''}`;
}

const failures = new Set([
  'payment.canceled',
  'payment.rejected',
  'refund.canceled',
  'refund.rejected',
  'hold.expired',
]);

/** What went wrong must not look like what went well. */
export function timelineTone({ name }: Pick<TimelineEntry, 'name'>): 'good' | 'bad' {
  return failures.has(name) ? 'bad' : 'good';
}

const failureWords: Record<string, string> = {
  insufficient_funds: 'There was not enough money.',
  card_expired: 'The card has expired.',
  invalid_csc: 'The security code was wrong.',
  invalid_card_number: 'The card number was wrong.',
  '3d_secure_failed': 'The bank could not confirm that it was you.',
  expired_on_confirmation: 'The time for paying ran out.',
  expired_on_capture: 'The hold ran out before we could ship.',
  call_issuer: 'The bank asks you to call it.',
  // Without details; a buyer who refuses to pay on the service's page is one of its causes.
  general_decline: 'The payment was declined, by you or by the bank.',
};

export function failureText(payment: Payment | undefined): string {
  const cause =
    payment?.status === 'rejected'
      ? 'The payment service refused it.'
      : (failureWords[payment?.cancellation?.reason ?? ''] ?? 'The payment was declined.');
  return `${cause} Nothing was charged; you can try again.`;
}

const refundWords: Record<Refund['status'], string> = {
  submitting: 'The payment service has not answered yet',
  pending: 'On its way',
  succeeded: 'Given back',
  canceled: 'Did not go through; nothing was refunded',
  rejected: 'Refused by the payment service; nothing was refunded',
};

export function refundText({ status }: Pick<Refund, 'status'>): string {
  return refundWords[status];
}
