import { PaymentsModule, type Payment } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { ScheduleModule } from '@nestjs/schedule';
import { Client } from 'pg';

import { eventually } from '../support/eventually.js';
import { HELD_INSERTS, holdInserts } from '../support/held-inserts.js';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { listedSender, notification, post, storedNotifications, unlistedSender } from './notification.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

interface Stage {
  readonly database: OpenDatabase;
  readonly sandbox: Sandbox;
  readonly host: Host;
}

async function openStage(): Promise<Stage> {
  const database = await openDatabase();
  const sandbox = await startTestSandbox();
  const host = await startHost({
    imports: [
      ScheduleModule.forRoot(),
      typeOrm(database.url),
      PaymentsModule.forRoot(paymentsOptions(sandbox)),
    ],
  });
  return { database, sandbox, host };
}

async function closeStage({ database, sandbox, host }: Stage): Promise<void> {
  await host.close();
  await sandbox.close();
  await database.close();
}

describe('a notification', () => {
  /** Of all tests that leave database and service running. */
  let shared: Stage;
  let own: Stage | null = null;
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  let webhook: string;
  let orders = 0;
  beforeAll(async () => {
    shared = await openStage();
  });
  beforeEach(() => enter(shared));
  afterEach(async () => {
    if (own) await closeStage(own);
    own = null;
    shared.sandbox.setNotifyUrl(null);
    // Nothing of one test is handled or re-read in the next.
    await shared.database.sql.query('DELETE FROM payments_notifications; DELETE FROM payments_due');
  });
  afterAll(() => closeStage(shared));

  function enter(stage: Stage): void {
    ({ database, sandbox, host } = stage);
    webhook = `${host.url}/webhooks/payments`;
  }
  const openOwn = async () => {
    own = await openStage();
    enter(own);
  };

  interface SentPayment extends Payment {
    serviceId: string;
  }

  async function pending({ capture = true } = {}): Promise<SentPayment> {
    const payment = await host.payments.create({
      order: { reference: `order-${(orders += 1)}` },
      amount: { value: '1234.50', currency: 'RUB' },
      capture,
      returnUrl: 'https://shop.example/return',
    });
    const { serviceId } = payment;
    if (serviceId === null) throw new Error('The payment did not reach the service.');
    return { ...payment, serviceId };
  }

  const becomes = (id: string, status: string) =>
    eventually(
      () => host.payments.get(id),
      (payment) => payment.status === status,
    );
  const handled = (objectId: string, count: number) =>
    eventually(
      () => storedNotifications(database.sql, objectId),
      (rows) => rows[0]?.handledCount === count,
    );
  const reads = (paymentId: string) => sandbox.ledger.requestCount({ endpoint: 'read', paymentId });
  const eventCount = async () => {
    const { rows } = await database.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM payments_events',
    );
    return rows[0]?.count;
  };

  it('that falsely reports a payment is answered 200, causes one re-read and changes nothing; the true one then counts', async () => {
    const { id, serviceId, orderReference } = await pending();
    const events = await eventCount();
    const forged = { ...sandbox.payments.get(serviceId), status: 'succeeded', paid: true };
    expect(await post(webhook, notification('payment.succeeded', forged))).toBe(200);

    await handled(serviceId, 1);
    expect(reads(serviceId)).toBe(1);
    expect(await host.payments.get(id)).toMatchObject({
      status: 'pending',
      capturedAmount: { value: '0.00' },
    });
    expect(await host.payments.getOrder(orderReference)).toMatchObject({ state: 'unpaid' });
    expect(await eventCount()).toBe(events);

    sandbox.setNotifyUrl(webhook);
    sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(id, 'succeeded');
    expect(await storedNotifications(database.sql)).toMatchObject([{ event: 'payment.succeeded', count: 2 }]);
  });

  it('that falsely reports a cancellation leaves a hold unchanged', async () => {
    const { id, serviceId, orderReference } = await pending({ capture: false });
    sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'waiting_for_capture' });

    const forged = { ...sandbox.payments.get(serviceId), status: 'canceled', amount: { value: '0.01' } };
    expect(await post(webhook, notification('payment.canceled', forged))).toBe(200);
    await handled(serviceId, 1);
    expect(await host.payments.get(id)).toMatchObject({
      status: 'waiting_for_capture',
      amount: { value: '1234.50' },
    });
    expect(await host.payments.getOrder(orderReference)).toMatchObject({ held: { value: '1234.50' } });
    expect(sandbox.ledger.totals(serviceId)).toMatchObject({ cancels: 0, captures: 0 });
  });

  it('for an unknown id is stored and waits; nothing else happens', async () => {
    const { serviceId, orderReference } = await pending();
    const events = await eventCount();
    expect(await post(webhook, notification('payment.succeeded', { id: 'of-nobody' }))).toBe(200);
    // A later notification for one of our payments: when that is handled, this one has had its turn.
    expect(await post(webhook, notification('payment.succeeded', { id: serviceId }))).toBe(200);
    await handled(serviceId, 1);

    expect(await storedNotifications(database.sql, 'of-nobody')).toEqual([
      {
        event: 'payment.succeeded',
        objectId: 'of-nobody',
        senderAddress: listedSender,
        count: 1,
        handledCount: 0,
      },
    ]);
    expect(reads('of-nobody')).toBe(0);
    expect(await host.payments.findByOrder(orderReference)).toHaveLength(1);
    expect(await eventCount()).toBe(events);
  });

  it('is one row with a count, however many arrive at once', async () => {
    const body = notification('payment.succeeded', { id: 'some-payment' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(webhook, body)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await storedNotifications(database.sql)).toMatchObject([{ count: 20, handledCount: 0 }]);
  });

  it('is not answered before it is committed', async () => {
    const release = await holdInserts(database.sql, 'payments_notifications');
    let answered = false;
    const answer = post(webhook, notification('payment.succeeded', { id: 'some-payment' })).finally(
      () => (answered = true),
    );
    await eventually(
      () => database.sql.query<{ count: number }>(HELD_INSERTS),
      ({ rows }) => rows[0]?.count === 1,
    );
    // Enough time for an early answer: meanwhile the same host answers another request.
    expect(await post(webhook, notification('payment.succeeded', { id: 'other' }), unlistedSender)).toBe(403);
    expect(answered).toBe(false);
    await release();
    expect(await answer).toBe(200);
  });

  async function asAdmin(statement: string): Promise<void> {
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const admin = new Client(url.href);
    await admin.connect();
    await admin.query(`ALTER DATABASE ${name} ${statement}`);
    await admin.end();
  }

  it.each([
    {
      fault: 'its table is missing',
      damage: () => database.sql.query('ALTER TABLE payments_notifications RENAME TO elsewhere'),
      repair: () => database.sql.query('ALTER TABLE elsewhere RENAME TO payments_notifications'),
    },
    {
      fault: 'the database refuses connections',
      damage: async () => {
        await asAdmin('ALLOW_CONNECTIONS false');
        await database.sql.query(
          'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
      },
      repair: () => asAdmin('ALLOW_CONNECTIONS true'),
    },
  ])('is answered 503 while $fault, and 200 when it comes again', async ({ damage, repair }) => {
    await openOwn();
    const { id, serviceId } = await pending();
    await damage();
    const body = notification('payment.succeeded', { id: serviceId });
    expect(await post(webhook, body)).toBe(503);

    sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await repair();
    expect(await post(webhook, body)).toBe(200);
    await becomes(id, 'succeeded');
    expect(await storedNotifications(database.sql)).toMatchObject([{ objectId: serviceId, count: 1 }]);
  });

  it('is answered 200 and kept while the service is down', async () => {
    await openOwn();
    const { id, serviceId } = await pending();
    sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    const body = notification('payment.succeeded', sandbox.payments.get(serviceId));
    await sandbox.close();

    expect(await post(webhook, body)).toBe(200);
    expect(await storedNotifications(database.sql)).toMatchObject([
      { objectId: serviceId, count: 1, handledCount: 0 },
    ]);
    expect(await host.payments.get(id)).toMatchObject({ status: 'pending' });
  });
});
