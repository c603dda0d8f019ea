import { PaymentOutcomeUnknownError } from '@holdfast/payments';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, paymentBecomes, type Bench } from '../support/payments-host.js';

describe('a process paused past its lease, just before it sends', () => {
  let bench: Bench;
  const clients: Client[] = [];
  beforeEach(async () => {
    bench = await openBench();
    for (let count = 0; count < 2; count += 1) {
      const client = new Client(bench.database.url);
      await client.connect();
      clients.push(client);
    }
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await bench.close();
  });

  const answers = async (client: Client | undefined, question: string): Promise<boolean> =>
    ((await client?.query(question))?.rowCount ?? 0) > 0;

  it('sends nothing: what became of its request may have been decided without it', async () => {
    const [claim, send] = clients;
    const web = await bench.startHost({ sweeps: false, requestTimeoutMs: 200, callDeadlineMs: 300 });
    const { id: paymentMethodId } = bench.sandbox.paymentMethods.bind();
    const { order, amount } = orderInput();
    await claim?.query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    await claim?.query(`CREATE TRIGGER stop BEFORE UPDATE ON payments_operations FOR EACH ROW
      WHEN (NEW.attempts > OLD.attempts) EXECUTE FUNCTION stop()`);
    await claim?.query('BEGIN');
    await claim?.query('SELECT pg_advisory_xact_lock(1)');
    const charge = web.payments.create({ order, amount, paymentMethodId }).catch((error: unknown) => error);
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    await eventually(() => answers(send, waits), Boolean);

    // From its claim it goes on to the payment, and finds it locked.
    await send?.query('BEGIN');
    await send?.query('LOCK TABLE payments_payments IN ACCESS EXCLUSIVE MODE');
    await claim?.query('ROLLBACK');
    await eventually(
      () => answers(claim, 'SELECT 1 FROM payments_operations WHERE lease_until < clock_timestamp()'),
      Boolean,
    );
    await send?.query('ROLLBACK');

    expect(await charge).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(0);

    await bench.startHost();
    await bench.sandbox.clock.advance(60_000);
    const [payment] = await web.payments.findByOrder(order.reference);
    await paymentBecomes(web, payment?.id ?? '', 'succeeded');
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(1);
  });
});
