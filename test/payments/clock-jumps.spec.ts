import { PaymentOutcomeUnknownError } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { canaries } from '../support/canaries.js';
import { casesOf, clockStage } from '../support/clock-jumps.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

// test/deep/clock-jumps.spec.ts has the others.
describe('a clock that jumps while a create is under way', () => {
  const stage = clockStage();
  const cases = casesOf('11 min ahead');

  it.each(cases)(
    '%s, %s, before the request leaves: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.beforeItLeaves(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while it is on its way: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.onItsWay(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while its answer is on the way: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.asItIsAnswered(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, once its answer is written: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.onceWritten(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while nobody waits for it any more: it is not closed, and charged once',
    async (which, _by, ms) => {
      expect(await stage.withNobodyWaiting(which, ms)).toBe(1);
    },
  );

  it('and all clocks move on while somebody waits: the create is not closed', async () => {
    expect(await stage.whileAllMove()).toBe(1);
  });
});

describe("a process's clock that steps six hours ahead between a request and its answer", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench({ shopId: '100500', secretKey: canaries.secretKey });
    bench.sandbox.setNotifyUrl(null);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => bench.close());

  it.each(['create', 're-read'] as const)('delays no poll after a %s', async (request) => {
    const proxy = await bench.startProxy();
    const host = await bench.startHost({ sweeps: false, serviceUrl: proxy.url });
    const step = () => {
      const { now } = Date;
      proxy.rewrite = (object) => {
        jest.spyOn(Date, 'now').mockImplementation(() => now() + 6 * 3_600_000);
        return object;
      };
    };
    if (request === 'create') step();
    const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
    if (request === 're-read') {
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      step();
      await host.payments.refresh(id);
    }
    const reached = request === 'create' ? 'pending' : 'waiting_for_capture';
    expect(await host.payments.get(id)).toMatchObject({ status: reached });
    const [row] = await bench.asOwner<{ seconds: number }>(
      `SELECT extract(epoch FROM ready_at - now())::float AS seconds FROM payments_due WHERE payment_id = $1`,
      [id],
    );
    expect(row?.seconds).toBeLessThan(60);
    await host.close();
  });
});

describe('a create that the service never received, as the database is set back by twenty minutes', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('is not sent again for longer than its caller may be waiting', async () => {
    const host = await bench.startHost({ sweeps: false });
    const { order, ...input } = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    await expect(host.payments.create({ order, ...input })).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    await bench.asOwner(
      `UPDATE payments_operations SET recorded_at = recorded_at + interval '20 min', first_sent_at = first_sent_at + interval '20 min',
         last_sent_at = last_sent_at + interval '20 min'`,
    );
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    await bench.sandbox.clock.advance(25 * 60_000);
    const [payment] = await host.payments.findByOrder(order.reference);
    // What was never received is closed by a look at the service's list.
    expect(await host.payments.refresh(payment?.id ?? '')).toMatchObject({ status: 'rejected' });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent);
  });
});

describe('a refund whose answer was lost, as the database is set back', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    bench.sandbox.setNotifyUrl(null);
    host = await bench.startHost({ sweeps: false, circuit: false });
  });
  afterAll(() => bench.close());

  async function lost() {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    bench.sandbox.faults.order({ on: 'refund', fault: 'reset_after_commit', times: 100 });
    const refund = () =>
      host.payments.refund(id, { amount: { value: '30.00', currency: 'RUB' }, refundKey: 'one' });
    await expect(refund()).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    bench.sandbox.faults.clear();
    return { id, refund };
  }
  /** The service has forgotten the key by then. */
  async function dayLater(id: string, backMs: number): Promise<number> {
    await bench.sandbox.clock.advance(25 * 3_600_000);
    const columns = ['recorded_at', 'first_sent_at', 'last_sent_at'];
    const moved = columns.map((column) => `${column} = ${column} + interval '${backMs} ms'`).join(', ');
    await bench.asOwner(`UPDATE payments_operations SET ${moved} WHERE payment_id = $1 AND kind = 'refund'`, [
      id,
    ]);
    return bench.sandbox.ledger.requestCount({ endpoint: 'refund' });
  }

  it('is not sent again by a process that has known it for longer than its key lives', async () => {
    const { id, refund } = await lost();
    const sent = await dayLater(id, 24.5 * 3_600_000);
    await refund().catch((error: unknown) => error);
    await host.payments.refresh(id);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund' })).toBe(sent);
  });

  it('is not sent again by one that has just begun, while it was sent after now', async () => {
    const { id } = await lost();
    const sent = await dayLater(id, 27 * 3_600_000);
    const other = await bench.startHost({ sweeps: false });
    await other.payments
      .refund(id, { amount: { value: '30.00', currency: 'RUB' }, refundKey: 'one' })
      .catch((error: unknown) => error);
    await other.payments.refresh(id);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'refund' })).toBe(sent);
    await other.close();
  });
});
