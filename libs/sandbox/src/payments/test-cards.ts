import type { Card } from './payment.js';

/** A card the demo store takes, with what comes of paying by it. */
export interface TestCard {
  readonly number: string;
  readonly cardType: string;
  /** null: the payment succeeds; otherwise the reason it fails with. */
  readonly failure: string | null;
}

/** Shown on the payment page. Any other number is refused, so that no real card ever arrives. */
export const testCards: readonly [TestCard, ...TestCard[]] = [
  { number: '5555555555554477', cardType: 'MasterCard', failure: null },
  { number: '4111111111111111', cardType: 'Visa', failure: null },
  { number: '2200000000000004', cardType: 'Mir', failure: null },
  { number: '5555555555554626', cardType: 'MasterCard', failure: 'insufficient_funds' },
  { number: '5555555555554600', cardType: 'MasterCard', failure: 'general_decline' },
  { number: '5555555555554535', cardType: 'MasterCard', failure: 'call_issuer' },
  { number: '5555555555554543', cardType: 'MasterCard', failure: 'card_expired' },
  { number: '5555555555554527', cardType: 'MasterCard', failure: 'fraud_suspected' },
];

/** What may be kept of a test card. */
export function cardOf(
  { number, cardType }: TestCard,
  expiry: Pick<Card, 'expiryMonth' | 'expiryYear'>,
): Card {
  return { first6: number.slice(0, 6), last4: number.slice(-4), cardType, ...expiry };
}
