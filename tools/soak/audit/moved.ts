import { parseAmount } from '@holdfast/payments/client';
import type { LedgerEntry } from '@holdfast/sandbox';
import { sum } from './finding.js';

/** What the entries of one kind are together. */
export function movedMinor(entries: readonly LedgerEntry[], kind: LedgerEntry['kind']): number {
  return sum(
    entries.filter((entry) => entry.kind === kind),
    ({ amount: value }) => parseAmount({ value, currency: 'RUB' }),
  );
}
