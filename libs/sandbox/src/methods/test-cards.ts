import type { WireNames } from '../wire/names.js';
import type { Card } from './payment-method.js';

/** A card the sandbox accepts, with its result. */
export interface TestCard {
  readonly number: string;
  readonly cardType: string;
  readonly product: { readonly code: string; readonly name: string };
  /** Two letters. */
  readonly issuerCountry: string;
  readonly issuerName: string;
  /** True if its bank requires 3-D Secure even if the merchant does not. */
  readonly asks3ds: boolean;
  /** null: the payment succeeds; otherwise the reason it fails with. */
  readonly failure: string | null;
}

/** When a card ends, as it is printed on it. */
export type Expiry = Pick<Card, 'expiryMonth' | 'expiryYear'>;
type Issue = Pick<TestCard, 'cardType' | 'product' | 'issuerCountry' | 'issuerName'>;

const mir: Issue = {
  cardType: 'Mir',
  product: { code: 'MIR', name: 'Mir Classic' },
  issuerCountry: 'RU',
  issuerName: 'Sandbox Bank',
};
const visa: Issue = {
  cardType: 'Visa',
  product: { code: 'F', name: 'Classic' },
  issuerCountry: 'RU',
  issuerName: 'Sandbox Bank',
};
const masterCard: Issue = {
  cardType: 'MasterCard',
  product: { code: 'MCS', name: 'Standard' },
  issuerCountry: 'RU',
  issuerName: 'Sandbox Bank',
};
const unionPay: Issue = {
  cardType: 'UnionPay',
  product: { code: 'UPI', name: 'Debit' },
  issuerCountry: 'CN',
  issuerName: 'Sandbox Bank of Shanghai',
};
const jcb: Issue = {
  cardType: 'JCB',
  product: { code: 'JST', name: 'Standard' },
  issuerCountry: 'JP',
  issuerName: 'Sandbox Bank of Osaka',
};
const americanExpress: Issue = {
  cardType: 'AmericanExpress',
  product: { code: 'AXP', name: 'Personal' },
  issuerCountry: 'US',
  issuerName: 'Sandbox Bank of Boston',
};

const pays = (number: string, issue: Issue): TestCard => ({
  number,
  ...issue,
  asks3ds: false,
  failure: null,
});
const pays3ds = (number: string, issue: Issue): TestCard => ({ ...pays(number, issue), asks3ds: true });
const fails = (number: string, failure: string, issue = masterCard): TestCard => ({
  ...pays(number, issue),
  failure,
});

/**
 * Shown on the payment page. Any other number is refused, so that no real card ever arrives. Assumed: a number has the same
 * result as in the public service's demo store, except the last three, which are ours.
 */
export const testCards: readonly [TestCard, ...TestCard[]] = [
  pays('5555555555554444', masterCard),
  pays('4111111111111111', visa),
  pays('2202474301322987', mir),
  pays('6200000000000005', unionPay),
  pays('3528000700000000', jcb),
  pays('370000000000002', americanExpress),
  pays3ds('5555555555554477', masterCard),
  pays3ds('4793128161644804', visa),
  pays3ds('2200000000000004', mir),
  { ...fails('5555555555554592', '3d_secure_failed'), asks3ds: true },
  fails('5555555555554535', 'call_issuer'),
  fails('5555555555554543', 'card_expired'),
  fails('5555555555554584', 'country_forbidden', { ...masterCard, issuerCountry: 'US' }),
  fails('5555555555554568', 'fraud_suspected'),
  fails('5555555555554527', 'general_decline'),
  fails('5555555555554600', 'insufficient_funds'),
  fails('5555555555554618', 'invalid_card_number'),
  fails('5555555555554626', 'invalid_csc'),
  fails('5555555555554501', 'issuer_unavailable'),
  fails('5555555555554576', 'payment_method_limit_exceeded'),
  fails('5555555555554550', 'payment_method_restricted'),
  fails('5555555555554659', 'identification_required'),
  fails('5555555555554667', 'internal_timeout'),
  fails('5555555555554675', 'permission_revoked'),
];

export function testCardWith(number: string): TestCard | undefined {
  return testCards.find((known) => known.number === number);
}

/** What may be stored of a test card. */
export function cardOf(
  { number, cardType, product, issuerCountry, issuerName }: TestCard,
  expiry: Expiry,
): Card {
  return {
    first6: number.slice(0, 6),
    last4: number.slice(-4),
    cardType,
    product,
    issuerCountry,
    issuerName,
    source: null,
    ...expiry,
  };
}

/** A card is valid to the end of its month. */
export function hasExpired({ expiryMonth, expiryYear }: Expiry, now: Date): boolean {
  return Date.UTC(Number(expiryYear), Number(expiryMonth), 1) <= now.getTime();
}

const farExpiry = { expiryMonth: '12', expiryYear: '2099' };
const phoneCard = pays('2202474301322987', mir);

/** The card of a buyer who types none: over the control API. */
export const defaultCard: Card = cardOf(testCards[0], farExpiry);

/** The card in the buyer's card-network mobile payment app. */
export const cardInCardApp: Card = { ...cardOf(phoneCard, farExpiry), source: 'card_app_pay' };

/** The card in the buyer's bank application, shown without product and issuer. */
export const cardInBankApp: Card = {
  ...cardOf(phoneCard, farExpiry),
  product: null,
  issuerCountry: null,
  issuerName: null,
};

function testCardBehind({ first6, last4 }: Pick<Card, 'first6' | 'last4'>): TestCard | undefined {
  // No two have the same first six and last four digits.
  return testCards.find(({ number }) => number.startsWith(first6) && number.endsWith(last4));
}

/** Its bank requires 3-D Secure even if the merchant does not. */
export function asks3ds(card: Card): boolean {
  return testCardBehind(card)?.asks3ds ?? false;
}

/** The reason that a payment by it fails with; null: it succeeds. */
export function failureOf(card: Card): string | null {
  return testCardBehind(card)?.failure ?? null;
}

const failureReasons: readonly string[] = testCards.flatMap(({ failure }) => failure ?? []);

/** Every reason that a payment can fail with, whatever it is paid by; the last two belong to methods of the public service. */
export function declineReasons({ isPublic }: WireNames): readonly string[] {
  return isPublic ? [...failureReasons, 'unsupported_mobile_operator', 'loan_declined'] : failureReasons;
}
