import { Inject, Injectable } from '@nestjs/common';
import {
  QueryFailedError,
  type DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
} from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PAYMENTS_DATA_SOURCE,
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../payments.module-definition.js';
import { businessNow } from '../clock.js';
import { PaymentInputError } from '../payments.errors.js';
import { dataSourceOf } from './data-source-of.js';
import { quoted } from './quoted.js';

/** Our own transactions are a handful of short statements: after ten seconds something is wrong with the connection. */
const TRANSACTION_DEADLINE_MS = 10_000;
/** serialization_failure and deadlock_detected: the transaction did nothing, and may simply run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const RETRIES = 5;

/** A transaction did not end in time. Its connection was closed, so PostgreSQL rolls it back. */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';

  constructor(deadlineMs: number) {
    super(`The database transaction did not finish within ${deadlineMs} ms and was abandoned.`);
  }
}

/** The module's one way to the database: deadlines, retries of harmless conflicts, table names, business time. */
@Injectable()
export class Database {
  constructor(
    @Inject(PAYMENTS_DATA_SOURCE) readonly dataSource: DataSource,
    @Inject(RESOLVED_OPTIONS) private readonly options: Pick<ResolvedPaymentsOptions, 'clock'>,
  ) {}

  /** SQL of business time. */
  get now(): string {
    return businessNow(this.options.clock);
  }

  /** Connections the host's pool may open. pg's own default is 10. */
  get poolSize(): number {
    const { options } = this.dataSource;
    const extra: unknown = 'extra' in options ? options.extra : undefined;
    const max = typeof extra === 'object' && extra !== null && 'max' in extra ? extra.max : undefined;
    const size = 'poolSize' in options ? options.poolSize : undefined;
    // TypeORM lets extra.max win.
    return typeof max === 'number' ? max : (size ?? 10);
  }

  /** An entity's table, quoted and with its schema, for SQL written by hand. */
  table(entity: EntityTarget<ObjectLiteral>): string {
    const { schema, tableName } = this.dataSource.getMetadata(entity);
    return (schema === undefined ? [tableName] : [schema, tableName]).map(quoted).join('.');
  }

  async businessTime(manager: EntityManager = this.dataSource.manager): Promise<Date> {
    const [row] = await manager.query<{ now: Date }[]>(`SELECT ${this.now} AS now`);
    if (!row) throw new Error('PostgreSQL did not tell the time.');
    return row.now;
  }

  /**
   * A handler's EntityManager records an operation in the handler's own transaction, so its commit must be ours.
   * @throws PaymentInputError
   */
  mustBeOwnTransaction(manager: EntityManager): void {
    if (dataSourceOf(manager) === this.dataSource && manager.queryRunner?.isTransactionActive) return;
    throw new PaymentInputError(
      'options.manager',
      "must be the EntityManager of an open transaction of the module's own data source, as a handler gets it",
    );
  }

  /**
   * Runs `work` in one transaction and commits it. Conflicts that undid the transaction run it again, so `work`
   * must do nothing but write through its manager; pass `retry: false` where it may do more.
   */
  async transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    { deadlineMs = TRANSACTION_DEADLINE_MS, retry = true }: { deadlineMs?: number; retry?: boolean } = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(work, deadlineMs);
      } catch (error) {
        if (!retry || attempt > RETRIES || !isConflict(error)) throw error;
        await delay(Math.random() * 20 * 2 ** attempt);
      }
    }
  }

  async #once<T>(work: (manager: EntityManager) => Promise<T>, deadlineMs: number): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const deadline = new AbortController();
    let begun = false;
    const run = async (): Promise<T> => {
      await runner.connect();
      deadline.signal.throwIfAborted();
      begun = true;
      return inTransaction(runner, work, deadline.signal, deadlineMs);
    };
    const late = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () => reject(new DatabaseDeadlineError(deadlineMs)));
    });
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    try {
      const result = await Promise.race([run(), late]);
      await runner.release();
      return result;
    } catch (error) {
      // Not awaited when late: the connection may still be on its way from the pool, or half open.
      if (deadline.signal.aborted) void abandon(runner, begun);
      else await runner.release();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function inTransaction<T>(
  runner: QueryRunner,
  work: (manager: EntityManager) => Promise<T>,
  deadline: AbortSignal,
  deadlineMs: number,
): Promise<T> {
  await runner.startTransaction();
  try {
    // The server's side of the deadline: a process stopped inside its transaction must not keep its locks, and a
    // statement given up while it waited for one must not commit later.
    await runner.query(
      `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
      [String(deadlineMs)],
    );
    deadline.throwIfAborted();
    const result = await work(runner.manager);
    deadline.throwIfAborted();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    // Within the deadline too: on a half-open connection it would never end. When late, the connection is closed instead.
    if (!deadline.aborted && runner.isTransactionActive)
      await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const driverError: unknown = error.driverError;
  return (
    typeof driverError === 'object' &&
    driverError !== null &&
    'code' in driverError &&
    typeof driverError.code === 'string' &&
    RETRYABLE.has(driverError.code)
  );
}

/** Gives an unused connection back once there is one, and closes a used one: with a query under way pg closes its socket at once, so a half-open one cannot hold us. */
async function abandon(runner: QueryRunner, begun: boolean): Promise<void> {
  try {
    const client: unknown = await runner.connect();
    if (
      begun &&
      typeof client === 'object' &&
      client !== null &&
      'end' in client &&
      typeof client.end === 'function'
    ) {
      // On a half-open connection the farewell is never answered; release() then drops the connection all the same.
      await Promise.race([client.end(), delay(1_000, undefined, { ref: false })]);
    }
  } catch {
    // The connection is gone, which is what was wanted.
  } finally {
    await runner.release();
  }
}
