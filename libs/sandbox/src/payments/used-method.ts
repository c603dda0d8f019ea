import type { Fields } from '../api/body.js';
import type { MethodType } from '../wire-names.js';
import { rulesOf } from './method-checks.js';
import type { Card, Payment, PaymentMethod } from './payment.js';
import { cardInBankApp } from './test-cards.js';

/** The method of a payment as it is once the buyer has used it; `more`: what only this use of it shows. */
export function usedMethod(
  { method, store }: Pick<Payment, 'method' | 'store'>,
  type: MethodType,
  card: Card | null = null,
  more: Fields = {},
): PaymentMethod {
  const { bankCardShown, showsOncePaid } = rulesOf(store, type);
  const asked = method?.type === type ? method.details : {};
  return {
    type,
    card: bankCardShown ? cardInBankApp : card,
    details: { ...asked, ...showsOncePaid(), ...more },
  };
}
