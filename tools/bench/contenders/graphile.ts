/** graphile-worker: takes a job, does it, deletes it in a statement of its own. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Pool } from 'pg';
import { epochMs } from '../stage/call.js';
import { perSecond } from './at-once.js';
import { requireNewestRival, requireRival } from './rivals.js';
import { INSERT_EFFECT } from './statements.js';

interface Helpers {
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

interface Runner {
  stop(): Promise<void>;
}

interface RunnerOptions {
  readonly pgPool: Pool;
  readonly concurrency: number;
  readonly noHandleSignals: true;
  readonly events: EventEmitter;
  readonly logger: unknown;
  readonly taskList: Readonly<
    Record<string, (payload: { paymentId: string }, helpers: Helpers) => Promise<void>>
  >;
  readonly preset?: object;
}

/** The part of the package that is used. */
interface Package {
  run(options: RunnerOptions): Promise<Runner>;
  runMigrations(options: { pgPool: Pool; logger: unknown }): Promise<void>;
  readonly Logger: new (factory: () => () => void) => unknown;
}

const TASK = 'bench';

export type Graphile = Awaited<ReturnType<typeof open>>;

export interface GraphileSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly batched?: boolean;
  readonly newest?: boolean;
}

export async function open(settings: GraphileSettings) {
  const pool = new Pool({ connectionString: settings.databaseUrl, max: settings.poolSize });
  // It requires both.
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  const worker: Package = (settings.newest ? requireNewestRival : requireRival)('graphile-worker');
  const logger = new worker.Logger(() => () => undefined);
  await worker.runMigrations({ pgPool: pool, logger });

  return {
    /** From the first job's start to the last one's completion. */
    async jobs({ count, workers }: { count: number; workers: number }) {
      await pool.query(
        `SELECT graphile_worker.add_jobs(array_agg(json_populate_record(NULL::graphile_worker.job_spec,
           json_build_object('identifier', $1::text, 'payload', json_build_object('paymentId', id)))))
         FROM unnest($2::text[]) id`,
        [TASK, Array.from({ length: count }, () => randomUUID())],
      );
      const events = new EventEmitter();
      let startedAt = Infinity;
      let completed = 0;
      const done = new Promise<void>((resolve) => {
        events.on('job:complete', () => {
          completed += 1;
          if (completed === count) resolve();
        });
      });
      const runner = await worker.run({
        pgPool: pool,
        concurrency: workers,
        noHandleSignals: true,
        events,
        logger,
        taskList: {
          [TASK]: async ({ paymentId }, helpers) => {
            startedAt = Math.min(startedAt, epochMs());
            await helpers.query(INSERT_EFFECT, ['first', paymentId]);
          },
        },
        ...(settings.batched && {
          preset: {
            worker: {
              concurrentJobs: workers,
              localQueue: { size: 100 },
              completeJobBatchDelay: 0,
              failJobBatchDelay: 0,
            },
          },
        }),
      });
      await done;
      const ms = epochMs() - startedAt;
      await runner.stop();
      return { perSecond: perSecond(count, ms) };
    },
  };
}

function ignore(): void {}
