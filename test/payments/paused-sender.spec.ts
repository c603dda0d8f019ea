import { PaymentOutcomeUnknownError } from '@holdfast/payments';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { startHeldService } from '../support/held-service.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { openBench, orderInput, paymentBecomes, type Bench } from '../support/payments-host.js';

/** Half a second, so that it soon runs out. */
const hasty = { sweeps: false, requestTimeoutMs: 200, callDeadlineMs: 300 } as const;

describe('a sender that is paused past its lease', () => {
  let bench: Bench;
  let client: Client;
  beforeEach(async () => {
    bench = await openBench();
    client = new Client(bench.database.url);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await bench.close();
  });

  const becomesTrue = (question: string) =>
    eventually(async () => ((await client.query(question)).rowCount ?? 0) > 0, Boolean);
  const requests = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });

  /**
   * From now on every claim of an operation waits, just before it takes effect or before its commit, until it is
   * released.
   */
  async function stopClaims(at: 'update' | 'commit'): Promise<{ letGo: () => Promise<void> }> {
    await client.query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    // An order's first create is claimed as it is recorded.
    for (const [event, condition] of [
      ['INSERT', 'NEW.attempts > 0'],
      ['UPDATE', 'NEW.attempts > OLD.attempts'],
    ])
      await client.query(
        at === 'update'
          ? `CREATE TRIGGER stop_${event} BEFORE ${event} ON payments_operations FOR EACH ROW
             WHEN (${condition}) EXECUTE FUNCTION stop()`
          : `CREATE CONSTRAINT TRIGGER stop_${event} AFTER ${event} ON payments_operations DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION stop()`,
      );
    await client.query('SELECT pg_advisory_lock(1)');
    return { letGo: async () => void (await client.query('SELECT pg_advisory_unlock(1)')) };
  }

  const stopped = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;

  it('before it sends, sends nothing: the outcome of its request may have been decided without it', async () => {
    const web = await bench.startHost(hasty);
    const { id: paymentMethodId } = bench.sandbox.paymentMethods.bind();
    const { order, amount } = orderInput();
    const claims = await stopClaims('commit');
    const charge = web.payments.create({ order, amount, paymentMethodId }).catch((error: unknown) => error);
    await becomesTrue(`${stopped} AND clock_timestamp() - xact_start > interval '1 second'`);
    await claims.letGo();

    expect(await charge).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(requests('create')).toBe(0);

    await bench.startHost();
    await bench.sandbox.clock.advance(60_000);
    const [payment] = await web.payments.findByOrder(order.reference);
    await paymentBecomes(web, payment?.id ?? '', 'succeeded');
    expect(requests('create')).toBe(1);
  });

  it('sends what it has recorded after a wait for its order that was longer than any lease', async () => {
    const web = await bench.startHost(hasty);
    const input = orderInput();
    await web.payments.create(input);
    await client.query('BEGIN');
    await client.query('SELECT FROM payments_orders FOR UPDATE');
    const replacing = web.payments.create({
      ...input,
      amount: { value: '50.00', currency: 'RUB' },
      replace: true,
    });
    await becomesTrue(
      `SELECT 1 WHERE EXISTS (${LOCK_WAITS}) AND clock_timestamp() - now() > interval '1 second'`,
    );
    await client.query('COMMIT');
    expect(await replacing).toMatchObject({ status: 'pending' });
    expect(requests('create')).toBe(2);
  });

  it.each([
    ['without an answer', []],
    ['with a refusal', ['forbidden']],
  ] as const)('and comes back %s leaves the request to the one that took over', async (_name, first) => {
    const hastyHost = await bench.startHost({ ...hasty, poolSize: 1, sweeps: false });
    const other = await bench.startHost({ sweeps: false });
    const input = orderInput();
    for (const fault of first) bench.sandbox.faults.order({ on: 'create', fault });
    bench.sandbox.faults.order({ on: 'create', fault: 'stall', times: 100 });
    const claims = await stopClaims('update');
    const paused = hastyHost.payments.create(input).catch((error: unknown) => error);
    await becomesTrue(stopped);
    // Its claim returns the only connection, and we get it next: here it is paused.
    const connection = hastyHost.dataSource.createQueryRunner();
    const connected = connection.connect();
    await claims.letGo();
    await connected;
    await becomesTrue('SELECT 1 FROM payments_operations WHERE lease_until < clock_timestamp()');

    const resumed = other.payments.create(input);
    await becomesTrue('SELECT 1 FROM payments_operations WHERE attempts = 2');
    await connection.release();
    expect(await paused).toBeInstanceOf(PaymentOutcomeUnknownError);
    const { rows } = await client.query(
      'SELECT outcome, attempts, lease_until > clock_timestamp() AS leased FROM payments_operations',
    );
    expect(rows).toEqual([{ outcome: 'unknown', attempts: 2, leased: true }]);

    bench.sandbox.faults.clear();
    expect(await resumed).toMatchObject({ status: 'pending' });
    expect(bench.sandbox.payments.list()).toHaveLength(1);
  });

  it('before it claims, sends nothing under a key that has become too old meanwhile', async () => {
    const web = await bench.startHost({ sweeps: false });
    const { id, serviceId } = await web.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await web.payments.refresh(id);
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 4 });
    await expect(web.payments.capture(id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const sent = requests('capture');
    await client.query('BEGIN');
    await client.query(
      `UPDATE payments_operations SET first_sent_at = first_sent_at - interval '1 day', last_sent_at = last_sent_at - interval '1 day'`,
    );
    const again = web.payments.capture(id).catch((error: unknown) => error);
    await eventually(
      () => bench.asOwner(LOCK_WAITS),
      ({ length }) => length > 0,
    );
    await client.query('COMMIT');
    // A day has passed by the row, and seconds here: its last attempt may still be on its way.
    expect(await again).toBeInstanceOf(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(6 * 60_000);
    await expect(web.payments.capture(id)).rejects.toMatchObject({
      code: 'operation_refused',
      status: 'waiting_for_capture',
    });
    expect(requests('capture')).toBe(sent);
  });

  it('and sends while the hold is re-read has an outcome of its own: what was read says nothing of that attempt', async () => {
    const service = await startHeldService(bench.sandbox.url);
    const web = await bench.startHost({ sweeps: false, serviceUrl: service.url });
    const { id, serviceId } = await web.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await web.payments.refresh(id);
    bench.sandbox.faults.order({ on: 'capture', fault: 'reset_before_commit', times: 4 });
    await expect(web.payments.capture(id)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await client.query(`UPDATE payments_operations SET first_sent_at = first_sent_at - interval '1 day'`);
    const outcome = async () => {
      await bench.sandbox.clock.advance(6 * 60_000);
      await web.payments.refresh(id);
      const { rows } = await client.query(`SELECT outcome FROM payments_operations WHERE kind = 'capture'`);
      return rows;
    };
    const { isHeld, letGo } = service.hold('answer', { method: 'GET', path: `/payments/${serviceId}` });
    const meanwhile = outcome();
    await isHeld;
    await client.query(`UPDATE payments_operations SET attempts = attempts + 1 WHERE kind = 'capture'`);
    await letGo();
    expect(await meanwhile).toEqual([{ outcome: 'unknown' }]);
    expect(await outcome()).toEqual([{ outcome: 'unknown' }]);
    expect(await outcome()).toEqual([{ outcome: 'refused' }]);
    await service.close();
  });
});
