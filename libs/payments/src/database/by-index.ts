import type { EntityManager } from 'typeorm';

/** What PostgreSQL may do in place of reading an index, and of reading it in its order. */
const INSTEAD_OF_INDEX = ['enable_seqscan', 'enable_bitmapscan'] as const;
const INSTEAD_OF_ORDER = [...INSTEAD_OF_INDEX, 'enable_sort', 'enable_incremental_sort'] as const;

/** SQL. */
const setLocal = (settings: readonly string[], to: 'off' | 'DEFAULT') =>
  settings.map((name) => `SET LOCAL ${name} TO ${to}`).join('; ');

/**
 * For the rest of the transaction every table is read through an index, in its order, until a LIMIT is reached. Without
 * statistics, as after an import, PostgreSQL assumes that a store is one of two hundred, and would collect and sort all its rows.
 */
export async function useIndexes(manager: EntityManager): Promise<void> {
  await manager.query(setLocal(INSTEAD_OF_INDEX, 'off'));
}

/**
 * Likewise, and no rows are sorted that an index has in their order: without statistics PostgreSQL may find a part of another index
 * small enough to sort, and it is all of a status.
 */
export async function useIndexOrder(manager: EntityManager): Promise<void> {
  await manager.query(setLocal(INSTEAD_OF_ORDER, 'off'));
}

/** Reads likewise in a transaction that goes on by other plans. */
export async function readInIndexOrder<T>(manager: EntityManager, read: () => Promise<T>): Promise<T> {
  await useIndexOrder(manager);
  const result = await read();
  await manager.query(setLocal(INSTEAD_OF_ORDER, 'DEFAULT'));
  return result;
}

/** A part of an index that ends in a time: the values of its other columns (SQL), in its order. */
interface IndexPart {
  /** Alias of the table. */
  readonly of: string;
  readonly where: Readonly<Record<string, string>>;
  readonly time: string;
}

/**
 * SQL of the condition and the order that read such a part from its head up to a time, until a LIMIT is reached, whatever the
 * statistics say: PostgreSQL guesses a comparison of whole rows at a ninth of the table, while `store_id = … AND ready_at <= …`
 * is guessed at a handful of rows if nobody has analyzed them, and those would be collected and sorted, all of them.
 */
export function headOf({ upTo, ...part }: IndexPart & { readonly upTo: string }): string {
  const { row, columns, at } = rowsOf(part);
  return `${row} >= ${at(`'-infinity'::timestamptz`)} AND ${row} <= ${at(upTo)} ORDER BY ${columns.join(', ')}`;
}

/** Likewise from its end down to a time, the latest first. */
export function tailOf({ after, ...part }: IndexPart & { readonly after: string }): string {
  const { row, columns, at } = rowsOf(part);
  const latestFirst = columns.map((column) => `${column} DESC`).join(', ');
  return `${row} > ${at(after)} AND ${row} <= ${at(`'infinity'::timestamptz`)} ORDER BY ${latestFirst}`;
}

function rowsOf({ of, where, time }: IndexPart): {
  row: string;
  columns: readonly string[];
  at: (time: string) => string;
} {
  const columns = [...Object.keys(where), time].map((column) => `${of}.${column}`);
  const at = (moment: string) => `(${[...Object.values(where), moment].join(', ')})`;
  return { row: `(${columns.join(', ')})`, columns, at };
}

/**
 * SQL of the rows of lists that are parameters, side by side: `lists('$1::uuid[]', '$2::int[]')`. As subqueries, so that the
 * planner assumes ten items for every list: one that it saw to be shorter would make it plan the statement again each time.
 */
export function lists(...parameters: readonly string[]): string {
  return `unnest(${parameters.map((parameter) => `(SELECT ${parameter})`).join(', ')})`;
}
