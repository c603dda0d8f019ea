import type { Payment } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const DELIVERIES = 40;

describe('a claim of the deliverer', () => {
  let bench: Bench;
  let web: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    web = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  /** Leaves one due delivery that nobody can make yet. */
  async function settle({ id, serviceId }: Payment): Promise<void> {
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await web.payments.refresh(id);
  }
  const deliveries = () =>
    web.dataSource.query<{ attempts: number; done: boolean }[]>(
      'SELECT attempts, done_at IS NOT NULL AS done FROM payments_deliveries',
    );

  it('takes one delivery, however few the planner believes there are', async () => {
    const [first, ...rest] = await Promise.all(
      Array.from({ length: DELIVERIES }, () => web.payments.create(orderInput())),
    );
    if (first) await settle(first);
    // The statistics say that there is a single row, and stay so.
    await bench.asOwner('ALTER TABLE payments_deliveries SET (autovacuum_enabled = false)');
    await bench.asOwner('ANALYZE payments_deliveries');
    await Promise.all(rest.map(settle));
    expect(await deliveries()).toEqual(
      Array.from({ length: DELIVERIES }, () => ({ attempts: 0, done: false })),
    );

    // A delivery that is claimed and not made comes back when its lease has expired, at its second attempt.
    await bench.startHost({ handlerTimeoutMs: 5_000 });
    const made = await eventually(deliveries, (rows) => rows.every(({ done }) => done));
    expect(made.map(({ attempts }) => attempts)).toEqual(Array.from({ length: DELIVERIES }, () => 1));
  });
});
