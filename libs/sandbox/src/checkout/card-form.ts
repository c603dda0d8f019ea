import { isCardNumber } from '../common/card-numbers.js';
import type { Card } from '../methods/payment-method.js';
import { cardOf, hasExpired, testCardWith, type Expiry } from '../methods/test-cards.js';

export type CardField = 'number' | 'expiry' | 'csc';
export type CardErrors = Partial<Record<CardField, string>>;

/** A card as the buyer typed it; lives no longer than the request. */
type CardInput = Readonly<Record<CardField, string>>;

type CardCheck =
  { readonly errors: CardErrors; readonly card: null } | { readonly errors: null; readonly card: Card };

/** Checks what the buyer typed and keeps only what may be kept. */
export function checkCard(input: CardInput, now: Date): CardCheck {
  const number = input.number.replace(/[\s-]/g, '');
  const testCard = testCardWith(number);
  const expiry = parseExpiry(input.expiry);
  const errors: CardErrors = {
    ...(!testCard && { number: numberError(number) }),
    ...(expiry
      ? hasExpired(expiry, now) && { expiry: 'This date has passed.' }
      : { expiry: 'Type it as MM/YY.' }),
    ...(!/^\d{3,4}$/.test(input.csc.trim()) && { csc: 'Three or four digits.' }),
  };
  if (!testCard || !expiry || Object.keys(errors).length > 0) return { errors, card: null };
  return { errors: null, card: cardOf(testCard, expiry) };
}

function numberError(number: string): string {
  if (number === '') return 'Type the card number.';
  if (!isCardNumber(number)) return 'This is not a card number: check the digits.';
  return 'Only the test cards listed below are accepted here.';
}

function parseExpiry(text: string): Expiry | null {
  const match = /^(0[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/.exec(text.trim());
  return match?.[1] && match[2] ? { expiryMonth: match[1], expiryYear: `20${match[2]}` } : null;
}
