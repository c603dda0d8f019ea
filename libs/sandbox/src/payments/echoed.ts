import type { Fields } from '../common/fields.js';
import { optionalText } from '../wire/body.js';

/** What a creation request says and each answer repeats, and nothing else goes by. */
export interface Echoed {
  readonly merchant_customer_id?: string;
}

export function parseEchoed(given: Fields): Echoed {
  const customer = optionalText(given['merchant_customer_id'], 200, 'merchant_customer_id');
  return { ...(customer !== null && { merchant_customer_id: customer }) };
}
