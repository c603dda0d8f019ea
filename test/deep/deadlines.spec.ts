import { PaymentsModule } from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database, type Reader } from '../../libs/payments/src/database/database.js';
import { paymentsOptions, startHost } from '../hosts/host.js';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, sendNotification, type Bench } from '../support/payments-host.js';

const DEADLINE = { name: 'DatabaseDeadlineError', message: expect.stringMatching(/within \d+ ms/) };

describe('a deadline of the database', () => {
  let bench: Bench;
  let other: Client;
  beforeAll(async () => {
    bench = await openBench();
    other = new Client(bench.database.url);
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await bench.close();
  });

  const living = async (pids: (number | undefined)[]) => {
    const { rows } = await other.query('SELECT FROM pg_stat_activity WHERE pid = ANY($1)', [pids]);
    return rows.length;
  };

  it('ends the wait for a locked row, and the payment beside it is not delayed', async () => {
    const { payments } = await bench.startHost({ sweeps: false });
    const [locked, free] = [await payments.create(orderInput()), await payments.create(orderInput())];
    // Something new, so that its re-read has a row to write.
    await other.query('UPDATE payments_payments SET confirmation = NULL WHERE id = $1', [locked.id]);
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM payments_payments WHERE id = $1 FOR UPDATE', [locked.id]);
    try {
      await expect(payments.refresh(locked.id)).rejects.toMatchObject(DEADLINE);
      expect(await payments.refresh(free.id)).toMatchObject({ status: 'pending' });
    } finally {
      await other.query('ROLLBACK');
    }
  });

  it('gives up notifications that wait too long for the pool, and closes none of its connections', async () => {
    const host = await bench.startHost({ sweeps: false });
    const notify = (id: string) =>
      sendNotification(host, { type: 'notification', event: 'payment.succeeded', object: { id } });
    const users = Array.from({ length: 10 }, () => host.dataSource.createQueryRunner());
    const pids = await Promise.all(
      users.map(async (user) => {
        const [row] = await user.manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
        return row?.pid;
      }),
    );
    const answers = await Promise.all(['late-1', 'late-2', 'late-3'].map(notify));
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false]);

    await Promise.all(users.map((user) => user.release()));
    expect((await notify('in-time')).status).toBe(200);
    expect(await living(pids)).toBe(10);
  });

  it('in a create that comes back to its payment, while nothing is free to write its re-read, records nothing and says so', async () => {
    const host = await bench.startHost({ sweeps: false });
    const input = orderInput();
    const { serviceId } = await host.payments.create(input);
    const reads = () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint: 'read' }));
    const before = await reads();
    bench.sandbox.faults.order({ on: 'read', fault: 'stall' });
    const again = host.payments.create(input).catch((error: unknown) => error);
    await eventually(reads, (now) => now > before);
    const users = Array.from({ length: 10 }, () => host.dataSource.createQueryRunner());
    await Promise.all(users.map((user) => user.connect()));
    // Something new, which has to be written.
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    bench.sandbox.faults.clear();
    expect(await again).toMatchObject({ code: 'no_database_connection' });
    await Promise.all(users.map((user) => user.release()));
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'order_already_paid' });
  });

  it('gives up notifications that wait for a locked table, and those behind them', async () => {
    const host = await bench.startHost({ sweeps: false });
    await other.query('BEGIN; LOCK TABLE payments_notifications IN SHARE MODE');
    const waiting = Array.from({ length: 102 }, (_, index) =>
      sendNotification(host, {
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: `flood-${index}` },
      }),
    );
    const answers = await Promise.all(waiting);
    await other.query('COMMIT');
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  });

  describe('on a half-open connection', () => {
    let proxy: DatabaseProxy;
    beforeAll(async () => {
      proxy = await startDatabaseProxy(bench.database.url);
    });
    afterAll(() => proxy.close());

    it.each(['read', 'transaction'] as const)(
      'ends a %s, and the next one has another connection',
      async (kind) => {
        const dataSource = await new DataSource({
          type: 'postgres',
          url: proxy.url,
          poolSize: 1,
        }).initialize();
        const database = new Database(dataSource, { clock: bench.sandbox.clock });
        const ask = () =>
          database[kind]((from) => from.query<object[]>('SELECT 1 AS one'), { deadlineMs: 2_000 });
        await ask();
        proxy.freeze();
        await expect(ask()).rejects.toMatchObject(DEADLINE);
        expect(await ask()).toEqual([{ one: 1 }]);
        await dataSource.destroy();
      },
    );

    it('lets payments move again, also those that were being re-read', async () => {
      const single = TypeOrmModule.forRoot({
        type: 'postgres',
        url: proxy.url,
        autoLoadEntities: true,
        poolSize: 1,
      });
      // Rarely, so that the re-reads in progress are the first to query after the failover.
      const sweeps = { intervalMs: 3_000 };
      const module = PaymentsModule.forRoot({ ...paymentsOptions(bench.sandbox), sweeps });
      const host = await startHost({ imports: [ScheduleModule.forRoot(), single, module] });
      // More than are re-read at once.
      const made = await Promise.all(Array.from({ length: 12 }, () => host.payments.create(orderInput())));
      bench.sandbox.setNotifyUrl(null);
      for (const { serviceId } of made) bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      bench.sandbox.faults.order({ on: 'read', fault: 'stall', times: 1_000 });
      await bench.sandbox.clock.advance(15_000);
      await eventually(
        () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint: 'read' })),
        (reads) => reads >= 8,
      );
      proxy.freeze();
      bench.sandbox.faults.clear();
      const moved = () =>
        other.query(`SELECT FROM payments_payments WHERE status = 'succeeded' AND id = ANY($1)`, [
          made.map(({ id }) => id),
        ]);
      expect(await eventually(moved, ({ rowCount }) => rowCount === made.length)).toBeTruthy();
      await host.close();
    });
  });

  it.each(['commits', 'fails'])(
    'leaves no transaction open if one %s and left a part of its work open',
    async (end) => {
      const { url } = bench.database;
      const dataSource = await new DataSource({ type: 'postgres', url, poolSize: 1 }).initialize();
      const database = new Database(dataSource, { clock: bench.sandbox.clock });
      const run = database.transaction(async ({ queryRunner }) => {
        await queryRunner?.startTransaction();
        if (end === 'fails') throw new Error('no stock');
      });
      await run.catch(() => undefined);
      // In an open transaction the time stands still.
      const ask = (from: Reader) => from.query<object[]>('SELECT now() = statement_timestamp() AS closed');
      expect(await database.read(ask)).toEqual([{ closed: true }]);
      await dataSource.destroy();
    },
  );
});
