import type { Payment } from '@holdfast/payments';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { eventually } from '../support/eventually.js';
import { doAll } from '../support/one-by-one.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { rereadNext } from '../support/sweep.js';
import { afterEachStatement, startVictim, type Victim } from '../support/victim.js';

/** Short, so that the lease of a killed process is soon over: half as long again. */
const TIMES = { requestTimeoutMs: 200, callDeadlineMs: 200, handlerTimeoutMs: 200 };

describe('a process killed with SIGKILL after each statement of a re-read and a delivery in turn', () => {
  let bench: Bench;
  let survivor: PaymentsHost;
  /** Gives up on nothing, however busy the machine is. */
  let shop: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    survivor = await bench.startHost({ ...TIMES, sweeps: false });
    shop = await bench.startHost({ sweeps: false });
    // Found by the re-read alone.
    bench.sandbox.setNotifyUrl(null);
  });
  afterAll(async () => {
    await bench.close();
  });

  async function paidUnseen(): Promise<Payment> {
    const payment = await shop.payments.create(orderInput());
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await survivor.dataSource.query('UPDATE payments_due SET ready_at = now() WHERE payment_id = $1', [
      payment.id,
    ]);
    return payment;
  }

  const start = (): Promise<Victim> => startVictim(bench, { file: 'sweeping-process.js', options: TIMES });

  /** What any other process does when the leases of the dead one are over. */
  async function recover({ id }: Payment): Promise<string[]> {
    const { app } = survivor;
    const reconcile = () => rereadNext(app);
    return eventually(
      async () => {
        await reconcile();
        await doAll(app.get(Deliverer, { strict: false }).work);
        return bench.effects(survivor, id);
      },
      ({ length }) => length > 0,
    );
  }

  it('leaves the payment paid, its handler run once, and everything settled', async () => {
    const statements = await afterEachStatement(start, async (kill, point) => {
      const payment = await paidUnseen();
      const finished = await kill();
      expect({ point, effects: await recover(payment) }).toEqual({ point, effects: ['payment.succeeded'] });
      const { status } = await survivor.payments.get(payment.id);
      const timeline = await survivor.payments.timeline(payment.id);
      expect({ point, status, names: timeline.map(({ name }) => name) }).toEqual({
        point,
        status: 'succeeded',
        names: ['payment.submitting', 'payment.pending', 'payment.succeeded', 'order.paid'],
      });
      return finished;
    });
    // Each look, claim and write, and the same for the delivery: more than a handful.
    expect(statements).toBeGreaterThan(8);
    const open = await survivor.dataSource.query<object[]>(
      'SELECT FROM payments_deliveries WHERE done_at IS NULL',
    );
    expect(open).toEqual([]);
    expect(bench.sandbox.ledger.totals()).toMatchObject({ charges: statements, captures: statements });
  }, 600_000);
});
