/** pg-boss: fetches jobs, does each, marks it complete in a statement of its own. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { perSecond, timed } from './at-once.js';
import { requireNewestRival, requireRival } from './rivals.js';
import { INSERT_EFFECT } from './statements.js';

interface Job {
  readonly id: string;
  readonly data: { readonly paymentId: string };
}

interface NewJob {
  readonly name: string;
  readonly data: object;
}

/** By name and jobs since version 11, before that by jobs only. */
type InsertedJobs = readonly [jobs: readonly NewJob[]] | readonly [queue: string, jobs: readonly NewJob[]];

/** The part of the package that is used. */
interface Boss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  insert(...jobs: InsertedJobs): Promise<unknown>;
  fetch(queue: string, options: { batchSize: number }): Promise<readonly Job[]>;
  complete(queue: string, id: string | readonly string[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

type BossClass = new (options: {
  db: { executeSql(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
}) => Boss;

const QUEUE = 'bench';

export type PgBoss = Awaited<ReturnType<typeof open>>;

export interface PgBossSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly newest?: boolean;
}

function bossClass(newest: boolean): BossClass {
  if (!newest) return requireRival('pg-boss');
  const { PgBoss: Boss }: { PgBoss: BossClass } = requireNewestRival('pg-boss');
  return Boss;
}

export async function open({ databaseUrl, poolSize, newest = false }: PgBossSettings) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const Boss = bossClass(newest);
  const boss = new Boss({ db: { executeSql: (sql, values) => pool.query(sql, values) } });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);

  return {
    async jobs({ count, workers, batch }: { count: number; workers: number; batch: number }) {
      const jobs = Array.from({ length: count }, () => ({ name: QUEUE, data: { paymentId: randomUUID() } }));
      for (let from = 0; from < count; from += 500) {
        const some = jobs.slice(from, from + 500);
        await (newest ? boss.insert(QUEUE, some) : boss.insert(some));
      }
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
