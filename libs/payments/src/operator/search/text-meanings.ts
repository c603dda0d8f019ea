import { minorFromValue } from '../../common/money.js';
import { isUuid } from '../../common/uuid.js';

/** What a text in a search box can mean; null: it can not mean that. */
export interface TextMeanings {
  /** An order's reference, or the service's id of a payment or refund: any text can be one. */
  readonly name: string;
  /** Our own id of a payment or refund. */
  readonly id: string | null;
  /** The last four digits of a card. */
  readonly cardLast4: string | null;
  /** What a payment was created for. */
  readonly amountMinor: number | null;
}

/**
 * `4444` and `*4444` are four digits of a card, `1 234,50 ₽`, `1234.5` and `1234` an amount; `4444` is both, and may be an order's
 * reference too.
 */
export function meaningsOf(text: string): TextMeanings {
  const name = text.trim();
  return {
    name,
    id: isUuid(name) ? name : null,
    cardLast4: /^[*•]*\s*(\d{4})$/.exec(name)?.[1] ?? null,
    amountMinor: amountOf(name),
  };
}

/** As people write an amount in roubles: with spaces of any width, a comma or a point, and perhaps its sign. */
function amountOf(text: string): number | null {
  const match = /^(\d[\d\s]*)(?:[.,](\d{1,2}))?\s*(?:₽|RUB)?$/u.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return minorFromValue(`${whole.replaceAll(/\s/g, '')}.${fraction.padEnd(2, '0')}`);
}
