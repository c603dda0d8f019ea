/**
 * What a step touches, by table. All actors of a schedule work on the same payment, so two that touch the same table touch the
 * same rows. The store's rate limit and alarm are left out. Others see what a transaction writes when it commits; it is locked from
 * the statement on.
 */
export interface Footprint {
  readonly reads: readonly string[];
  readonly locks: readonly string[];
  /** What others see changed from now on. */
  readonly publishes: readonly string[];
}

export const NOTHING: Footprint = { reads: [], locks: [], publishes: [] };

/** The other side of every request. */
const SERVICE = 'service';

export const asksService: Footprint = { ...NOTHING, reads: [SERVICE] };
export const changesService: Footprint = { reads: [SERVICE], locks: [SERVICE], publishes: [SERVICE] };

/** What effects are done to. */
export const changesOutside: Footprint = { reads: [], locks: ['outside'], publishes: ['outside'] };

const TABLE = /\b(payments_(?!store)[a-z_]+|effects)\b/g;
const WRITTEN = /\b(?:UPDATE|INSERT INTO|DELETE FROM) "?(payments_(?!store)[a-z_]+|effects)\b/g;
const LOCKING = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/;

/** The footprint of a statement as it is sent; in a transaction it publishes nothing yet. */
export function footprintOf(sql: string, { inTransaction }: { readonly inTransaction: boolean }): Footprint {
  const text = sql.replaceAll(/"public"\./g, '');
  const reads = found(text, TABLE);
  const written = found(text, WRITTEN);
  const locks = written.length === 0 && LOCKING.test(text) ? reads : written;
  return { reads, locks, publishes: inTransaction ? [] : written };
}

/** What this statement writes. */
export function writtenBy(sql: string): string[] {
  return found(sql.replaceAll(/"public"\./g, ''), WRITTEN);
}

/** Whether the two have the same result in either order. */
export function commute(one: Footprint, other: Footprint): boolean {
  return !disturbs(one, other) && !disturbs(other, one) && !meet(one.locks, other.locks);
}

export function isNothing({ reads, locks, publishes }: Footprint): boolean {
  return reads.length + locks.length + publishes.length === 0;
}

function disturbs(one: Footprint, other: Footprint): boolean {
  return meet(one.publishes, other.reads) || meet(one.publishes, other.locks);
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  return one.some((table) => other.includes(table));
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, table = '']) => table))];
}
