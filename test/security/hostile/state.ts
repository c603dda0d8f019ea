import { isDeepStrictEqual } from 'node:util';
import type { Bench } from '../../support/payments-host.js';

/** Columns that a re-read without news may write: its own book-keeping. */
const BOOK_KEEPING: Record<string, readonly string[]> = {
  payments: ['updated_at'],
  orders: ['version', 'updated_at'],
  refunds: [],
  events: [],
  operations: [],
  deliveries: [],
};

type State = Record<string, Record<string, unknown>[]>;

/** The table that notifications fill. */
const FILLED = 'notifications';

/** Everything that the books contain, row by row. */
export async function loadState(bench: Bench): Promise<State> {
  const state: State = {};
  for (const [table, left] of Object.entries(BOOK_KEEPING)) {
    const rows = await bench.asOwner<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - $1::text[] AS row FROM payments_${table} t ORDER BY to_jsonb(t)::text`,
      [left],
    );
    state[table] = rows.map(({ row }) => row);
  }
  return state;
}

/** The differences, as tables with their columns. */
export function changes(before: State, after: State): string[] {
  const changed = Object.entries(before).flatMap(([table, rows]) => {
    const rowsAfter = after[table] ?? [];
    if (rowsAfter.length !== rows.length) return [`rows of ${table}`];
    return rows.flatMap((row, index) =>
      Object.keys(row)
        .filter((column) => !isDeepStrictEqual(row[column], rowsAfter[index]?.[column]))
        .map((column) => `${table}.${column}`),
    );
  });
  return [...new Set(changed)];
}

/** Rows of every table of the module. */
export async function countRows(bench: Bench): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [...Object.keys(BOOK_KEEPING), FILLED]) {
    const [row] = await bench.asOwner<{ count: number }>(
      `SELECT count(*)::int AS count FROM payments_${table}`,
    );
    counts[table] = row?.count ?? NaN;
  }
  return counts;
}
