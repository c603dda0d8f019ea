import type { Payment } from '@holdfast/payments';

import { moment } from './format.js';

/** Until when the payment service keeps the amount. */
export function holdEnd({ holdExpiresAt }: Pick<Payment, 'holdExpiresAt'>): string {
  return holdExpiresAt === null ? 'The payment service does not say' : moment(holdExpiresAt);
}

/** What will happen to the hold before that, and when. The module's own policy is to leave it to a person. */
export function holdOutlook({ holdPolicy, holdDueAt }: Pick<Payment, 'holdPolicy' | 'holdDueAt'>): string {
  if (holdDueAt === null) return 'Now for the staff to decide: ship it or cancel it';
  const at = moment(holdDueAt);
  if (holdPolicy === 'cancel') return `Released by itself on ${at}, unless it ships before`;
  if (holdPolicy === 'capture') return `Charged by itself on ${at}, unless it is canceled before`;
  return `The staff decide; they are reminded on ${at}`;
}
