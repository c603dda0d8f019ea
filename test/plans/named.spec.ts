import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { systemClock } from '../../libs/payments/src/common/clock.js';
import { Database, TERMS } from '../../libs/payments/src/database/database.js';
import { PLANS_LAST_MS } from '../../libs/payments/src/database/named-query.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

describe('the statements of a shop at work', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('are planned for their parameters a few times per connection, and then for any', async () => {
    const host = await bench.startHost({ poolSize: 2 });
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    for (let payment = 0; payment < 24; payment += 1) {
      const { id, serviceId } = await host.payments.create(orderInput());
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await eventually(
        () => host.payments.get(id),
        ({ status }) => status === 'succeeded',
      );
    }
    const runners = Array.from({ length: 2 }, () => host.dataSource.createQueryRunner());
    const prepared = await Promise.all(
      runners.map((runner) =>
        runner.manager.query<{ statement: string; custom: number; generic: number }[]>(
          `SELECT statement, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements`,
        ),
      ),
    );
    for (const runner of runners) await runner.release();
    const known = prepared.flat();
    expect(known.filter(({ generic }) => generic > 0).length).toBeGreaterThan(5);
    // Five, and one or two more where a table has grown since: the plan for any parameters then looks dearer than those before.
    expect(known.filter(({ custom }) => custom > 10)).toEqual([]);
  });
});

describe('a statement that is sent again and again on one connection', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let ours: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    dataSource = new DataSource({ type: 'postgres', url: database.url, poolSize: 1 });
    await dataSource.initialize();
    await dataSource.query(`CREATE TABLE things (id int PRIMARY KEY, what text)`);
    await dataSource.query(`ALTER TABLE things SET (autovacuum_enabled = false)`);
    await dataSource.query(`INSERT INTO things SELECT i, 'thing' FROM generate_series(1, 10) i`);
    ours = new Database(dataSource, { clock: systemClock });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.query('DROP TABLE things');
    await dataSource.destroy();
  });
  afterAll(() => database.drop());

  const find = async (id: number): Promise<unknown[]> => {
    const { rows } = await ours.statement(`WITH ${TERMS} SELECT things.* FROM things, terms WHERE id = $1`, [
      id,
    ]);
    return [...rows];
  };
  const plans = (): Promise<{ plans: number }[]> =>
    dataSource.query(
      `SELECT (generic_plans + custom_plans)::int AS plans FROM pg_prepared_statements WHERE name LIKE 'payments\\_%'`,
    );

  it('is prepared once', async () => {
    for (let id = 1; id <= 8; id += 1) expect(await find(id)).toHaveLength(1);
    expect(await plans()).toEqual([{ plans: 8 }]);
  });

  it('is planned again within a minute, so that the plan of a table with ten rows is not used for long', async () => {
    const scans = async (): Promise<number> => {
      await dataSource.query('SELECT pg_stat_force_next_flush()');
      const [row] = await dataSource.query<{ seq_scan: number }[]>(
        `SELECT seq_scan::int FROM pg_stat_user_tables WHERE relname = 'things'`,
      );
      return row?.seq_scan ?? 0;
    };
    await dataSource.query('ANALYZE things');
    for (let id = 1; id <= 8; id += 1) await find(id);
    await dataSource.query(`INSERT INTO things SELECT i, 'thing' FROM generate_series(11, 20000) i`);
    const before = await scans();
    await find(1);
    expect(await scans()).toBe(before + 1);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + PLANS_LAST_MS);
    await find(1);
    expect(await scans()).toBe(before + 1);
  });

  it.each([
    ['has forgotten its name', 'DEALLOCATE ALL'],
    ['returns other columns than it did', 'ALTER TABLE things ADD COLUMN more text'],
  ])('is sent without a name from then on if the connection %s', async (_name, change) => {
    await find(1);
    await dataSource.query(change);
    expect(await find(2)).toMatchObject([{ id: 2 }]);
    await dataSource.query('DEALLOCATE ALL');
    expect(await find(3)).toMatchObject([{ id: 3 }]);
    expect(await plans()).toEqual([]);
  });

  it('is sent without a name if the connection gives that name to another statement', async () => {
    await find(1);
    const [known] = await dataSource.query<{ name: string }[]>(
      `SELECT name FROM pg_prepared_statements WHERE name LIKE 'payments\\_%'`,
    );
    const pooled = new DataSource({ type: 'postgres', url: database.url, poolSize: 1 });
    await pooled.initialize();
    await pooled.query(`PREPARE ${known?.name} AS SELECT 1`);
    ours = new Database(pooled, { clock: systemClock });
    expect(await find(2)).toMatchObject([{ id: 2 }]);
    await pooled.destroy();
  });

  it('begins its transaction again if the connection has forgotten its name, and the work is done once', async () => {
    let works = 0;
    const write = (id: number) =>
      ours.transactionFrom(
        {
          sql: (terms) => `SELECT ${terms}, what FROM things WHERE id = $1 FOR UPDATE`,
          parameters: [id],
        },
        async (manager, { rows: [row] }) => {
          works += 1;
          await manager.query(`UPDATE things SET what = 'written' WHERE id = $1`, [id]);
          return row?.['what'];
        },
        { retry: false },
      );
    await write(1);
    await dataSource.query('DEALLOCATE ALL');
    expect(await write(2)).toBe('thing');
    expect(works).toBe(2);
    expect(await dataSource.query(`SELECT id FROM things WHERE what = 'written' ORDER BY id`)).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  it('is sent without a name if its text differs each time', async () => {
    for (let number = 0; number < 300; number += 1)
      await ours.statement(`WITH ${TERMS} SELECT ${number} AS number FROM terms`, []);
    const { length } = await plans();
    expect(length).toBeGreaterThan(50);
    expect(length).toBeLessThanOrEqual(128);
  });
});
