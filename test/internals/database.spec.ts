import { Database, TERMS } from '../../libs/payments/src/database/database.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('a transaction of ours', () => {
  let bench: Bench;
  let database: Database;
  beforeAll(async () => {
    bench = await openBench();
    const host = await bench.startHost({ sweeps: false });
    database = host.app.get(Database);
  });
  afterAll(() => bench.close());

  it('opens no second connection, which could wait for the first for ever', async () => {
    const within = database.transaction(() => database.businessTime());
    await expect(within).rejects.toThrow('not on a second connection');
  });

  it.each(['40001', '40P01'])('is run again after %s, which has rolled it back', async (state) => {
    let runs = 0;
    const fails = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`;
    const answer = await database.transaction(async (manager) => {
      runs += 1;
      if (runs === 1) await manager.query(fails);
      return 'committed';
    });
    expect([answer, runs]).toEqual(['committed', 2]);
  });

  it('is not run again where it may have done more than write', async () => {
    let runs = 0;
    const fails = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40P01'; END $$`;
    const once = database.transaction(
      async (manager) => {
        runs += 1;
        await manager.query(fails);
      },
      { retry: false },
    );
    await expect(once).rejects.toMatchObject({ driverError: { code: '40P01' } });
    expect(runs).toBe(1);
  });
});

it('leaves nothing behind that each later promise of the process would pay for', async () => {
  const storages = () => Object.getOwnPropertySymbols(Promise.resolve()).length;
  const before = storages();
  const bench = await openBench();
  const host = await bench.startHost({ sweeps: false });
  await host.app.get(Database).transaction(() => Promise.resolve());
  // None where Node keeps what is stored elsewhere, from version 24 on.
  const whileOpen = storages();
  await bench.close();
  expect(whileOpen).toBeGreaterThanOrEqual(before);
  expect(storages()).toBe(before);
});

describe('where the database makes transactions serializable by default', () => {
  const ISOLATION = `current_setting('transaction_isolation') AS isolation`;
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    await bench.asOwner(
      `DO $$ BEGIN
         EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database());
       END $$`,
    );
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  it.each<[string, (of: Database) => Promise<unknown>]>([
    [
      'a statement',
      async (of) => (await of.statement(`WITH ${TERMS} SELECT ${ISOLATION} FROM terms`, [])).rows,
    ],
    ['a transaction', (of) => of.transaction((manager) => manager.query(`SELECT ${ISOLATION}`))],
    [
      'a transaction from its first statement on',
      (of) =>
        of.transactionFrom(
          { sql: (terms) => `SELECT ${terms}, ${ISOLATION}`, parameters: [] },
          (_manager, { rows: [row] }) => Promise.resolve([{ isolation: row?.['isolation'] }]),
        ),
    ],
  ])('%s reads what is committed', async (_what, isolation) => {
    // Each begins anew: the others would have taught it.
    const database = new Database(host.dataSource, { clock: bench.sandbox.clock });
    expect(await isolation(database)).toEqual([{ isolation: 'read committed' }]);
  });
});

/** What was set for everybody who connects to this database. */
async function openSet(...settings: readonly string[]): Promise<{ bench: Bench; host: PaymentsHost }> {
  const bench = await openBench();
  for (const setting of settings)
    await bench.asOwner(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`,
    );
  return { bench, host: await bench.startHost({ sweeps: false }) };
}

/** Each way of ours to write, with what it asks for. */
const ways: readonly (readonly [string, <T>(of: Database, asked: string) => Promise<readonly T[]>])[] = [
  [
    'a statement',
    async <T>(of: Database, asked: string) =>
      (await of.statement<T>(`WITH ${TERMS} SELECT ${asked} FROM terms`, [])).rows,
  ],
  ['a transaction', (of, asked) => of.transaction((manager) => manager.query(`SELECT ${asked}`))],
  [
    'a transaction from its first statement on',
    <T>(of: Database, asked: string) =>
      of.transactionFrom<readonly T[], T>(
        { sql: (terms) => `SELECT ${terms}, ${asked}`, parameters: [] },
        (_manager, { rows }) => Promise.resolve(rows),
      ),
  ],
];

describe('where the database writes times in another style', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    ({ bench, host } = await openSet(`"DateStyle" = ''German, DMY''`));
  });
  afterAll(() => bench.close());

  it('a payment has its times, whoever reads it', async () => {
    const before = Date.now();
    const { id, createdAt } = await host.payments.create(orderInput());
    expect(createdAt.getTime()).toBeGreaterThan(before - 60_000);
    expect(await host.payments.get(id)).toMatchObject({ createdAt });
    expect(await host.payments.refresh(id)).toMatchObject({ createdAt });
  });

  it.each([
    ...ways,
    ['a read', (of, asked) => of.read((from) => from.query(`SELECT ${asked}`))] as (typeof ways)[number],
  ])('%s reads times as they are', async (_what, ask) => {
    const database = new Database(host.dataSource, { clock: bench.sandbox.clock });
    const [row] = await ask<{ at: Date }>(database, `timestamptz '2030-01-31T10:00:00Z' AS at`);
    expect(row?.at).toEqual(new Date('2030-01-31T10:00:00Z'));
  });
});

describe('where the database ends transactions that take long', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let isOlder = false;
  beforeAll(async () => {
    bench = await openBench();
    const [row] = await bench.asOwner<{ isOlder: boolean }>(
      `SELECT current_setting('server_version_num')::int < 170000 AS "isOlder"`,
    );
    isOlder = row?.isOlder ?? true;
    await bench.close();
    ({ bench, host } = await openSet(...(isOlder ? [] : [`transaction_timeout = ''200ms''`])));
  });
  afterAll(() => bench.close());

  it.each(ways)('%s has the time that we give it', async (_what, ask) => {
    const database = new Database(host.dataSource, { clock: bench.sandbox.clock });
    expect(await ask(database, `pg_sleep(0.5)::text AS slept`)).toMatchObject([{ slept: '' }]);
  });

  it('a read that took too long says what has ended it', async () => {
    if (isOlder) return;
    const read = host.app.get(Database).read((from) => from.query('SELECT pg_sleep(10)'));
    await expect(read).rejects.toThrow(
      /due to transaction timeout: transaction_timeout ended what took longer\. Set it to 0 for the module's role/,
    );
  });
});
