import { NoDatabaseConnectionError } from '@holdfast/payments';
import type { QueryRunner } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const POOL_SIZE = 4;
const noConnection = { code: 'no_database_connection', message: expect.stringContaining('Call again') };

describe('a pool of four, all of it taken', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, poolSize: POOL_SIZE });
  });
  afterEach(() => bench.close());

  /** Connections that the host has for itself, until they are given back. */
  const taken = async (count: number): Promise<QueryRunner[]> => {
    const runners = Array.from({ length: count }, () => host.dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    return runners;
  };
  const givenBack = (runners: readonly QueryRunner[]) =>
    Promise.all(runners.map((runner) => runner.release()));
  /** Who waits for a connection of the pool. */
  const waiting = (): unknown => {
    const { driver } = host.dataSource;
    return driver instanceof PostgresDriver ? driver.master.waitingCount : null;
  };
  const requests = (endpoint: 'create' | 'read') => bench.sandbox.ledger.requestCount({ endpoint });
  const arrived = (endpoint: 'create' | 'read', count: number) =>
    eventually(
      () => Promise.resolve(requests(endpoint)),
      (now) => now === count,
    );
  const counted = async () => {
    const [row] = await bench.asOwner<Record<'payments' | 'operations' | 'pending', number>>(
      `SELECT (SELECT count(*)::int FROM payments_payments) AS payments, (SELECT count(*)::int FROM payments_operations) AS operations,
         (SELECT count(*)::int FROM payments_payments WHERE status = 'pending') AS pending`,
    );
    return row;
  };

  it("by transactions of the host's that create a payment each: what has recorded nothing gives way, and what was sent ends", async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'stall' });
    let begun = 0;
    let go = () => {};
    const firstWaits = new Promise<void>((resolve) => (go = resolve));
    const within = (input: ReturnType<typeof orderInput>, until: Promise<void> | null) =>
      host.dataSource.transaction(async (manager) => {
        await manager.query('SELECT 1');
        begun += 1;
        await until;
        return host.payments.create(input);
      });
    const [first = orderInput(), ...others] = Array.from({ length: POOL_SIZE }, () => orderInput());
    const sent = within(first, null);
    await arrived('create', 1);
    const refused = others.map((input) => within(input, firstWaits).catch((error: unknown) => error));
    await eventually(
      () => Promise.resolve(begun),
      (now) => now === POOL_SIZE,
    );
    // Its answer comes when every connection is taken, and waits for one before the others do.
    bench.sandbox.faults.clear();
    await eventually(
      () => Promise.resolve(waiting()),
      (now) => now === 1,
    );
    go();

    expect(await sent).toMatchObject({ status: 'pending' });
    // Whoever gives up lets the next one in.
    const ends = await Promise.all(refused);
    const errors = ends.filter((end) => end instanceof Error);
    expect(errors[0]).toBeInstanceOf(NoDatabaseConnectionError);
    expect(errors).toEqual(errors.map(() => expect.objectContaining(noConnection)));
    const made = POOL_SIZE - errors.length;
    expect(await counted()).toEqual({ pending: made, payments: made, operations: made });
    expect(bench.sandbox.payments.list()).toHaveLength(made);

    // Nothing is behind them: called again, outside, each is made.
    const again = await Promise.all(others.map((input) => host.payments.create(input)));
    expect(again.map(({ status }) => status)).toEqual(others.map(() => 'pending'));
    expect(bench.sandbox.payments.list()).toHaveLength(POOL_SIZE);
  });

  it('by something else: a create, a capture and a refund record nothing, and say so', async () => {
    const held = await host.payments.create({ ...orderInput(), capture: false });
    const paid = await host.payments.create(orderInput());
    for (const { id, serviceId } of [held, paid]) {
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await host.payments.refresh(id);
    }
    const before = await counted();
    const others = await taken(POOL_SIZE);
    const calls = [
      host.payments.create(orderInput()),
      host.payments.capture(held.id),
      host.payments.refund(paid.id, { refundKey: 'return' }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject(noConnection);
    await givenBack(others);
    expect(await counted()).toEqual(before);
    expect(await host.payments.capture(held.id)).toMatchObject({ status: 'succeeded' });
  });

  it('by the transaction that a create is given: it is refused by name', async () => {
    const within = host.dataSource.transaction((manager) =>
      host.payments.create(Object.assign(orderInput(), { manager })),
    );
    await expect(within).rejects.toMatchObject({
      code: 'payment_input',
      field: 'manager',
      rule: expect.stringContaining('before the transaction or after it'),
    });
    expect(await counted()).toEqual({ payments: 0, operations: 0, pending: 0 });
  });
});
