import type { OrderState } from '@holdfast/payments';
import type { Client } from 'pg';

/** How many rows are in each state, by `table.column = value`. */
export type States = ReadonlyMap<string, number>;

const orderStates: Readonly<Record<OrderState, true>> = {
  unpaid: true,
  authorized: true,
  paid: true,
  partially_refunded: true,
  refunded: true,
  overpaid: true,
};

/** States that no check of the tables lists: each a condition on the row. */
const conditions: readonly (readonly [table: string, state: string, condition: string])[] = [
  ...Object.keys(orderStates).map((state) => ['orders', `state = ${state}`, `state = '${state}'`] as const),
  ['operations', 'outcome = null', 'outcome IS NULL'],
  ['operations', 'being sent', 'lease_until > clock_timestamp()'],
  ['due', 'being re-read', 'lease_until > clock_timestamp()'],
  ['deliveries', 'done', 'done_at IS NOT NULL'],
  ['deliveries', 'never run', 'done_at IS NULL AND parked_at IS NULL AND attempts = 0'],
  ['deliveries', 'failed', `done_at IS NULL AND parked_at IS NULL AND attempts > 0 AND lease_until IS NULL`],
  ['deliveries', 'running', 'done_at IS NULL AND lease_until > clock_timestamp()'],
  ['deliveries', 'behind another', `done_at IS NULL AND next_attempt_at = 'infinity'`],
  ['deliveries', 'parked', 'parked_at IS NOT NULL'],
  ['deliveries', 'an effect that is done', `done_at IS NOT NULL AND sequence LIKE 'effect %'`],
  ['notifications', 'handled', 'handled_count = count'],
  ['notifications', 'waiting', 'waiting_since IS NOT NULL'],
  ['notifications', 'foreign', 'foreign_at IS NOT NULL'],
  ['receipt_problems', 'open', 'is_open'],
  ['receipt_problems', 'resolved', 'resolution IS NOT NULL'],
  ['recoveries', 'open', 'done_at IS NULL'],
  ['recoveries', 'done', 'done_at IS NOT NULL'],
];

/** Every state that a check of a table lists, or a condition of ours, with its rows. */
export async function rowsByState(sql: Client): Promise<States> {
  const { rows: checks } = await sql.query<{ table: string; check: string }>(
    `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS check
     FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  const listed = checks.flatMap(({ table, check }) =>
    [...check.matchAll(/\((\w+) = ANY \(ARRAY\[([^\]]+)\]/g)].flatMap(([, column = '', values = '']) =>
      [...values.matchAll(/'([\w.]+)'/g)].map(
        ([, value = '']) => [table, `${column} = ${value}`, `${column} = '${value}'`] as const,
      ),
    ),
  );
  const all = [
    ...listed,
    ...conditions.map(([table, state, condition]) => [`payments_${table}`, state, condition] as const),
  ];
  const counts = all.map(
    ([table, , condition], index) => `(SELECT count(*)::int FROM ${table} WHERE ${condition}) AS "${index}"`,
  );
  const { rows } = await sql.query<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return new Map(all.map(([table, state], index) => [`${table}: ${state}`, rows[0]?.[index] ?? 0]));
}
