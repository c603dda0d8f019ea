import { valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import type { NamedItem } from './left-of.js';
import { itemTotalMinor } from './receipt-sums.js';

type Items = readonly NamedItem[];

/** What receipts name, by description: that is how a buyer and a register tell goods apart. */
export interface NamedGoods {
  /** Of what was held or paid. */
  readonly named: Items;
  /** Of what was paid: less, where a part was captured. */
  readonly sold: Items;
  /** Of what refunds give back, those on their way included. */
  readonly returned: Items;
}

/**
 * Two desks that refund at once may each have made their receipt before the other's refund: the money may suffice for both, and
 * the goods not; and what was not captured cannot come back. What the payment's receipts do not name is not checked.
 * @throws PaymentInputError
 */
export function mustBeLeft(receipt: { readonly items: Items }, { named, sold, returned }: NamedGoods): void {
  const known = new Set(named.map(({ description }) => description));
  const [paid, back, asked] = [sold, returned, receipt.items].map(sumsOf);
  for (const [index, { description }] of receipt.items.entries()) {
    if (!known.has(description)) continue;
    const leftMinor = Math.max(0, (paid?.get(description) ?? 0) - (back?.get(description) ?? 0));
    if ((asked?.get(description) ?? 0) <= leftMinor) continue;
    throw new PaymentInputError(
      `receipt.items[${index}]`,
      `gives back more than is left of “${description}”, ${valueFromMinor(leftMinor)}: pass receiptOf in place of receipt, and the module takes what earlier refunds gave back into account`,
    );
  }
}

function sumsOf(items: Items): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const item of items)
    sums.set(item.description, (sums.get(item.description) ?? 0) + itemTotalMinor(item));
  return sums;
}
