import { OnPaymentEvent, type HandlerContext, type Payment, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { RefundWatch } from '../../libs/payments/src/reconcile/refunds/refund-watch.js';
import { Sweeper } from '../../libs/payments/src/sweeper.js';
import { Shutdown } from '../../libs/payments/src/work/shutdown.js';
import { testAccount } from '../support/account.js';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { startShopProcess } from '../support/shop-process.js';
import { noteStatements } from '../support/statements.js';
import { rereadNext } from '../support/sweep.js';

/** Longer than any test: a wait for it never ends. */
const FOR_EVER = { requestTimeoutMs: 120_000, callDeadlineMs: 160_000 };

/** Writes at once, and ends on request. */
@Injectable()
class SlowHandler {
  readonly begun: Promise<void>;
  readonly #ended: Promise<void>;
  #begin!: () => void;
  end!: () => void;

  constructor() {
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.#ended = new Promise((resolve) => (this.end = resolve));
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.slow' })
  async run({ name, payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
    this.#begin();
    await this.#ended;
  }
}

describe('a process that is asked to end', () => {
  let bench: Bench;
  /** Records work for the others to find; does nothing by itself. */
  let web: PaymentsHost;
  let outside: Client;
  beforeEach(async () => {
    bench = await openBench();
    web = await bench.startHost({ sweeps: false }, [SlowHandler]);
    bench.sandbox.setNotifyUrl(null);
    outside = new Client(bench.database.url);
    await outside.connect();
  });
  afterEach(async () => {
    bench.sandbox.faults.clear();
    await outside.end();
    await bench.close();
  });

  const asked = (endpoint: 'create' | 'read' | 'capture' | 'list_refunds') =>
    eventually(
      () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint })),
      (count) => count > 0,
    );

  /** Work that another process could not take up at once. */
  async function leases(): Promise<number> {
    const { rows } = await outside.query<{ leases: number }>(
      `SELECT count(*)::int AS leases FROM (
         SELECT GREATEST(lease_until, rest_until) AS until FROM payments_due
         UNION ALL SELECT lease_until FROM payments_operations
         UNION ALL SELECT lease_until FROM payments_deliveries
         UNION ALL SELECT lease_until FROM payments_notifications
         UNION ALL SELECT refund_watch_lease_until FROM payments_stores
         UNION ALL SELECT retention_lease_until FROM payments_stores
       ) held WHERE until > clock_timestamp()`,
    );
    return rows[0]?.leases ?? -1;
  }

  async function payable(capture: boolean): Promise<Payment> {
    const payment = await web.payments.create({ ...orderInput(), capture });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payment;
  }
  const dueNow = () => outside.query('UPDATE payments_due SET ready_at = now()');
  const delivery = async () =>
    (
      await outside.query<object>(
        'SELECT attempts, last_error, done_at IS NOT NULL AS done FROM payments_deliveries',
      )
    ).rows;

  it('answers the call that it is processing before it ends, with nothing left to wait out', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const created = web.payments.create(orderInput());
    await asked('create');
    const closed = web.app.close();
    bench.sandbox.faults.clear();
    expect(await created).toMatchObject({ status: 'pending' });
    await closed;
    expect(await leases()).toBe(0);
  });

  it('breaks off its re-reads of a service that hangs, and returns their payments', async () => {
    await payable(true);
    await dueNow();
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', times: 1_000 });
    const sweeping = await bench.startHost(FOR_EVER);
    await asked('read');
    await sweeping.app.close();
    expect(await leases()).toBe(0);
  });

  it('begins nothing that it would have to break off', async () => {
    const { id } = await payable(true);
    await dueNow();
    const { app } = await bench.startHost({ sweeps: false });
    // The host's own hooks may take some time between this one and the next.
    app.get(Shutdown).onModuleDestroy();
    const begun = await Promise.all([rereadNext(app), app.get(RefundWatch).work.take(1)]);
    expect(begun).toEqual([false, []]);
    const { rows } = await outside.query<object>('SELECT fence FROM payments_due WHERE payment_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ fence: null }]);
  });

  it('looks for no further work, whoever else takes long to end', async () => {
    const often = { sweeps: { intervalMs: 20 } };
    const [ending, other] = [await bench.startHost(often), await bench.startHost(often)];
    await ending.app.get(Sweeper).beforeApplicationShutdown();
    const [sent, sentByOther]: [string[], string[]] = [[], []];
    noteStatements(ending.dataSource, sent);
    noteStatements(other.dataSource, sentByOther);
    await eventually(
      () => Promise.resolve(sentByOther.length),
      (count) => count >= 5,
    );
    expect(sent).toEqual([]);
  });

  it('breaks off its search for the refunds of a service that hangs, and others begin it again', async () => {
    bench.sandbox.faults.order({ on: 'list_refunds', fault: 'stall', times: 1_000 });
    const sweeping = await bench.startHost(FOR_EVER);
    await asked('list_refunds');
    await sweeping.app.close();
    expect(await leases()).toBe(0);
    const { rows } = await outside.query<object>('SELECT refunds_seen_to FROM payments_stores');
    expect(rows).toEqual([{ refunds_seen_to: null }]);
  });

  it('receives the answer to the capture that it has sent, and records it', async () => {
    const { id, serviceId } = await payable(false);
    await web.payments.refresh(id);
    await web.dataSource.transaction((manager) => web.payments.capture(id, { manager }));
    bench.sandbox.faults.order({ on: 'capture', fault: 'stall_after_commit' });
    const sweeping = await bench.startHost();
    await asked('capture');
    const closed = sweeping.app.close();
    bench.sandbox.faults.clear();
    await closed;
    expect(await web.payments.get(id)).toMatchObject({ status: 'succeeded' });
    expect(bench.sandbox.ledger.totals(serviceId ?? '')).toMatchObject({ captures: 1 });
    expect(await leases()).toBe(0);
  });

  it('lets a running handler finish', async () => {
    const { id } = await payable(true);
    await web.payments.refresh(id);
    const sweeping = await bench.startHost({}, [SlowHandler]);
    const handler = sweeping.app.get(SlowHandler);
    await handler.begun;
    const closed = sweeping.app.close();
    handler.end();
    await closed;
    expect(await bench.effects(web, id)).toEqual(['payment.succeeded']);
    expect(await delivery()).toEqual([{ attempts: 1, last_error: null, done: true }]);
  });

  it('gives up a handler that hangs when its time is over: its writes are rolled back, and its run is counted', async () => {
    const { id } = await payable(true);
    await web.payments.refresh(id);
    const sweeping = await bench.startHost({ handlerTimeoutMs: 2_000 }, [SlowHandler]);
    await sweeping.app.get(SlowHandler).begun;
    await sweeping.app.close();
    expect(await bench.effects(web, id)).toEqual([]);
    expect(await delivery()).toEqual([
      { attempts: 1, last_error: expect.stringMatching(/^HandlerDeadlineError/), done: false },
    ]);
    expect(await leases()).toBe(0);
  });

  it('by SIGTERM answers the buyer who is waiting, and exits with 0', async () => {
    const shop = await startShopProcess({
      DATABASE_URL: bench.database.url,
      PAYMENTS_SERVICE_URL: bench.sandbox.url,
      PAYMENTS_SHOP_ID: testAccount.shopId,
      PAYMENTS_SECRET_KEY: testAccount.secretKey,
    });
    const buyer = new Buyer(shop.url);
    const reference = await buyer.newReference('milk-oolong');
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const checkedOut = buyer.checkOut(reference, 'milk-oolong');
    await asked('create');
    const ended = shop.end('SIGTERM');
    bench.sandbox.faults.clear();
    expect((await checkedOut).status).toBe(303);
    expect(await ended).toBe(0);
    expect(await leases()).toBe(0);
  });
});
