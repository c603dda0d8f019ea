import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { AbstractLogger, DataSource } from 'typeorm';
import { systemClock } from '../../libs/payments/src/common/clock.js';
import { Database } from '../../libs/payments/src/database/database.js';
import { Intake } from '../../libs/payments/src/notifications/intake.js';
import { paymentsEntities } from '../../libs/payments/src/schema/entities.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { Telemetry } from '../../libs/payments/src/telemetry/telemetry.js';
import { Shutdown } from '../../libs/payments/src/work/shutdown.js';
import { WorkSignal } from '../../libs/payments/src/work/work-signal.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** Keeps what the database refused, retried or not. */
class Refusals extends AbstractLogger {
  readonly messages: string[] = [];

  override logQueryError(error: string | Error): void {
    this.messages.push(error instanceof Error ? error.message : error);
  }

  protected writeLog(): void {}
}

/** The parts of one process. */
interface Process {
  readonly intake: Intake;
  readonly signal: WorkSignal;
  readonly shutdown: Shutdown;
  readonly dataSource: DataSource;
  readonly refusals: Refusals;
}

describe('the intake of notifications', () => {
  let database: TestDatabase;
  let owner: Client;
  const store = Object.assign(new PaymentsStoreEntity(), { id: randomUUID() });
  let processes: Process[];

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new Client(database.url);
    await owner.connect();
    await owner.query(`INSERT INTO payments_stores (id, account_id, kind) VALUES ($1, 'intake', 'own')`, [
      store.id,
    ]);
  });
  beforeEach(() => {
    processes = [];
  });
  afterEach(async () => {
    for (const { dataSource } of processes) if (dataSource.isInitialized) await dataSource.destroy();
    // Nothing of one test takes room in the pages of the next: an update finds room beside its row.
    await owner.query('TRUNCATE payments_notifications');
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  async function start(): Promise<Process> {
    const refusals = new Refusals();
    const dataSource = await new DataSource({
      type: 'postgres',
      url: database.moduleUrl,
      entities: paymentsEntities,
      logger: refusals,
    }).initialize();
    const [signal, shutdown] = [new WorkSignal(), new Shutdown()];
    const written = new Database(dataSource, { clock: systemClock });
    const intake = new Intake(written, signal, shutdown, new Telemetry());
    const process = { intake, signal, shutdown, dataSource, refusals };
    processes.push(process);
    return process;
  }

  const take = ({ intake }: Process, objectId: string, { event = 'payment.succeeded', body = '{}' } = {}) =>
    intake.store(
      store,
      { event, objectType: event.split('.')[0] ?? '', objectId, ofPayment: null },
      body,
      '185.71.76.1',
    );
  const stored = async () => {
    const { rows } = await owner.query<{ objectId: string; count: number; handled: number; body: string }>(
      `SELECT object_id AS "objectId", count, handled_count AS handled, body FROM payments_notifications
       ORDER BY object_id`,
    );
    return rows;
  };
  const counts = async () => Object.fromEntries((await stored()).map((row) => [row.objectId, row.count]));
  const lockWaits = async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM pg_stat_clear_snapshot(), pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount;
  };
  const isWaitingForLock = async () => (await lockWaits()) === 1;
  /**
   * Occupies the connection that the next statement needs, so that notifications meanwhile wait; the returned
   * function ends that.
   */
  async function lockTable(): Promise<() => Promise<unknown>> {
    await owner.query('BEGIN; LOCK TABLE payments_notifications IN SHARE MODE');
    return () => owner.query('COMMIT');
  }

  it('counts exactly, without a deadlock, when two processes get notifications of the same objects in different orders', async () => {
    const both = [await start(), await start()] as const;
    const objects = Array.from({ length: 61 }, (_, index) => `hot-${index}`);
    const takeAll = () =>
      both.flatMap((process, index) =>
        (index === 0 ? objects : objects.toReversed()).map((objectId) => take(process, objectId)),
      );
    await Promise.all(takeAll());
    // Each is half-way by now: in order of arrival, each would continue with the rows the other one holds.
    await owner.query(`BEGIN; SELECT FROM payments_notifications WHERE object_id = 'hot-30' FOR UPDATE`);
    const again = takeAll();
    await eventually(lockWaits, (count) => count === 2);
    await owner.query('COMMIT');
    await Promise.all(again);
    expect(await counts()).toEqual(Object.fromEntries(objects.map((objectId) => [objectId, 4])));
    expect(both.flatMap(({ refusals }) => refusals.messages)).toEqual([]);
  });

  it('touches no index for a repeat of a waiting notification, and does not move it back in the queue', async () => {
    const process = await start();
    await owner.query(`SELECT pg_stat_reset_single_table_counters('payments_notifications'::regclass)`);
    await take(process, 'hot');
    const place = () =>
      owner
        .query(`SELECT step, ready_at, waiting_since FROM payments_notifications`)
        .then(({ rows }) => rows);
    const before = await place();
    for (let repeat = 0; repeat < 20; repeat += 1) await take(process, 'hot');
    expect(await counts()).toEqual({ hot: 21 });
    expect(await place()).toEqual(before);
    // What it counted is written when it ends.
    await process.dataSource.destroy();
    const [updates] = await eventually(
      async () => {
        const { rows } = await owner.query<{ all: number; hot: number }>(
          `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'payments_notifications'`,
        );
        return rows;
      },
      ([row]) => row?.all === 20,
    );
    expect(updates).toEqual({ all: 20, hot: 20 });
  });

  it('answers each notification when the commit that holds it is done, and not before', async () => {
    const process = await start();
    const unlock = await lockTable();
    const answered: string[] = [];
    const each = ['a', 'b', 'c'].map((objectId) =>
      take(process, objectId).then(async () => answered.push(objectId)),
    );
    await eventually(isWaitingForLock, Boolean);
    expect(answered).toEqual([]);
    await unlock();
    await Promise.all(each);
    expect(await counts()).toEqual({ a: 1, b: 1, c: 1 });
  });

  it('writes what arrived while it was writing in one statement, the last body of each, and wakes the sweep once', async () => {
    const process = await start();
    let wakes = 0;
    process.signal.subscribe(() => (wakes += 1));
    const unlock = await lockTable();
    const first = take(process, 'first');
    await eventually(isWaitingForLock, Boolean);
    const later = Array.from({ length: 90 }, (_, index) =>
      take(process, `hot-${index % 3}`, { body: `body ${index}` }),
    );
    await unlock();
    await Promise.all([first, ...later]);
    expect(await stored()).toEqual([
      { objectId: 'first', count: 1, handled: 0, body: '{}' },
      ...[87, 88, 89].map((last, index) => ({
        objectId: `hot-${index}`,
        count: 30,
        handled: 0,
        body: `body ${last}`,
      })),
    ]);
    expect(wakes).toBe(2);
  });

  it('counts a notification that causes no re-read as handled, with every repeat of it', async () => {
    const process = await start();
    const event = 'receipt.registration';
    await Promise.all(Array.from({ length: 5 }, () => take(process, 'of-nobody', { event })));
    await take(process, 'of-nobody', { event });
    expect(await stored()).toEqual([{ objectId: 'of-nobody', count: 6, handled: 6, body: '{}' }]);
  });

  it('refuses the one that the database cannot hold, and none of those that came with it', async () => {
    const process = await start();
    await owner.query(`ALTER TABLE payments_notifications ADD CONSTRAINT sound CHECK (body <> 'unsound')`);
    try {
      const unlock = await lockTable();
      const first = take(process, 'first');
      await eventually(isWaitingForLock, Boolean);
      const bodies = ['sound', 'unsound', 'sound', '\0', 'sound'];
      const others = bodies.map((body, index) => take(process, `other-${index}`, { body }));
      await unlock();
      const ends = await Promise.allSettled([first, ...others]);
      expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
        true,
        true,
        false,
        true,
        false,
        true,
      ]);
      expect(await counts()).toEqual({ first: 1, 'other-0': 1, 'other-2': 1, 'other-4': 1 });
    } finally {
      await owner.query('ALTER TABLE payments_notifications DROP CONSTRAINT sound');
    }
  });

  it('gives up the one whose row another session has locked, and stores those that came with it', async () => {
    const process = await start();
    await take(process, 'held');
    await owner.query(`BEGIN; SELECT FROM payments_notifications WHERE object_id = 'held' FOR UPDATE`);
    const first = take(process, 'first');
    const others = ['a', 'held', 'z'].map((objectId) => take(process, objectId));
    const ends = await Promise.allSettled([first, ...others]);
    await owner.query('COMMIT');
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: expect.stringContaining('lock timeout') } },
      { status: 'fulfilled' },
    ]);
    expect(await counts()).toEqual({ a: 1, first: 1, held: 1, z: 1 });
  });

  it('refuses a notification at once if as many wait as one statement takes, also of one object', async () => {
    const process = await start();
    const unlock = await lockTable();
    const first = take(process, 'first');
    await eventually(isWaitingForLock, Boolean);
    const waiting = Array.from({ length: 256 }, () => take(process, 'hot'));
    await expect(take(process, 'hot')).rejects.toMatchObject({ name: 'GroupBusyError' });
    await unlock();
    await Promise.all([first, ...waiting]);
    expect(await counts()).toEqual({ first: 1, hot: 256 });
  });

  it('stores what waits before an ending process closes the database', async () => {
    const process = await start();
    const unlock = await lockTable();
    const first = take(process, 'first');
    await eventually(isWaitingForLock, Boolean);
    const waiting = ['a', 'b'].map((objectId) => take(process, objectId));
    process.shutdown.onModuleDestroy();
    const ended = process.shutdown.onApplicationShutdown().then(() => process.dataSource.destroy());
    await unlock();
    await ended;
    await Promise.all([first, ...waiting]);
    expect(await counts()).toEqual({ a: 1, b: 1, first: 1 });
  });
});
