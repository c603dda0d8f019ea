import {
  OnPaymentEvent,
  PaymentsModule,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Injectable } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from '../hosts/host.js';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { eventually } from '../support/eventually.js';
import { hasPgbouncer, startPgbouncer, type Pgbouncer } from '../support/pgbouncer.js';

@Injectable()
class Shipping {
  @OnPaymentEvent('payment.succeeded', { id: 'shipping.ship' })
  async ship({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO shipped VALUES ($1)', [payment.orderReference]);
  }
}

const POOL_SIZE = 3;

(hasPgbouncer ? describe : describe.skip)('behind pgbouncer in transaction mode', () => {
  let database: OpenDatabase;
  let pgbouncer: Pgbouncer;
  let sandbox: Sandbox;
  const hosts: Host[] = [];
  beforeAll(async () => {
    database = await openDatabase();
    await database.sql.query('CREATE TABLE shipped (reference text)');
    pgbouncer = await startPgbouncer(database.url, POOL_SIZE);
    sandbox = await startTestSandbox();
    for (let replica = 0; replica < 2; replica += 1) {
      const imports = [
        ScheduleModule.forRoot(),
        typeOrm(pgbouncer.url),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ];
      hosts.push(await startHost({ imports, providers: [Shipping] }));
    }
  });
  afterAll(async () => {
    for (const host of hosts) await host.close();
    await sandbox.close();
    await pgbouncer.close();
    await database.close();
  });

  it('two replicas take payments, holds and refunds on three server connections, each handler once', async () => {
    const [first, second] = hosts;
    if (!first || !second) throw new Error('Both replicas must run.');
    sandbox.setNotifyUrl(`${second.url}/webhooks/payments`);
    const take = async (index: number): Promise<Payment> => {
      const { payments } = index % 2 === 0 ? first : second;
      const { id, serviceId } = await payments.create({
        order: { reference: `order-${index}` },
        amount: { value: '10.00', currency: 'RUB' },
        capture: index % 3 !== 0,
        returnUrl: 'https://shop.example/return',
      });
      sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      const { status } = await payments.refresh(id);
      if (status === 'waiting_for_capture') await payments.capture(id);
      await payments.refund(id, { refundKey: 'return', amount: { value: '1.00', currency: 'RUB' } });
      return payments.get(id);
    };
    const taken = await Promise.all(Array.from({ length: 24 }, (_, index) => take(index)));
    expect(new Set(taken.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    const shipped = await eventually(
      async () =>
        (await database.sql.query<{ reference: string }>('SELECT reference FROM shipped ORDER BY 1')).rows,
      ({ length }) => length >= taken.length,
    );
    expect(shipped.map(({ reference }) => reference)).toEqual(
      taken.map(({ orderReference }) => orderReference).toSorted(),
    );
    expect(sandbox.ledger.totals()).toMatchObject({ charges: 24, captures: 24, refunds: 24 });
    const { rows } = await database.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(POOL_SIZE);
  });
});
