import { PaymentsOperator } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

/** No tick comes in between, so that a window stays open. */
const byHand = { sweeps: false, requestTimeoutMs: 500, callDeadlineMs: 1_000 } as const;

describe('while the database may have forgotten a payment', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost(byHand);
  });
  afterEach(() => bench.asOwner('UPDATE payments_recoveries SET done_at = now()'));
  afterAll(() => bench.close());

  const requests = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });
  const openWindow = () =>
    bench.asOwner(
      `INSERT INTO payments_recoveries (id, store_id, from_at, to_at, reason, started_at)
       SELECT gen_random_uuid(), id, now(), now(), 'timeline_changed', now() FROM payments_stores`,
    );

  it('none is opened: nothing is recorded or sent, and the caller is told to try again', async () => {
    await openWindow();
    const input = orderInput();
    const before = requests();
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(requests()).toBe(before);
    expect(
      await bench.asOwner('SELECT FROM payments_orders WHERE reference = $1', [input.order.reference]),
    ).toEqual([]);
  });

  it('a create waits for the window to be read', async () => {
    const patient = await bench.startHost({ sweeps: false });
    await openWindow();
    const creating = patient.payments.create(orderInput());
    await eventually(
      () => patient.app.get(PaymentsOperator).recoveries(),
      (found) => found.some(({ doneAt }) => doneAt === null),
    );
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    expect(await creating).toMatchObject({ status: 'pending' });
    await patient.close();
  });

  it('what is open already is returned, and what is repeated is the same', async () => {
    const input = orderInput();
    const first = await host.payments.create(input);
    await openWindow();
    expect(await host.payments.create(input)).toMatchObject({ id: first.id });
    await expect(host.payments.create({ ...input, method: 'wallet', replace: true })).rejects.toMatchObject({
      code: 'recovery_in_progress',
    });
    expect(await host.payments.get(first.id)).toMatchObject({ superseded: false });
  });

  it.each([
    ['its mark is behind what this process knows', 'counter = counter - 1'],
    ['its timeline is another one', `timeline = 'FFFFFFFF'`],
  ])('a create is what notices that %s, before anything is recorded', async (_name, change) => {
    await host.payments.create(orderInput());
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await bench.asOwner(`UPDATE payments_commit_mark SET ${change}`);
    const before = requests();
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({ code: 'recovery_in_progress' });
    expect(requests()).toBe(before);
    const [found] = await host.app.get(PaymentsOperator).recoveries();
    expect(found).toMatchObject({ doneAt: null });
  });
});
