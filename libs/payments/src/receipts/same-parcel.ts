import { thousandthsOf } from './left-of.js';
import type { SaidItem } from './receipt-from-wire.js';
import type { SettledItem } from './settlement.input.js';

/** Whether a receipt that was recorded is of these goods; where none are named, of all that was left. */
export function isSameParcel(asked: readonly SettledItem[], said: readonly SaidItem[]): boolean {
  if (asked.length === 0) return true;
  const [wanted, sent] = [quantitiesOf(asked), quantitiesOf(said)];
  const isEach = [...wanted].every(([name, thousandths]) =>
    thousandths === null ? sent.has(name) : sent.get(name) === thousandths,
  );
  return isEach && wanted.size === sent.size && codesOf(asked) === codesOf(said);
}

interface Piece {
  readonly description: string;
  readonly quantity?: number | string;
  readonly markCodeInfo?: unknown;
}

/** By description; null: all that was left of it. */
function quantitiesOf(items: readonly Piece[]): ReadonlyMap<string, number | null> {
  const sums = new Map<string, number | null>();
  for (const { description, markCodeInfo, quantity = markCodeInfo ? 1 : undefined } of items) {
    const sum = sums.get(description);
    const isAll = sum === null || quantity === undefined;
    sums.set(description, isAll ? null : (sum ?? 0) + thousandthsOf({ quantity }));
  }
  return sums;
}

function codesOf(items: readonly Piece[]): string {
  return items
    .map(({ markCodeInfo }) => JSON.stringify(markCodeInfo) ?? '')
    .filter((code) => code !== '')
    .toSorted()
    .join();
}
