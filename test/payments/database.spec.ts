import { Database, TERMS } from '../../libs/payments/src/database/database.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';

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
