import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { Buyer } from '../support/buyer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { startShopProcess } from '../support/shop-process.js';

describe('a shop process killed with SIGKILL', () => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox(testAccount);
    client = new Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await sandbox.close();
    await database.drop();
  });

  it("between the service's answer and its own commit loses nothing: the payment is found, bound and charged once", async () => {
    const environment = {
      DATABASE_URL: database.url,
      PAYMENTS_SERVICE_URL: sandbox.url,
      PAYMENTS_SHOP_ID: testAccount.shopId,
      PAYMENTS_SECRET_KEY: testAccount.secretKey,
      TRUSTED_PROXIES: '127.0.0.1/32',
      SWEEP_INTERVAL_MS: '50',
      REQUEST_TIMEOUT_MS: '4000',
      CALL_DEADLINE_MS: '4000',
    };
    const doomed = await startShopProcess(environment);
    const buyer = new Buyer(doomed.url);
    const reference = await buyer.newReference('milk-oolong');

    // The service has made the payment and holds its answer back until the order's row is locked here.
    sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const checkout = buyer.checkOut(reference, 'milk-oolong').catch(() => 'connection lost');
    await eventually(
      () => Promise.resolve(sandbox.payments.list()),
      ({ length }) => length === 1,
    );
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM payments_orders WHERE reference = $1 FOR UPDATE', [reference]);
    sandbox.faults.clear();
    await eventually(waitingForLock, Boolean);
    await doomed.end('SIGKILL');
    // PostgreSQL would finish the waiting statement, as it does unless its host went down too.
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await client.query('ROLLBACK');
    expect(await checkout).toBe('connection lost');
    expect(await payments()).toEqual([{ status: 'submitting', service_id: null }]);

    const restarted = await startShopProcess(environment);
    sandbox.setNotifyUrl(`${restarted.url}/webhooks/payments`);
    const [atService] = sandbox.payments.list();
    // The lease of the dead sender runs by the database's own clock; the sweep takes over when it ends.
    await eventually(payments, ([payment]) => payment?.status === 'pending');
    expect(await payments()).toEqual([{ status: 'pending', service_id: atService?.id }]);

    sandbox.payments.pay(atService?.id ?? '', { outcome: 'succeed' });
    await eventually(
      () => new Buyer(restarted.url).order(reference),
      ({ state }) => state === 'paid',
    );
    const { rows: effects } = await client.query('SELECT effect FROM shop_order_effects');
    expect(effects).toEqual([{ effect: 'paid' }]);
    expect(sandbox.payments.list()).toHaveLength(1);
    expect(sandbox.ledger.totals()).toMatchObject({ charges: 1 });
    expect(sandbox.ledger.report().requests.filter(({ endpoint }) => endpoint === 'create')).toMatchObject([
      { count: 2 },
    ]);
    await restarted.end('SIGTERM');
  });

  async function payments(): Promise<{ status: string; service_id: string | null }[]> {
    const { rows } = await client.query<{ status: string; service_id: string | null }>(
      'SELECT status, service_id FROM payments_payments',
    );
    return rows;
  }

  async function waitingForLock(): Promise<boolean> {
    const { rows } = await client.query(LOCK_WAITS);
    return rows.length > 0;
  }
});
