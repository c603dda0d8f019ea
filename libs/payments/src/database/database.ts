import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  DataSource,
  EntityManager,
  EntitySubscriberInterface,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
} from 'typeorm';
import { managerRefused } from '../common/arguments.js';
import { businessNow, inBusinessTime } from '../common/clock.js';
import { isRecord } from '../common/is-record.js';
import { sqlState } from '../common/sql-state.js';
import {
  PAYMENTS_DATA_SOURCE,
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../options/payments.module-definition.js';
import { dataSourceOf } from '../schema/data-source-of.js';
import { quoted } from '../schema/quoted.js';
import { EXPECTED_TRAITS, traitsRefused, type ConnectionTraits } from './connection-traits.js';
import { DatabaseDeadlineError, NoDatabaseConnectionError } from './deadline-error.js';
import { explainDenial } from './denied-columns.js';
import { explainEnd } from './ended-transaction.js';
import { LOCK_WAIT_MS, LockWait } from './lock-wait.js';
import { namedQuery } from './named-query.js';
import { quietLog } from './quiet-log.js';

/** Our own statements are short, and a transaction has a handful of them: after ten seconds something is wrong with the connection. */
const DEADLINE_MS = 10_000;
/** Of that, for a connection: half of it at most, so that what has one always has time to finish, and the end of each is its own. */
const CONNECTION_WAIT_MS = 5_000;
/**
 * For what follows something recorded, longer than a whole call before that: where callers hold the pool's connections in transactions
 * of their own and wait for another one, those that have recorded nothing give way to those whose outcome would be unknown.
 */
const WAIT_ONCE_RECORDED_MS = 15_000;
/** serialization_failure and deadlock_detected: the statement did nothing, and may simply run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const RETRIES = 5;
/**
 * PostgreSQL's own codes, which Node's (ECONNRESET, EPIPE) are not, but for connection_exception and a server that shuts down: it
 * may have committed before it ended.
 */
const DEFINITE = /^(?!08|57P)[0-9FHPX][0-9A-Z]{4}$/;

/**
 * Where the host, the role or the database has turned it off, the rest of the transaction waits for the disk at its commit: a
 * request that left before its operation was there would be sent again under another key after a crash. What asks for more stays.
 */
const DURABLE = `CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`;

/** Times as the driver reads them, whatever the role or the database has set: it takes any other text for no time at all. */
const ISO_TIMES = `CASE WHEN current_setting('DateStyle') NOT LIKE 'ISO%' THEN set_config('DateStyle', 'ISO', true) END`;

/**
 * PostgreSQL 17 ends the connection of what lasts longer than `transaction_timeout`. Our deadlines are our own, and a new value
 * would not reach a timer that runs already: none stops it.
 */
const NO_TIMER = `CASE WHEN current_setting('transaction_timeout', true) <> '0' THEN set_config('transaction_timeout', '0', true) END`;

/** The terms in a transaction of the host's, whose time is the host's. */
export const TERMS_OF_GUEST = `${DURABLE}, ${ISO_TIMES}`;

/** What a transaction of ours sets besides. */
const SETTINGS = `${TERMS_OF_GUEST}, ${NO_TIMER}`;

/** The commit waits until the synchronous standby has it too; what asks for more stays. */
const SAFE_AT_STANDBY = `CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN set_config('synchronous_commit', 'on', true) END`;

/**
 * The terms of a statement that commits by itself, as part of its text: it waits no longer than this for a lock, does nothing
 * under another isolation level than the one that locks are made for (a setting that is refused), and its commit is durable.
 */
export function termsWithin(lockMs: number): string {
  return `terms AS MATERIALIZED (SELECT set_config('lock_timeout',
  CASE current_setting('transaction_isolation') WHEN 'read committed' THEN '${lockMs}' ELSE 'another level' END, true),
  ${SETTINGS})`;
}

/** For a statement that is tried again, until its deadline, if somebody else has what it locks. */
export const TERMS = termsWithin(LOCK_WAIT_MS);
/** Connections of which one may be another try of what waits for a lock. */
const CONNECTIONS_PER_TRY = 4;

/** For reads: the part of an EntityManager that needs no transaction. */
export type Reader = Pick<
  EntityManager,
  | 'createQueryBuilder'
  | 'existsBy'
  | 'find'
  | 'findBy'
  | 'findOne'
  | 'findOneBy'
  | 'findOneByOrFail'
  | 'findOneOrFail'
  | 'query'
>;

/** The result of one statement: the rows it returned, or how many it changed if it returns none. */
export interface Outcome<Row> {
  readonly rows: readonly Row[];
  readonly affected: number;
}

interface Bounds {
  readonly deadlineMs?: number;
  /** Whether a conflict that rolled the work back runs it again. */
  readonly retry?: boolean;
  /** How long it is tried again while somebody else has locked what it needs. Default: until its deadline. */
  readonly waitMs?: number;
  /** What is asked every few seconds though there is nothing to do: see {@link quietLog}. */
  readonly isQuiet?: boolean;
}

/**
 * The module's one way to the database: every statement has a deadline, and nobody who holds a connection waits for a second one.
 * Reads go through `read`, writes through `transaction`.
 */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  readonly #dataSource: DataSource;
  /** Where the caller is: inside a transaction of ours, behind what it has recorded, or behind the beginning of a transaction of the host's. */
  readonly #place = new AsyncLocalStorage<'transaction' | 'recorded' | QueryRunner | null>();
  readonly #own = new WeakSet<QueryRunner>();
  /** Of what is not to be printed. */
  readonly #quiet = new WeakSet<QueryRunner>();
  #restoreLog: () => void = () => undefined;
  /**
   * Is told of every transaction that begins on the data source, in the chain of calls of whoever begins it: typeorm-transactional,
   * nestjs-cls, `dataSource.transaction()` or a plain query runner. What that chain calls later has the same store.
   */
  readonly #transactions: EntitySubscriberInterface = {
    beforeTransactionStart: ({ queryRunner }) => {
      const isOurs = this.#own.has(queryRunner) || this.#place.getStore() === 'transaction';
      if (!isOurs) this.#place.enterWith(queryRunner);
    },
  };
  readonly #recordedIn = new WeakSet<QueryRunner>();
  readonly #inDoubt = new WeakSet<Error>();
  readonly #locks = new LockWait(() => Math.max(1, Math.floor(this.poolSize / CONNECTIONS_PER_TRY)));
  #traits = EXPECTED_TRAITS;

  constructor(
    @Inject(PAYMENTS_DATA_SOURCE) dataSource: DataSource,
    @Inject(RESOLVED_OPTIONS)
    private readonly options: Pick<ResolvedPaymentsOptions, 'clock'> &
      Partial<Pick<ResolvedPaymentsOptions, 'requestsWaitForStandby'>>,
  ) {
    this.#dataSource = dataSource;
  }

  /** Not before: a data source has its subscribers once it is opened. */
  onModuleInit(): void {
    this.#dataSource.subscribers.push(this.#transactions);
    this.#restoreLog = quietLog(this.#dataSource, (runner) => this.#quiet.has(runner));
  }

  /** Before Node 24, every promise of the process pays for each storage that was used, long after its application has ended. */
  onApplicationShutdown(): void {
    const { subscribers } = this.#dataSource;
    const at = subscribers.indexOf(this.#transactions);
    if (at !== -1) subscribers.splice(at, 1);
    this.#restoreLog();
    this.#place.disable();
  }

  /** For a command, whose application is made and never started: no hook will close the host's connections. */
  async close(): Promise<void> {
    this.onApplicationShutdown();
    await this.#dataSource.destroy();
  }

  /** SQL of business time. */
  get now(): string {
    return businessNow(this.options.clock);
  }

  /** SQL by which the transaction that records a request is as durable as the host wants it before the request is sent. */
  get durableForRequest(): string {
    return this.options.requestsWaitForStandby ? SAFE_AT_STANDBY : DURABLE;
  }

  /** SQL of a moment of the database's own time, in business time. */
  inBusinessTime(databaseTime: string): string {
    return inBusinessTime(this.options.clock, databaseTime);
  }

  /** Connections the host's pool may open. pg's own default is 10. */
  get poolSize(): number {
    const { options } = this.#dataSource;
    const extra: unknown = 'extra' in options ? options.extra : undefined;
    const max = typeof extra === 'object' && extra !== null && 'max' in extra ? extra.max : undefined;
    const size = 'poolSize' in options ? options.poolSize : undefined;
    // In TypeORM, extra.max takes precedence.
    return typeof max === 'number' ? max : (size ?? 10);
  }

  /** The schema that the host has set for the tables. */
  get schema(): string | null {
    const { options } = this.#dataSource;
    return 'schema' in options ? (options.schema ?? null) : null;
  }

  /** An entity's table, quoted and with its schema, for SQL written by hand. */
  table(entity: EntityTarget<ObjectLiteral>): string {
    const { schema, tableName } = this.#dataSource.getMetadata(entity);
    return (schema === undefined ? [tableName] : [schema, tableName]).map(quoted).join('.');
  }

  /** The columns of an entity, for SQL written by hand: a row of them can be read back with {@link hydrate}. */
  columns(entity: EntityTarget<ObjectLiteral>, alias: string): string {
    return this.#dataSource
      .getMetadata(entity)
      .columns.map(
        ({ databaseName }) => `${alias}.${quoted(databaseName)} AS ${quoted(`${alias}_${databaseName}`)}`,
      )
      .join(', ');
  }

  /** Name and type of a field's column, for SQL written by hand. */
  columnOf(
    entity: EntityTarget<ObjectLiteral>,
    field: string,
  ): { readonly name: string; readonly type: string } {
    const column = this.#dataSource.getMetadata(entity).findColumnWithPropertyName(field);
    if (!column) throw new Error(`There is no column of ${field}.`);
    return { name: column.databaseName, type: this.#dataSource.driver.normalizeType(column) };
  }

  /** The entity in such a row. */
  hydrate<Entity extends ObjectLiteral>(
    entity: new () => Entity,
    alias: string,
    row: Readonly<Record<string, unknown>>,
  ): Entity {
    const made = new entity();
    const { driver } = this.#dataSource;
    for (const column of this.#dataSource.getMetadata(entity).columns)
      column.setEntityValue(
        made,
        driver.prepareHydratedValue(row[`${alias}_${column.databaseName}`], column),
      );
    return made;
  }

  /** The entity in a row that is read as JSON. */
  entityOf<Entity extends ObjectLiteral>(entity: new () => Entity, row: ObjectLiteral): Entity {
    const made = new entity();
    const { driver } = this.#dataSource;
    for (const column of this.#dataSource.getMetadata(entity).columns)
      column.setEntityValue(made, driver.prepareHydratedValue(row[column.databaseName], column));
    return made;
  }

  async businessTime(within?: Reader): Promise<Date> {
    const ask = (from: Reader) => from.query<{ now: Date }[]>(`SELECT ${this.now} AS now`);
    const [row] = await (within ? ask(within) : this.read(ask));
    if (!row) throw new Error('PostgreSQL did not return the time.');
    return row.now;
  }

  /**
   * Runs `record` in the transaction of a handler's EntityManager: what it records is committed with the handler's own writes,
   * so that transaction must be one of the module's data source.
   * @throws PaymentInputError
   */
  within<T>(manager: EntityManager, record: (manager: EntityManager) => Promise<T>): Promise<T> {
    // null from a JavaScript caller must not mean that there is no transaction to join.
    const given: unknown = manager;
    const isOwn = isRecord(given) && dataSourceOf(manager) === this.#dataSource;
    if (!isOwn || manager.queryRunner?.isTransactionActive !== true) throw managerRefused();
    this.#recordedIn.add(manager.queryRunner);
    return this.#place.run('transaction', () => record(manager));
  }

  /** Whether a transaction of the host's is open on the data source, and the caller was called after its beginning. */
  get isInHostTransaction(): boolean {
    const place = this.#place.getStore();
    return typeof place === 'object' && place !== null && place.isTransactionActive;
  }

  /** Whether {@link within} recorded something in the transaction of this manager: once it is committed, there is work. */
  hasRecordedIn({ queryRunner }: EntityManager): boolean {
    return queryRunner !== undefined && this.#recordedIn.has(queryRunner);
  }

  /** Whether what ended with this error may be committed all the same: PostgreSQL was asked to, and did not say. */
  mayHaveCommitted(error: unknown): boolean {
    return error instanceof Error && this.#inDoubt.has(error);
  }

  /** Runs the host's own code, which may use this module outside the transaction it was called in. */
  outside<T>(work: () => Promise<T>): Promise<T> {
    return this.#place.run(null, work);
  }

  /** Runs what follows something recorded, and waits longer for a connection. */
  onceRecorded<T>(work: () => Promise<T>): Promise<T> {
    return this.#place.run('recorded', work);
  }

  /**
   * Reads, each statement by itself: no transaction, so it costs one round trip each. A late statement is given up with its
   * connection; the server may still finish it, so what must not happen later belongs in a transaction.
   */
  read<T>(work: (from: Reader) => Promise<T>, bounds: Bounds = {}): Promise<T> {
    return this.#run(async (turn) => {
      const { manager } = turn.runner;
      if (await this.#areTimesIso(manager)) return work(manager);
      return inTransaction(turn, work, terms(turn.deadlineMs, null));
    }, bounds);
  }

  /** Whether times are read as they are where no terms hold. */
  async #areTimesIso(manager: EntityManager): Promise<boolean> {
    if (this.#traits.areTimesIso === null) {
      const [row] = await manager.query<{ areTimesIso: boolean }[]>(
        `SELECT current_setting('DateStyle') LIKE 'ISO%' AS "areTimesIso"`,
      );
      this.#traits = { ...this.#traits, areTimesIso: row?.areTimesIso ?? false };
    }
    return this.#traits.areTimesIso === true;
  }

  /**
   * Runs `work` in one transaction and commits it. Conflicts that rolled the transaction back run it again, so `work` must do
   * nothing but write through its manager; pass `retry: false` if it may do more.
   */
  transaction<T>(work: (manager: EntityManager) => Promise<T>, bounds: Bounds = {}): Promise<T> {
    const { retry = true } = bounds;
    return this.#run(
      (turn) => inTransaction(turn, work, terms(turn.deadlineMs, retry ? LOCK_WAIT_MS : null)),
      bounds,
    );
  }

  /**
   * Writes with one statement that commits by itself: one round trip. It begins with `WITH ${TERMS}`, or {@link termsWithin} a
   * shorter time, and reads from `terms` before it requests a lock. Given up when late, it may still commit then, unless it
   * waited for a lock: so it must be harmless when late, for example guarded by a fence or a version.
   */
  statement<Row = never>(
    sql: string,
    parameters: readonly unknown[],
    bounds: Bounds = {},
  ): Promise<Outcome<Row>> {
    return this.#learning((traits) => {
      const run = ({ runner }: Turn) => query<Row>(runner, sql, parameters, traits);
      return this.#run((turn) => {
        if (!traits.isReadCommitted)
          return inTransaction(turn, () => run(turn), terms(turn.deadlineMs, null));
        turn.isCommitting = true;
        return run(turn);
      }, bounds);
    });
  }

  /**
   * Runs `work` in one transaction that begins with one statement of ours: it contains the transaction's terms in its own text,
   * so that they cost no round trip. It selects `terms` with its rows, which `work` gets: if it finds no rows, no terms hold.
   */
  transactionFrom<T, Row = Readonly<Record<string, unknown>>>(
    first: { readonly sql: (terms: string) => string; readonly parameters: readonly unknown[] },
    work: (manager: EntityManager, outcome: Outcome<Row>) => Promise<T>,
    bounds: Bounds = {},
  ): Promise<T> {
    const sql = first.sql(carriedTerms(bounds.deadlineMs ?? DEADLINE_MS));
    return this.#learning((traits, begin) =>
      this.#run(
        (turn) =>
          inTransaction(
            turn,
            async (manager) => {
              const outcome = await query<Row>(turn.runner, sql, first.parameters, traits);
              begin();
              return work(manager, outcome);
            },
            traits.isReadCommitted ? null : terms(turn.deadlineMs, null),
          ),
        bounds,
      ),
    );
  }

  /** A statement of a transaction that began with {@link transactionFrom}: under a name too, so planned once. */
  async query<Row>(
    { queryRunner }: EntityManager,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<readonly Row[]> {
    if (!queryRunner) throw new Error('No transaction is open here.');
    return (await query<Row>(queryRunner, sql, parameters, this.#traits)).rows;
  }

  /** Begins again if its first statement was refused because of the connection. */
  async #learning<T>(work: (traits: ConnectionTraits, begin: () => void) => Promise<T>): Promise<T> {
    for (;;) {
      const traits = this.#traits;
      let begun = false;
      try {
        return await work(traits, () => (begun = true));
      } catch (error) {
        const refused = begun ? null : traitsRefused(sqlState(error), traits);
        if (refused === null) throw error;
        this.#traits = { ...this.#traits, ...refused };
      }
    }
  }

  #run<T>(
    work: Work<T>,
    { deadlineMs = DEADLINE_MS, retry = true, waitMs = retry ? deadlineMs : 0, isQuiet = false }: Bounds,
  ): Promise<T> {
    const how = { deadlineMs, retry, isQuiet };
    return this.#locks.run(() => this.#attempt(work, how), waitMs);
  }

  /** Once, or again after a conflict. */
  async #attempt<T>(work: Work<T>, { retry, ...how }: Required<Omit<Bounds, 'waitMs'>>): Promise<T> {
    // Callers that each hold one connection and wait for another could occupy the whole pool, and wait for ever.
    if (this.#place.getStore() === 'transaction')
      throw new Error(
        'A transaction is open here: read and write through its manager, not on a second connection.',
      );
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(work, how);
      } catch (error) {
        if (!retry || attempt > RETRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
        await delay(Math.random() * 20 * 2 ** attempt);
      }
    }
  }

  /** How long a connection is waited for. */
  #waitMs(deadlineMs: number): number {
    return this.#place.getStore() === 'recorded'
      ? WAIT_ONCE_RECORDED_MS
      : Math.min(CONNECTION_WAIT_MS, deadlineMs / 2);
  }

  async #once<T>(
    work: Work<T>,
    { deadlineMs, isQuiet }: Required<Pick<Bounds, 'deadlineMs' | 'isQuiet'>>,
  ): Promise<T> {
    const runner = this.#dataSource.createQueryRunner();
    this.#own.add(runner);
    if (isQuiet) this.#quiet.add(runner);
    const deadline = new AbortController();
    const turn: Turn = { runner, deadline: deadline.signal, deadlineMs, isCommitting: false };
    const waitMs = this.#waitMs(deadlineMs);
    const began = performance.now();
    let begun = false;
    let timer = setTimeout(() => deadline.abort(), waitMs);
    const run = async (): Promise<T> => {
      await runner.connect();
      deadline.signal.throwIfAborted();
      begun = true;
      clearTimeout(timer);
      const leftMs = Math.max(deadlineMs - (performance.now() - began), deadlineMs / 2);
      timer = setTimeout(() => deadline.abort(), leftMs);
      return this.#place.run('transaction', () => work(turn));
    };
    const late = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () =>
        reject(
          begun
            ? new DatabaseDeadlineError(deadlineMs, 'and its connection was abandoned')
            : new NoDatabaseConnectionError(waitMs),
        ),
      );
    });
    try {
      const result = await Promise.race([run(), late]);
      await runner.release();
      return result;
    } catch (error) {
      explainDenial(error);
      explainEnd(error);
      if (turn.isCommitting && error instanceof Error && !isDefinite(error)) this.#inDoubt.add(error);
      // Not awaited when late: the connection may still be on its way from the pool, or half open.
      if (deadline.signal.aborted) void abandon(runner, begun);
      else await runner.release();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function query<Row>(
  runner: QueryRunner,
  sql: string,
  parameters: readonly unknown[],
  { keepsNames }: ConnectionTraits,
): Promise<Outcome<Row>> {
  const named = keepsNames ? await namedQuery<Row>(runner, sql, parameters) : null;
  if (named) return { rows: named.rows, affected: named.rowCount ?? 0 };
  const { records, affected = 0 } = await runner.query(sql, [...parameters], true);
  return { rows: records, affected };
}

/** One connection until the deadline. */
interface Turn {
  readonly runner: QueryRunner;
  readonly deadline: AbortSignal;
  readonly deadlineMs: number;
  /** PostgreSQL has been asked to commit, or is about to be. */
  isCommitting: boolean;
}

type Work<T> = (turn: Turn) => Promise<T>;

/** PostgreSQL's own word that nothing was committed. */
function isDefinite(error: Error): boolean {
  return DEFINITE.test(sqlState(error) ?? '');
}

async function inTransaction<T>(
  turn: Turn,
  work: (manager: EntityManager) => Promise<T>,
  /** null: the first statement of `work` sets them. */
  setTerms: string | null,
): Promise<T> {
  const { runner, deadline } = turn;
  await runner.startTransaction();
  try {
    if (setTerms !== null) await runner.query(setTerms);
    deadline.throwIfAborted();
    const result = await work(runner.manager);
    deadline.throwIfAborted();
    turn.isCommitting = true;
    // More than once if the work opened a savepoint and left it open.
    while (runner.isTransactionActive) await runner.commitTransaction();
    return result;
  } catch (error) {
    // Within the deadline too: on a half-open connection it would never end. When late, the connection is closed instead.
    if (!deadline.aborted) await rollBack(runner);
    throw error;
  }
}

/**
 * Sets the terms of a transaction, whatever the host, the role or the database has set, in one round trip. The isolation level is
 * the one that the locks are made for: under a stricter one, simultaneous creates would fail. The server's side of the deadline:
 * a process stopped inside its transaction must not keep its locks, and a statement given up while it waited for one must not
 * commit later. And the commit is durable.
 */
function terms(deadlineMs: number, lockMs: number | null): string {
  const ms = Math.ceil(deadlineMs);
  const lock = lockMs === null ? '' : `; SET LOCAL lock_timeout = ${lockMs}`;
  return `SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${ms}; SET LOCAL idle_in_transaction_session_timeout = ${ms}${lock}; SELECT ${SETTINGS}`;
}

/** The same in the text of a transaction's first statement; under another isolation level it does nothing (a setting that is refused). */
function carriedTerms(deadlineMs: number): string {
  const ms = Math.ceil(deadlineMs);
  return `set_config('statement_timeout',
    CASE current_setting('transaction_isolation') WHEN 'read committed' THEN '${ms}' ELSE 'another level' END, true),
    set_config('idle_in_transaction_session_timeout', '${ms}', true), ${SETTINGS}`;
}

async function rollBack(runner: QueryRunner): Promise<void> {
  try {
    while (runner.isTransactionActive) await runner.rollbackTransaction();
  } catch {
    // The connection is gone, and the transaction with it.
  }
}

/**
 * Returns an unused connection as soon as there is one, and closes a used one: with a query in progress pg closes its socket at
 * once, so a half-open one cannot block us.
 */
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
      // On a half-open connection the goodbye is never answered; release() then drops the connection all the same.
      await Promise.race([client.end(), delay(1_000, undefined, { ref: false })]);
    }
  } catch {
    // The connection is gone, as intended.
  } finally {
    await runner.release();
  }
}
