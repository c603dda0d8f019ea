import type { Fields } from '../common/fields.js';
import { digest } from '../common/secrets.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import { cardOf, defaultCard, testCards } from '../methods/test-cards.js';
import type { Store } from '../stores/store.js';
import { text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { declineIn } from './decline-word.js';

const LONGEST = 10_240;

/** A card that the buyer typed into a form of the service, on a page or in an app of the shop. */
export interface TypedCard {
  readonly method: PaymentMethod;
  /** The reason it fails with; null: it succeeds. */
  readonly decline: string | null;
  /** How the sandbox knows it again: it pays once. */
  readonly tokenDigest: string;
}

/** Reads `payment_token`, of the public service alone; null: there is none. `wasUsed`: knows a digest. */
export function parsePaymentToken(
  given: Fields,
  { names }: Store,
  wasUsed: (tokenDigest: string) => boolean,
): TypedCard | null {
  const parameter = 'payment_token';
  if (!names.isPublic || given[parameter] === undefined) return null;
  const token = text(given[parameter], LONGEST, parameter);
  // Assumed: the errors.
  const other = ['payment_method_id', 'payment_method_data'].find((field) => given[field] !== undefined);
  if (other !== undefined) throw invalidRequest('Goes without payment_token', other);
  const tokenDigest = digest(token);
  if (wasUsed(tokenDigest)) throw invalidRequest('This token was used before', parameter);
  const decline = declineIn(token);
  return { method: { type: 'bank_card', card: cardThatFails(decline), details: {} }, decline, tokenDigest };
}

function cardThatFails(reason: string | null): PaymentMethod['card'] {
  const card = reason === null ? undefined : testCards.find(({ failure }) => failure === reason);
  return card ? cardOf(card, defaultCard) : defaultCard;
}
