import { DATABASE_NOW, plusMs } from '../common/clock.js';

/**
 * A lease is the right to work on a row. It ends by itself, in the database's own time, so that nobody's work is lost with the
 * process that had it.
 */

/**
 * SQL condition: all of these times are over, or were never set; of a lease: nobody has it. As COALESCE, so that no statistics of
 * how many are leased choose the plan.
 */
export function isOver(...columns: readonly [string, ...string[]]): string {
  const last = columns.length === 1 ? columns[0] : `GREATEST(${columns.join(', ')})`;
  return `COALESCE(${last} <= ${DATABASE_NOW}, true)`;
}

/** SQL of the end of a lease that begins now. */
export function leaseEnd(lastsMs: number): string {
  return plusMs(DATABASE_NOW, lastsMs);
}
