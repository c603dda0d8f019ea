import type { ClientBase } from 'pg';
import type { Sent } from './recorder.js';

/** Tables that grow with every payment: none of them may be scanned completely. */
const LARGE = new Set([
  'payments_orders',
  'payments_payments',
  'payments_due',
  'payments_operations',
  'payments_refunds',
  'payments_receipts',
  'payments_receipt_problems',
  'payments_incidents',
  'payments_events',
  'payments_deliveries',
  'payments_notifications',
  'payments_audits',
]);

/** A node of the output of EXPLAIN (FORMAT JSON). */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

/** What a statement costs on a large database. */
export interface Cost {
  /** Large tables that are scanned completely. */
  readonly scanned: readonly string[];
  /** Rows of large tables that were looked at, including those that a filter discarded; null if it was only planned. */
  readonly rows: number | null;
  /** Pages that were looked at, including those of indexes. */
  readonly pages: number | null;
  /** The plan, for whoever has to understand it. */
  readonly plan: string;
}

/** How a statement is planned: for its parameters, or for any, as a connection does that keeps the plan of a named statement. */
type PlannedFor = 'these' | 'any';

/**
 * Runs the statement in the open transaction and rolls it back. One that fails (because its row exists already) is only planned.
 */
export async function costOf(client: ClientBase, sent: Sent, plannedFor: PlannedFor): Promise<Cost> {
  const analyzed = await attempt(client, 'ANALYZE, BUFFERS, TIMING OFF, ', sent, plannedFor);
  const plan = analyzed ?? (await attempt(client, '', sent, plannedFor));
  if (plan === null) throw new Error(`It cannot be planned: ${sent.sql}`);
  const nodes = flat(plan);
  const reads = nodes.filter(
    (node) => LARGE.has(node['Relation Name'] ?? '') && node['Node Type'].endsWith('Scan'),
  );
  const scanned = reads
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '');
  return {
    scanned: [...new Set(scanned)],
    rows: analyzed && reads.reduce((sum, node) => sum + rowsOf(node), 0),
    pages: analyzed && (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    plan: [`Planned for ${plannedFor} parameters:`, ...nodes.map(lineOf)].join('\n'),
  };
}

interface Explained {
  readonly 'QUERY PLAN': readonly { Plan: Node }[];
}

async function attempt(
  client: ClientBase,
  how: string,
  { sql, parameters, settings }: Sent,
  plannedFor: PlannedFor,
): Promise<Node | null> {
  await client.query('SAVEPOINT explained');
  try {
    if (settings !== '') await client.query(settings);
    const explain = `EXPLAIN (${how}FORMAT JSON)`;
    const { rows } =
      plannedFor === 'these'
        ? await client.query<Explained>(`${explain} ${sql}`, [...parameters])
        : await client.query<Explained>(`${explain} ${await kept(client, sql, parameters)}`);
    return rows[0]?.['QUERY PLAN'][0]?.Plan ?? null;
  } catch {
    return null;
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT explained');
    // A prepared statement belongs to no transaction, so it outlives the savepoint.
    await client.query('DEALLOCATE ALL');
  }
}

/** Prepares the statement; returns the one that executes it with these parameters. */
async function kept(client: ClientBase, sql: string, parameters: readonly unknown[]): Promise<string> {
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE kept AS ${sql}`);
  if (parameters.length === 0) return 'EXECUTE kept';
  const quoted = parameters.map((_, index) => `quote_nullable($${index + 1}::text)`).join(', ');
  const { rows } = await client.query<{ given: string[] }>(`SELECT ARRAY[${quoted}] AS given`, [
    ...parameters,
  ]);
  return `EXECUTE kept (${rows[0]?.given.join(', ')})`;
}

function flat(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}

function rowsOf(node: Node): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * (node['Actual Loops'] ?? 0));
}

function lineOf(node: Node): string {
  const { 'Node Type': type, 'Relation Name': table = '' } = node;
  return `${type} ${table} ${rowsOf(node)} rows`;
}
