import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';

export interface TableState {
  readonly name: string;
  /** With its indexes, in bytes. */
  readonly size: number;
  readonly dead: number;
}

/** Every table of the module, by name. */
export async function tableStates(client: Client): Promise<readonly TableState[]> {
  const { rows } = await client.query<TableState>(
    `SELECT relname AS name, pg_total_relation_size(relid)::float AS size, n_dead_tup::float AS dead
     FROM pg_stat_user_tables WHERE relname LIKE 'payments\\_%' ORDER BY relname`,
  );
  return rows;
}

/** What PostgreSQL's processes have for themselves, without what they share, in bytes; NaN where the system does not tell. */
export async function serverMemory(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  const sizes = await Promise.all(
    rows.map(async ({ pid }) => {
      // One may have ended meanwhile.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
    }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total === 0 ? Number.NaN : total;
}
