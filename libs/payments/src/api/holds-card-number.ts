import { isCardNumber, withoutCardNumbers } from './without-card-numbers.js';

const UUID = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi;

/** Up to three characters that are neither letters nor digits. */
const GAP = String.raw`[^\p{L}\p{N}]{0,3}`;
/** No network's numbers begin with 0, 1, 20 or 21; years do. */
const FIRST = String.raw`(?:2[2-7]|[3-9]\d)\d\d`;
/** Sixteen digits, or American Express's fifteen, in groups as on a card. Groups of one match may begin the next. */
const AS_ON_A_CARD = new RegExp(
  String.raw`(?<!\d)(?=(${FIRST}(?:${GAP}\d{4}){3}|${FIRST}${GAP}\d{6}${GAP}\d{5})(?!\d))`,
  'gu',
);

/**
 * Whether a text that is about to be stored holds a card number, as {@link withoutCardNumbers} finds it, or in groups as on a card
 * with whatever stands between them, also in digits of full width or with characters that are not seen.
 */
export function holdsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (withoutCardNumbers(plain) !== plain) return true;
  const numbers = Array.from(plain.replace(UUID, 'id').matchAll(AS_ON_A_CARD), ([, found = '']) => found);
  return numbers.some((found) => isCardNumber(found.replace(/\D/g, '')));
}
