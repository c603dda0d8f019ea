import { PaymentsModule } from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Client } from 'pg';
import { paymentsOptions, startHost, type Host } from '../hosts/host.js';
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

  it('ends the wait for a locked row, and the payment beside it is not held up', async () => {
    const { payments } = await bench.startHost({ sweeps: false });
    const [locked, free] = [await payments.create(orderInput()), await payments.create(orderInput())];
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM payments_payments WHERE id = $1 FOR UPDATE', [locked.id]);
    try {
      await expect(payments.refresh(locked.id)).rejects.toMatchObject(DEADLINE);
      expect(await payments.refresh(free.id)).toMatchObject({ status: 'pending' });
    } finally {
      await other.query('ROLLBACK');
    }
  });

  it('lets notifications go that wait for the pool too long, and closes none of its connections', async () => {
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

  describe('on a half-open connection', () => {
    let proxy: DatabaseProxy;
    let host: Host;
    beforeAll(async () => {
      proxy = await startDatabaseProxy(bench.database.url);
      const single = TypeOrmModule.forRoot({
        type: 'postgres',
        url: proxy.url,
        autoLoadEntities: true,
        poolSize: 1,
      });
      const payments = PaymentsModule.forRoot(paymentsOptions(bench.sandbox));
      host = await startHost({ imports: [ScheduleModule.forRoot(), single, payments] });
    });
    afterAll(async () => {
      await host.close();
      await proxy.close();
    });

    it('gives it up, and the sweep goes on with a new one', async () => {
      const payment = await host.payments.create(orderInput());
      bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      // The sweep has nothing to do and only asks for work: that question is what gets no answer.
      proxy.freeze();
      await bench.sandbox.clock.advance(15_000);
      const status = async () => {
        const { rows } = await other.query<{ status: string }>(
          'SELECT status FROM payments_payments WHERE id = $1',
          [payment.id],
        );
        return rows[0]?.status;
      };
      expect(await eventually(status, (now) => now !== 'pending')).toBe('succeeded');
    });
  });
});
