import { formatAmount, PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, paidPayment, type Bench } from '../support/payments-host.js';
import { Stops } from '../support/stops.js';

const refundingProcess = fileURLToPath(new URL('../support/refunding-process.js', import.meta.url));
const refund = { refundKey: 'return-1', amount: formatAmount(40_00) };
const HOUR_MS = 3_600_000;
const REQUEST_TIMEOUT_MS = 2_000;

/** A point on the way of a refund at which the process that makes it stops, until it is killed. */
interface CrashPoint {
  readonly name: string;
  /** Makes it stop there. */
  stop(): Promise<void>;
  /** Resolves when it has stopped. */
  stopped(): Promise<unknown>;
  /** The refund once the process is gone. Default: nobody knows what became of it. */
  readonly left?: 'succeeded';
}

describe('a process killed with SIGKILL while it makes a refund', () => {
  let bench: Bench;
  let client: Client;
  let stops: Stops;
  beforeEach(async () => {
    bench = await openBench();
    client = new Client(bench.database.url);
    stops = new Stops(client);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await bench.close();
  });

  const requests = () =>
    bench.sandbox.ledger.report().requests.filter(({ endpoint }) => endpoint === 'refund');

  const arrived = () =>
    eventually(
      () => Promise.resolve(requests()),
      ({ length }) => length === 1,
    );

  const crashPoints: CrashPoint[] = [
    {
      name: 'when it is recorded and nothing is sent',
      stop: () => stops.at('commit', 'payments_operations', `NEW.kind = 'refund'`),
      stopped: () => stops.stopped(),
    },
    {
      name: 'when the request is under way, and arrives late',
      stop: () => Promise.resolve(bench.sandbox.faults.order({ on: 'refund', fault: 'stall' })),
      stopped: arrived,
    },
    {
      name: 'when the service has made it and not answered yet',
      stop: () => Promise.resolve(bench.sandbox.faults.order({ on: 'refund', fault: 'stall_after_commit' })),
      stopped: arrived,
    },
    {
      name: 'when the service has answered and nothing of it is written',
      stop: () => Promise.resolve(bench.sandbox.faults.order({ on: 'refund', fault: 'stall_after_commit' })),
      async stopped() {
        await arrived();
        await stops.atOrders();
        bench.sandbox.faults.clear();
        await stops.stopped();
      },
    },
    {
      name: 'when all of it is being written by one statement, which commits by itself',
      stop: () => stops.at('insert', 'payments_events', `NEW.name = 'refund.succeeded'`),
      stopped: () => stops.stopped(),
      left: 'succeeded',
    },
  ];

  async function paid(): Promise<Payment> {
    const host = await bench.startHost();
    const payment = await paidPayment(bench, host);
    await host.close();
    // Everything that is found later is found without a notification.
    bench.sandbox.setNotifyUrl(null);
    return payment;
  }

  function startRefund({ id }: Payment): ChildProcess {
    const payments = {
      ...testAccount,
      serviceUrl: bench.sandbox.url,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      callDeadlineMs: REQUEST_TIMEOUT_MS,
    };
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', refundingProcess], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: bench.database.moduleUrl,
        PAYMENTS: JSON.stringify(payments),
        PAYMENT_ID: id,
        REFUND: JSON.stringify(refund),
      },
      stdio: 'inherit',
    });
  }

  async function killAt(point: CrashPoint, payment: Payment): Promise<void> {
    await point.stop();
    const doomed = startRefund(payment);
    const exited = once(doomed, 'exit');
    await point.stopped();
    doomed.kill('SIGKILL');
    await exited;
    await stops.lift();
  }

  async function refunds(): Promise<{ status: string; service_id: string | null }[]> {
    const { rows } = await client.query<{ status: string; service_id: string | null }>(
      'SELECT status, service_id FROM payments_refunds',
    );
    return rows;
  }

  it.each(crashPoints)('$name leaves one refund, made under its first key', async (crashPoint) => {
    const payment = await paid();
    await killAt(crashPoint, payment);
    await eventually(refunds, ([left]) => left?.status === (crashPoint.left ?? 'submitting'));
    expect(await refunds()).toHaveLength(1);

    const host = await bench.startHost();
    bench.sandbox.setNotifyUrl(null);
    // A stalled request reaches the service only now, beside the one that is sent again.
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(60_000);
    await eventually(refunds, ([made]) => made?.status === 'succeeded');
    expect(await host.payments.refund(payment.id, refund)).toMatchObject({ status: 'succeeded' });

    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({
      refunds: 1,
      refunded: '40.00',
    });
    expect(new Set(requests().map(({ requestKey }) => requestKey)).size).toBe(1);
    const [atService] = bench.sandbox.refunds.list();
    expect(await refunds()).toEqual([{ status: 'succeeded', service_id: atService?.id }]);
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(40_00) });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({
      state: 'partially_refunded',
      refunded: formatAmount(40_00),
    });
    const names = (await host.payments.timeline(payment.id)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('refund.'))).toEqual([
      'refund.submitting',
      'refund.succeeded',
    ]);
  });

  it('is found in the list if its key is too old to be used again', async () => {
    const payment = await paid();
    const [, , made] = crashPoints;
    if (!made) throw new Error('There is such a point.');
    await killAt(made, payment);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(30 * HOUR_MS);
    const host = await bench.startHost();
    await eventually(refunds, ([known]) => known?.status === 'succeeded');
    expect(requests()).toMatchObject([{ count: 1 }]);
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({ refunds: 1 });
    expect(await host.payments.refund(payment.id, refund)).toMatchObject({ refundKey: 'return-1' });
    const { rows } = await client.query(`SELECT outcome FROM payments_operations WHERE kind = 'refund'`);
    expect(rows).toEqual([{ outcome: 'confirmed' }]);
  });
});

describe('a refund that the service never received', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  it('is closed by a full list without it, once its key is too old; until then its money stays reserved', async () => {
    const web = await bench.startHost({ sweeps: false });
    const created = await web.payments.create(orderInput());
    bench.sandbox.payments.pay(created.serviceId ?? '', { outcome: 'succeed' });
    const payment = await web.payments.refresh(created.id);
    bench.sandbox.faults.order({ on: 'refund', fault: 'reset_before_commit', times: 100 });
    await expect(web.payments.refund(payment.id, refund)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await expect(
      web.payments.refund(payment.id, { refundKey: 'another', amount: formatAmount(60_01) }),
    ).rejects.toMatchObject({ code: 'refund_amount_exceeded', inFlightMinor: 40_00 });
    const sent = () => bench.sandbox.ledger.requestCount({ endpoint: 'refund' });
    const before = sent();

    await bench.sandbox.clock.advance(24 * HOUR_MS);
    const host = await bench.startHost();
    // Another process: it has to wait itself with that attempt before its eyes, whatever the database's clock says.
    await host.payments.refresh(payment.id);
    expect(await host.payments.refunds(payment.id)).toMatchObject([{ status: 'submitting' }]);
    await bench.sandbox.clock.advance(6 * 60_000);
    await host.payments.refresh(payment.id);
    const [closed] = await eventually(
      () => host.payments.refunds(payment.id),
      ([known]) => known?.status === 'rejected',
    );
    expect(closed).toMatchObject({ refundKey: 'return-1', serviceId: null });
    expect(sent()).toBe(before);
    expect(await host.payments.timeline(payment.id)).toContainEqual(
      expect.objectContaining({
        name: 'refund.rejected',
        evidence: expect.objectContaining({ reason: 'never received' }),
      }),
    );
    bench.sandbox.faults.clear();
    await expect(host.payments.refund(payment.id, refund)).rejects.toMatchObject({
      code: 'operation_refused',
    });
    expect(await host.payments.refund(payment.id, { refundKey: 'another' })).toMatchObject({
      status: 'succeeded',
      amount: formatAmount(100_00),
    });
    expect(bench.sandbox.ledger.totals(payment.serviceId ?? '')).toMatchObject({
      refunds: 1,
      refunded: '100.00',
    });
  });
});
