import { yookassaProfile, type OwnReceiptInput, type Payment } from '@holdfast/payments';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { customer, receiptHandlers, rub } from '../support/receipts.js';
import { Stops } from '../support/stops.js';

const receiptProcess = fileURLToPath(new URL('../support/receipt-process.js', import.meta.url));
const HOUR_MS = 3_600_000;
const POLL_MS = 10_000;
const REQUEST_TIMEOUT_MS = 2_000;
const cup = { description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 } as const;
const prepaid = { customer, items: [{ ...cup, paymentMode: 'full_prepayment' } as const] };
const handedOver: OwnReceiptInput = {
  receiptKey: 'handed over',
  type: 'payment',
  receipt: { customer, items: [{ ...cup, paymentMode: 'full_payment' }] },
  settlements: [{ type: 'prepayment', amount: rub('100.00') }],
};

/** The two calls that send a receipt by itself; null: `settlePrepayment`. */
const calls: [what: string, receipt: OwnReceiptInput | null][] = [
  ['sends a receipt by itself', handedOver],
  ['settles a prepayment', null],
];

/** A point on the way of a receipt at which the process that sends it stops, until it is killed. */
interface CrashPoint {
  readonly name: string;
  /** Makes it stop there. */
  stop(): Promise<void>;
  /** Resolves when it has stopped. */
  stopped(): Promise<unknown>;
}

const Handlers = receiptHandlers(({ receipt }) => (receipt === null ? 'with the money' : 'by itself'));

describe.each(calls)('a process killed with SIGKILL while it %s', (_what, receipt) => {
  let bench: Bench;
  let client: Client;
  let stops: Stops;
  let payment: Payment;
  const doomed = new Set<ChildProcess>();
  beforeEach(async () => {
    bench = await openBench(testAccount, {
      profile: 'yookassa',
      receipts: { scenario: 'with_payment', provider: 'atol' },
    });
    client = new Client(bench.database.url);
    stops = new Stops(client);
    await client.connect();
    const host = await startHost();
    payment = await paidPayment(bench, host, { receipt: prepaid });
    await host.close();
  });
  afterEach(async () => {
    for (const process of doomed) process.kill('SIGKILL');
    doomed.clear();
    await client.end();
    await bench.close();
  });

  const startHost = (): Promise<PaymentsHost> => bench.startHost({ profile: yookassaProfile }, [Handlers]);
  const requests = () =>
    bench.sandbox.ledger.report().requests.filter(({ endpoint }) => endpoint === 'receipt');
  const settlements = () =>
    bench.sandbox.receipts.list().filter(({ settlements: [settled] }) => settled?.type === 'prepayment');
  const arrived = () =>
    eventually(
      () => Promise.resolve(requests()),
      ({ length }) => length === 1,
    );

  const recordedOnly: CrashPoint = {
    name: 'when it is recorded and nothing is sent',
    stop: () => stops.at('commit', 'payments_operations', `NEW.kind = 'receipt'`),
    stopped: () => stops.stopped(),
  };
  const made: CrashPoint = {
    name: 'when the service has it and has not answered yet',
    stop: () => Promise.resolve(bench.sandbox.faults.order({ on: 'receipt', fault: 'stall_after_commit' })),
    stopped: arrived,
  };
  const crashPoints: CrashPoint[] = [
    recordedOnly,
    {
      name: 'when the request is under way, and arrives late',
      stop: () => Promise.resolve(bench.sandbox.faults.order({ on: 'receipt', fault: 'stall' })),
      stopped: arrived,
    },
    made,
    {
      name: 'when the service has answered and nothing of it is written',
      stop: () => made.stop(),
      async stopped() {
        await arrived();
        await stops.atOrders();
        bench.sandbox.faults.clear();
        await stops.stopped();
      },
    },
    {
      name: 'when half of it is written',
      stop: () =>
        stops.at('update', 'payments_operations', `NEW.kind = 'receipt' AND NEW.outcome = 'confirmed'`),
      stopped: () => stops.stopped(),
    },
  ];

  function start(callDeadlineMs = REQUEST_TIMEOUT_MS): ChildProcess {
    const payments = {
      ...testAccount,
      serviceUrl: bench.sandbox.url,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      callDeadlineMs,
    };
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', receiptProcess], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: bench.database.moduleUrl,
        PAYMENTS: JSON.stringify(payments),
        PAYMENT_ID: payment.id,
        RECEIPT: receipt === null ? '' : JSON.stringify(receipt),
      },
      stdio: 'inherit',
    });
    doomed.add(started);
    return started;
  }

  async function killAt(point: CrashPoint): Promise<void> {
    await point.stop();
    const process = start();
    const exited = once(process, 'exit');
    await point.stopped();
    process.kill('SIGKILL');
    await exited;
    await stops.lift();
  }

  async function receipts(): Promise<{ status: string; service_id: string | null }[]> {
    const { rows } = await client.query<{ status: string; service_id: string | null }>(
      'SELECT status, service_id FROM payments_receipts',
    );
    return rows;
  }

  const act = ({ payments }: PaymentsHost) =>
    receipt === null ? payments.settlePrepayment(payment.id) : payments.receipts.create(payment.id, receipt);

  /** Whatever happened, in the end. */
  async function mustBeOne(host: PaymentsHost): Promise<void> {
    const [registered] = await eventually(
      async () => {
        // The lease of the dead process ends by the database's own clock, and then a poll is due.
        await bench.sandbox.clock.advance(POLL_MS);
        return receipts();
      },
      ([one]) => one?.status === 'succeeded',
    );
    expect(settlements()).toMatchObject([{ id: registered?.service_id, status: 'succeeded' }]);
    expect(await receipts()).toHaveLength(1);
    expect(new Set(requests().map(({ requestKey }) => requestKey)).size).toBe(1);
    const { rows } = await client.query(`SELECT outcome FROM payments_operations WHERE kind = 'receipt'`);
    expect(rows).toEqual([{ outcome: 'confirmed' }]);
    const told = async () =>
      (await bench.effects(host, payment.id)).filter((what) => what === 'receipt.succeeded: by itself');
    await eventually(told, ({ length }) => length > 0);
    // Asked for once more, it is the same.
    expect(await act(host)).toMatchObject({ status: 'succeeded', serviceId: registered?.service_id });
    const names = (await host.payments.timeline(payment.id)).map(({ name }) => name);
    // The payment's own, and this one.
    expect(names.filter((name) => name === 'receipt.succeeded')).toHaveLength(2);
    expect(await told()).toHaveLength(1);
  }

  // Once its body is recorded, a settlement is sent, answered and written as any receipt: only the way back to its row is its own.
  const isOwn = receipt !== null;

  it.each(isOwn ? crashPoints : [recordedOnly, made])(
    '$name leaves one receipt, sent under its first key',
    async (point) => {
      await killAt(point);
      expect(await receipts()).toEqual([{ status: 'submitting', service_id: null }]);
      const host = await startHost();
      // A stalled request reaches the service only now, beside the one that is sent again.
      bench.sandbox.faults.clear();
      await mustBeOne(host);
    },
  );

  const resumed = isOwn ? [recordedOnly, made] : [recordedOnly];

  it.each(resumed)('$name leaves one receipt, also where two resume at once', async (point) => {
    await killAt(point);
    bench.sandbox.faults.clear();
    // As long as the lease of the dead process may last, and longer.
    const resuming = [start(20_000), start(20_000)].map((process) => once(process, 'exit'));
    const hosts = await Promise.all([startHost(), startHost()]);
    expect((await Promise.all(resuming)).map(([code]: number[]) => code)).toEqual([0, 0]);
    for (const host of hosts) await mustBeOne(host);
  });

  it('is found in the list if its key is too old to be used again', async () => {
    await killAt(made);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(30 * HOUR_MS);
    const host = await startHost();
    await mustBeOne(host);
    expect(requests()).toMatchObject([{ count: 1 }]);
  });
});
