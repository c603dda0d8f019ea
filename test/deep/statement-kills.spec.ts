import type { Payment } from '@holdfast/payments';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { doAll } from '../support/one-by-one.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { startStatementProxy, type StatementProxy } from '../support/statement-proxy.js';
import { rereadNext } from '../support/sweep.js';

const sweepingProcess = fileURLToPath(new URL('../support/sweeping-process.js', import.meta.url));
/** Short, so that the lease of a killed process is soon over: half as long again. */
const TIMES = { requestTimeoutMs: 200, callDeadlineMs: 200, handlerTimeoutMs: 200 };

interface Victim {
  readonly child: ChildProcess;
  readonly proxy: StatementProxy;
}

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

  /** A process that starts on a signal. */
  async function start(): Promise<Victim> {
    const proxy = await startStatementProxy(bench.database.moduleUrl);
    const child = fork(sweepingProcess, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: proxy.url,
        PAYMENTS: JSON.stringify({ ...testAccount, ...TIMES, serviceUrl: bench.sandbox.url }),
      },
    });
    await once(child, 'message');
    return { child, proxy };
  }

  /** Whether the process got to its end; it is killed once it has sent that many statements. */
  async function sweepUntil(statement: number, { child, proxy }: Victim): Promise<boolean> {
    proxy.arm(statement, () => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    child.send('go');
    await exited;
    await proxy.close();
    return child.signalCode === null;
  }

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
    let statement = 0;
    let finished = false;
    // The next one starts while this one dies: most of the time goes into starting.
    let next = start();
    while (!finished) {
      statement += 1;
      const victim = await next;
      next = start();
      const payment = await paidUnseen();
      finished = await sweepUntil(statement, victim);
      const point = `after statement ${statement}`;
      expect({ point, effects: await recover(payment) }).toEqual({ point, effects: ['payment.succeeded'] });
      const { status } = await survivor.payments.get(payment.id);
      const timeline = await survivor.payments.timeline(payment.id);
      expect({ point, status, names: timeline.map(({ name }) => name) }).toEqual({
        point,
        status: 'succeeded',
        names: ['payment.submitting', 'payment.pending', 'payment.succeeded', 'order.paid'],
      });
    }
    const spare = await next;
    spare.child.kill('SIGKILL');
    await spare.proxy.close();
    // Each look, claim and write, and the same for the delivery: more than a handful.
    expect(statement).toBeGreaterThan(8);
    const open = await survivor.dataSource.query<object[]>(
      'SELECT FROM payments_deliveries WHERE done_at IS NULL',
    );
    expect(open).toEqual([]);
    expect(bench.sandbox.ledger.totals()).toMatchObject({ charges: statement, captures: statement });
  }, 600_000);
});
