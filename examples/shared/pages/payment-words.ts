import type { Payment, Refund, TimelineEntry } from '@holdfast/payments';

import { roubles } from './format.js';

const timelineWords: Record<string, string> = {
  'payment.submitting': 'Payment started',
  'payment.pending': 'Waiting for the payment to be confirmed',
  'payment.waiting_for_capture': 'Amount held',
  'payment.succeeded': 'Amount charged',
  'payment.canceled': 'Payment canceled',
  'payment.rejected': 'Refused by the payment service',
  'payment.superseded': 'Another payment took its place',
  'payment.anomaly': 'Something unexpected: a person looks at it',
  'refund.submitting': 'Refund started',
  'refund.pending': 'Refund on its way',
  'refund.succeeded': 'Refunded',
  'refund.canceled': 'Refund did not go through',
  'refund.rejected': 'Refund refused by the payment service',
  'hold.expiring': 'The hold nears its end',
  'hold.expired': 'The hold ran out',
  'order.paid': 'The order is paid',
  'order.unpaid': 'The order is no longer paid or held',
  'order.refunded': 'All that was paid is given back',
  'order.overpaid': 'More was paid than was due',
  'receipt.succeeded': 'Receipt registered',
  'receipt.failed': 'Receipt failed: a person has to see to it',
  'receipt.late': 'Receipt is late',
  'receipt.unsettled': 'The prepayment is still not settled',
  'receipt.not_needed': 'The receipt that failed is not needed any more',
};

/** An entry without words of its own is shown by its name: new ones must not vanish from the page. */
export function timelineText({ name, cause, evidence }: TimelineEntry): string {
  if (cause === 'service') return 'The payment service sent a notification';
  const { amountMinor, by, note, effect } = evidence;
  if (name === 'effect.recorded') return `Recorded to be done: ${String(effect)}`;
  if (typeof by === 'string' && typeof note === 'string')
    return `Receipt ${name === 'receipt.sent_again' ? 'sent again' : 'resolved'} by ${by}: ${note}`;
  const isOfRefund = name.startsWith('refund.') && typeof amountMinor === 'number';
  return `${timelineWords[name] ?? name}${isOfRefund ? `, ${roubles(amountMinor)}` : ''}`;
}

const failures = new Set([
  'payment.canceled',
  'payment.rejected',
  'payment.anomaly',
  'refund.canceled',
  'refund.rejected',
  'hold.expired',
  'order.overpaid',
  'receipt.failed',
]);
const warnings = new Set(['order.unpaid', 'hold.expiring', 'receipt.late', 'receipt.unsettled']);

/** What went wrong must not look like what went well. */
export function timelineTone({ name }: Pick<TimelineEntry, 'name'>): 'good' | 'wait' | 'bad' {
  if (failures.has(name)) return 'bad';
  return warnings.has(name) ? 'wait' : 'good';
}

/** What happened to the buyer's money; the other entries are for whoever has to handle them. */
const buyersEvents = new Set([
  'payment.submitting',
  'payment.pending',
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'payment.rejected',
  'refund.submitting',
  'refund.pending',
  'refund.succeeded',
  'refund.canceled',
  'refund.rejected',
  'hold.expired',
]);

export function isForBuyer({ name, cause }: Pick<TimelineEntry, 'name' | 'cause'>): boolean {
  return cause !== 'service' && buyersEvents.has(name);
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

/** The origin of a refund that was not requested here. */
export function refundOrigin({ refundKey }: Pick<Refund, 'refundKey'>): string {
  return refundKey === null ? ', made in the Merchant Profile' : '';
}
