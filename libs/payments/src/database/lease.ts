import { DATABASE_NOW, plusMs } from '../common/clock.js';

/**
 * A lease is the right to work on a row. It ends by itself, in the database's own time, so that no work is lost with its process.
 */

/**
 * SQL condition: all of these times are over, or were never set; of a lease: nobody has it. As COALESCE, so that the plan does
 * not depend on statistics of how many rows are leased.
 */
export function isOver(...columns: readonly [string, ...string[]]): string {
  const last = columns.length === 1 ? columns[0] : `GREATEST(${columns.join(', ')})`;
  return `COALESCE(${last} <= ${DATABASE_NOW}, true)`;
}

/** SQL of the end of a lease that begins now. */
export function leaseEnd(lastsMs: number): string {
  return plusMs(DATABASE_NOW, lastsMs);
}
