import type { Fields } from '../common/fields.js';
import type { Card, PaymentMethod } from '../methods/payment-method.js';
import { cardInBankApp } from '../methods/test-cards.js';
import { rulesOf } from '../stores/store.js';
import type { MethodType } from '../wire/names.js';
import type { Payment } from './payment.js';

/** The method of a payment as it is once the buyer has used it; `more`: what only this use of it shows. */
export function usedMethod(
  { method, store }: Pick<Payment, 'method' | 'store'>,
  type: MethodType,
  card: Card | null = null,
  more: Fields = {},
): PaymentMethod {
  const { bankCardShown, showsOncePaid } = rulesOf(store, type);
  const asked = method?.type === type ? method : null;
  const articles = asked?.articles ?? [];
  return {
    type,
    card: bankCardShown ? cardInBankApp : card,
    details: { ...showsOncePaid(articles), ...asked?.details, ...more },
    articles,
  };
}
