import type { ClientBase } from 'pg';
import type { Sent } from './recorder.js';

/** Tables that grow with every payment: none of them may be read from one end to the other. */
const LARGE = new Set([
  'payments_orders',
  'payments_payments',
  'payments_due',
  'payments_operations',
  'payments_refunds',
  'payments_events',
  'payments_deliveries',
  'payments_notifications',
]);

/** A node of what EXPLAIN (FORMAT JSON) answers. */
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
  /** Large tables that are read from one end to the other. */
  readonly scanned: readonly string[];
  /** Rows of large tables that were looked at, those that a filter threw away too; null where it was planned only. */
  readonly rows: number | null;
  /** Pages that were looked at, those of indexes too. */
  readonly pages: number | null;
  /** The plan, for whoever has to understand it. */
  readonly plan: string;
}

/** Runs the statement on the open transaction and undoes it. One that fails (its row is there already) is planned only. */
export async function costOf(client: ClientBase, sent: Sent): Promise<Cost> {
  const analyzed = await attempt(client, 'ANALYZE, BUFFERS, TIMING OFF, ', sent);
  const plan = analyzed ?? (await attempt(client, '', sent));
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
    plan: nodes.map(told).join('\n'),
  };
}

async function attempt(
  client: ClientBase,
  how: string,
  { sql, parameters, settings }: Sent,
): Promise<Node | null> {
  await client.query('SAVEPOINT explained');
  if (settings !== '') await client.query(settings);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: Node }[] }>(
      `EXPLAIN (${how}FORMAT JSON) ${sql}`,
      [...parameters],
    );
    return rows[0]?.['QUERY PLAN'][0]?.Plan ?? null;
  } catch {
    return null;
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT explained');
  }
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

function told(node: Node): string {
  const { 'Node Type': type, 'Relation Name': table = '' } = node;
  return `${type} ${table} ${rowsOf(node)} rows`;
}
