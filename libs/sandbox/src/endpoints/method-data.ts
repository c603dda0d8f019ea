import type { Fields } from '../common/fields.js';
import { parseArticles } from '../methods/articles.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import { cardOf, hasExpired, testCardWith } from '../methods/test-cards.js';
import type { Store } from '../stores/store.js';
import { fields, matching, text } from '../wire/body.js';
import { methodName, methodTypeFromWire } from '../wire/names.js';
import { invalidRequest } from '../wire/service-error.js';
import { declineIn } from './decline-word.js';

/** The method of payment in a creation request. */
interface MethodData {
  readonly method: PaymentMethod;
  /** Paid without the buyer's confirmation, by a wallet's cryptogram; `decline`: the reason it fails with. */
  readonly cryptogram: { readonly decline: string | null } | null;
}

const LONGEST_CARDHOLDER = 64;

interface About {
  readonly store: Store;
  readonly now: Date;
  readonly amountMinor: number;
}

/** Reads `payment_method_data`; null: the buyer chooses. */
export function parseMethodData(
  value: unknown,
  { store: { names, methods, rules }, now, amountMinor }: About,
): MethodData | null {
  if (value === undefined) return null;
  const data = fields(value, 'payment_method_data');
  const type = methods.find((known) => known === methodTypeFromWire(names, data['type']));
  if (!type || !rules[type]?.nameable) {
    const usable = methods.filter((known) => rules[known]?.nameable).map((known) => methodName(names, known));
    const why = type ? `${methodName(names, type)} is the buyer's choice on the payment page. ` : '';
    throw invalidRequest(
      `${why}A request to this store can name: ${usable.join(', ')}`,
      'payment_method_data.type',
    );
  }
  if (type === 'wallet_pay') {
    const parameter = 'payment_method_data.payment_method_token';
    const token = matching(data['payment_method_token'], /./s, 'Needs a text', parameter);
    return {
      method: { type, card: null, details: {} },
      cryptogram: { decline: declineIn(token) },
    };
  }
  const isCertificate = type === 'electronic_certificate';
  const card =
    (type === 'bank_card' || isCertificate) && data['card'] !== undefined
      ? parseCard(fields(data['card'], 'payment_method_data.card'), now)
      : null;
  const articles = isCertificate
    ? parseArticles(data['articles'], 'payment_method_data.articles', amountMinor)
    : [];
  const details = rules[type]?.reads(data, amountMinor) ?? {};
  return { method: { type, card, details, articles }, cryptogram: null };
}

/** Stores no more of a card than an answer shows. */
function parseCard(card: Fields, now: Date): PaymentMethod['card'] {
  const number = matching(card['number'], /^\d{13,19}$/, 'Needs 13 to 19 digits', path('number'));
  const month = /^(0[1-9]|1[0-2])$/;
  const expiryMonth = matching(
    card['expiry_month'],
    month,
    'Needs a month of two digits',
    path('expiry_month'),
  );
  const expiryYear = matching(card['expiry_year'], /^\d{4}$/, 'Needs four digits', path('expiry_year'));
  if (hasExpired({ expiryMonth, expiryYear }, now))
    throw invalidRequest('This card has expired', path('expiry_year'));
  if (card['csc'] !== undefined)
    matching(card['csc'], /^\d{3,4}$/, 'Needs three or four digits', path('csc'));
  if (card['cardholder'] !== undefined) text(card['cardholder'], LONGEST_CARDHOLDER, path('cardholder'));
  const testCard = testCardWith(number);
  if (!testCard) throw invalidRequest('The sandbox accepts only test cards', path('number'));
  return cardOf(testCard, { expiryMonth, expiryYear });
}

function path(field: string): string {
  return `payment_method_data.card.${field}`;
}
