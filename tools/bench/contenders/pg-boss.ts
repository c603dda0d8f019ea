/** pg-boss: fetches jobs, does each, marks it complete in a statement of its own. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

import { requireRival } from './rivals.js';
import { perSecond, timed } from './at-once.js';
import { INSERT_EFFECT } from './statements.js';

interface Job {
  readonly id: string;
  readonly data: { readonly paymentId: string };
}

/** What is used of the package. */
interface Boss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  insert(jobs: readonly { name: string; data: object }[]): Promise<unknown>;
  fetch(queue: string, options: { batchSize: number }): Promise<readonly Job[]>;
  complete(queue: string, id: string | readonly string[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

type Package = new (options: {
  db: { executeSql(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
}) => Boss;

const QUEUE = 'bench';

export type PgBoss = Awaited<ReturnType<typeof open>>;

export async function open({ databaseUrl, poolSize }: { databaseUrl: string; poolSize: number }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const Boss: Package = requireRival('pg-boss');
  const boss = new Boss({ db: { executeSql: (sql, values) => pool.query(sql, values) } });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);

  return {
    async jobs({ count, workers, batch }: { count: number; workers: number; batch: number }) {
      const jobs = Array.from({ length: count }, () => ({ name: QUEUE, data: { paymentId: randomUUID() } }));
      for (let from = 0; from < count; from += 500) await boss.insert(jobs.slice(from, from + 500));
      let left = count;
      const work = async (): Promise<void> => {
        while (left > 0) {
          const taken = await boss.fetch(QUEUE, { batchSize: batch });
          if (taken.length === 0) return;
          left -= taken.length;
          for (const { data } of taken) await pool.query(INSERT_EFFECT, ['first', data.paymentId]);
          await boss.complete(
            QUEUE,
            taken.map(({ id }) => id),
          );
        }
      };
      const ms = await timed(() => Promise.all(Array.from({ length: workers }, work)));
      if (left > 0) throw new Error(`pg-boss left ${left} jobs undone.`);
      return { perSecond: perSecond(count, ms) };
    },
  };
}
