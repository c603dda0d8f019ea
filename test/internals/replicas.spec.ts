import { WorkSignal } from '../../libs/payments/src/work/work-signal.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const PAYMENTS = 30;

describe('two replicas on one database', () => {
  let bench: Bench;
  let replicas: [PaymentsHost, PaymentsHost];
  beforeAll(async () => {
    bench = await openBench();
    replicas = [await bench.startHost(), await bench.startHost()];
  });
  afterAll(() => bench.close());

  it('share the due payments: each is re-read once, each handler takes effect once', async () => {
    const [host] = replicas;
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: PAYMENTS });
    const created = await Promise.all(
      Array.from({ length: PAYMENTS }, () => host.payments.create(orderInput())),
    );
    for (const { serviceId } of created) bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(12_000);

    const effects = () =>
      host.dataSource.query<{ payment_id: string }[]>('SELECT payment_id FROM effects ORDER BY payment_id');
    const rows = await eventually(effects, ({ length }) => length >= PAYMENTS);
    expect(rows.map((row) => row.payment_id)).toEqual(created.map(({ id }) => id).toSorted());
    const reads = created.map(({ serviceId }) =>
      bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId }),
    );
    expect(reads).toEqual(created.map(() => 1));
    expect(bench.sandbox.ledger.totals()).toMatchObject({ charges: PAYMENTS });
  });

  it('called for the same order at once make one payment', async () => {
    const input = orderInput();
    const before = bench.sandbox.payments.list().length;
    const created = await Promise.all(
      [...replicas, ...replicas].map(({ payments }) => payments.create(input)),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(bench.sandbox.payments.list()).toHaveLength(before + 1);
  });

  it('called to capture the same hold at once capture it once', async () => {
    const [first, second] = replicas;
    const payment = await first.payments.create({ ...orderInput(), capture: false });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => first.payments.get(payment.id),
      ({ status }) => status === 'waiting_for_capture',
    );
    await Promise.all([first, second, first, second].map(({ payments }) => payments.capture(payment.id)));
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({
      captures: 1,
      captured: '100.00',
    });
  });

  it('leave a payment to the one that re-reads it, however far the clock is moved', async () => {
    const [host] = replicas;
    const [held, other] = await Promise.all([
      host.payments.create(orderInput()),
      host.payments.create(orderInput()),
    ]);
    const reads = ({ serviceId }: typeof held) =>
      bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId });
    const readsBecome = (payment: typeof held) =>
      eventually(
        () => Promise.resolve(reads(payment)),
        (count) => count > 0,
      );
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', object: held.serviceId ?? '' });
    const refreshed = host.payments.refresh(held.id);
    await readsBecome(held);
    await bench.sandbox.clock.advance(1_800_000);
    await readsBecome(other);
    const count = reads(held);
    bench.sandbox.faults.clear();
    await refreshed;
    expect(count).toBe(1);
  });

  it('process every payment if the database makes transactions serializable by default', async () => {
    await bench.asOwner(
      `DO $$ BEGIN
         EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database());
       END $$`,
    );
    const { payments } = await bench.startHost();
    const taken = await Promise.all(
      Array.from({ length: PAYMENTS }, async () => {
        const { id, serviceId } = await payments.create(orderInput());
        bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
        return payments.refresh(id);
      }),
    );
    expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 'succeeded'));
  });
});

describe('replicas that do not know the same secret keys', () => {
  const [oldKey, newKey] = [testAccount.secretKey, 'test_secret_new'];
  let bench: Bench;
  let knowsBoth: PaymentsHost;
  let knowsOld: PaymentsHost;
  let knowsNew: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    bench.sandbox.setSecretKeys([newKey, oldKey]);
    // None polls by itself: each sees a row as it was written.
    const sweeps = { intervalMs: 3_600_000 };
    knowsBoth = await bench.startHost({ sweeps, secretKey: () => [newKey, oldKey] });
    knowsOld = await bench.startHost({ sweeps });
    knowsNew = await bench.startHost({ sweeps, secretKey: newKey });
  });
  afterAll(() => bench.close());

  it('show what one with both was told that the buyer has to do, and read what one with either was told', async () => {
    const { id, confirmationUrl } = await knowsBoth.payments.create(orderInput());
    expect(confirmationUrl).not.toBeNull();
    for (const { payments } of [knowsOld, knowsNew])
      expect(await payments.get(id)).toMatchObject({ status: 'pending', confirmationUrl });
    for (const { payments } of [knowsOld, knowsNew]) {
      const { id: other, confirmationUrl: address } = await payments.create(orderInput());
      expect(await knowsBoth.payments.get(other)).toMatchObject({ confirmationUrl: address });
    }
  });

  it('ask the service again where they have no key in common: the buyer is led to the same page', async () => {
    const input = orderInput();
    const { id, serviceId, confirmationUrl } = await knowsNew.payments.create(input);
    expect(await knowsOld.payments.get(id)).toMatchObject({ status: 'pending', confirmationUrl: null });
    const reads = () => bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId });
    const before = reads();
    expect(await knowsOld.payments.create(input)).toMatchObject({ id, confirmationUrl });
    expect(reads()).toBe(before + 1);
    expect(await knowsNew.payments.refresh(id)).toMatchObject({ id, confirmationUrl });
  });
});

describe('a replica that looks once an hour', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: { intervalMs: 3_600_000 } });
  });
  afterAll(() => bench.close());

  it.each([
    ['are due', 'polls'],
    ['failed before, which have half of its slots', 'failing'],
  ])('continues without a pause until it has re-read all payments that %s', async (_, lane) => {
    const count = 40;
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: count });
    const created = await Promise.all(
      Array.from({ length: count }, () => host.payments.create(orderInput())),
    );
    for (const { serviceId } of created) bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await bench.asOwner('UPDATE payments_due SET lane = $1', [lane]);
    await bench.sandbox.clock.advance(12_000);
    host.app.get(WorkSignal).wake('payments');
    const payments = await eventually(
      () => Promise.all(created.map(({ id }) => host.payments.get(id))),
      (known) => known.every(({ status }) => status === 'succeeded'),
    );
    expect(payments).toHaveLength(count);
  });
});
