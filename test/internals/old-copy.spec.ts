import { formatAmount, PaymentsOperator, type Payment, type PaymentsModuleOptions } from '@holdfast/payments';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { eventually } from '../support/eventually.js';
import { backUp } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import { reread, openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

const HOUR_MS = 3_600_000;
const web = { sweeps: false, requestTimeoutMs: 2_000, callDeadlineMs: 2_500 } as const;
/** It beats when the test says so. */
const worker = { sweeps: { intervalMs: HOUR_MS } } as const;
const recovering = { code: 'recovery_in_progress' };

describe('processes that do not sweep', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost(web);
    // Nothing but a list says what the copy has forgotten.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
  });
  afterEach(() => bench.close());

  const change = (assignments: string) => bench.asOwner(`UPDATE payments_commit_mark SET ${assignments}`);
  /** What a worker counts in an hour, seen by nobody else. */
  const beats = () => change('counter = counter + 1800');
  const recoveries = async ({ app }: PaymentsHost) =>
    (await app.get(PaymentsOperator).recoveries()).filter(({ reason }) => reason !== 'in_flight');
  const charges = () => bench.sandbox.ledger.totals().charges;
  const refunded = ({ serviceId }: Payment) => bench.sandbox.ledger.totals(serviceId ?? '').refunded;
  const age = (hours: number) => change(`beat_at = beat_at - interval '${hours} hours'`);

  /** As whoever asks again does; what is refused is not paid. */
  async function charged({ payments }: PaymentsHost, input = orderInput()): Promise<Payment | null> {
    const payment = await payments.create(input).catch(() => null);
    if (payment === null) return null;
    if (payment.status === 'pending')
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payments.refresh(payment.id);
  }

  async function mustBeCharged(by: PaymentsHost, input = orderInput()): Promise<Payment> {
    const payment = await charged(by, input);
    if (payment === null) throw new Error('It was not charged.');
    return payment;
  }

  describe.each<[string, { isNew: boolean; isWorkerAlive: boolean }]>([
    ['in a new process', { isNew: true, isWorkerAlive: false }],
    ['in one that lived through it', { isNew: false, isWorkerAlive: false }],
    ['with a worker alive that has not beaten yet', { isNew: false, isWorkerAlive: true }],
  ])('on a copy of yesterday, %s', (_name, { isNew, isWorkerAlive }) => {
    const lost = orderInput();
    const back = { refundKey: 'back', amount: formatAmount(30_00) };
    const others: Partial<PaymentsModuleOptions> = { ...web, ...(isWorkerAlive && worker) };
    let beside: PaymentsHost | null;
    let kept: Payment;
    let unsent: Payment;

    beforeEach(async () => {
      beside = isWorkerAlive ? await bench.startHost(others) : null;
      if (beside)
        await eventually(
          () => recoveries(host),
          ({ length }) => length === 0,
        );
      kept = await mustBeCharged(host);
      unsent = await mustBeCharged(host);
      await host.dataSource.transaction((manager) => host.payments.refund(unsent.id, { ...back, manager }));
      await beats();
      const copy = await backUp(bench);
      await beats();
      // By another process, so that the first one has seen nothing that the copy lacks.
      const ended = await bench.startHost(web);
      await mustBeCharged(ended, lost);
      await ended.payments.refund(kept.id, back);
      await reread(ended, unsent.id);
      await ended.close();
      await copy.restore();
      await age(25);
      await bench.sandbox.clock.advance(25 * HOUR_MS);
      if (isNew) {
        await host.close();
        host = await bench.startHost(web);
      }
    });

    it('charge nothing and give nothing back again, and a window is opened', async () => {
      await charged(host, lost);
      await host.payments.refund(kept.id, back).catch(() => undefined);
      await reread(host, unsent.id);
      expect([charges(), refunded(kept), refunded(unsent)]).toEqual([3, '30.00', '30.00']);
      if (beside) await beside.app.get(RollbackWatch).runNext();
      expect(await recoveries(host)).toMatchObject([{ doneAt: null }]);
    });

    it.each<[string, () => Promise<unknown>, object]>([
      ['a create', () => host.payments.create(lost), { code: 'order_already_paid' }],
      ['a refund', () => host.payments.refund(kept.id, back), { status: 'succeeded', refundKey: 'back' }],
    ])('refuse %s until the lost time is read, and have it again then', async (_what, again, expected) => {
      await expect(again()).rejects.toMatchObject(recovering);
      const reader = beside ?? host;
      const read = async () => {
        await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
        await doAll(reader.app.get(Recoveries).work);
      };
      await read();
      for (const { id } of [kept, unsent]) await reread(host, id);
      await read();
      expect(await recoveries(host)).toMatchObject([{ doneAt: expect.any(Date), error: null }]);
      await eventually(
        async () => {
          const [payment] = await host.payments.findByOrder(lost.order.reference);
          return payment && reread(host, payment.id);
        },
        (payment) => payment?.status === 'succeeded',
      );
      expect(await again().catch((error: unknown) => error)).toMatchObject(expected);
      expect([charges(), refunded(kept), refunded(unsent)]).toEqual([3, '30.00', '30.00']);
    });
  });

  it('go on after a day in which nobody swept, once somebody does, and say what is missing until then', async () => {
    await age(24);
    await expect(host.payments.create(orderInput())).rejects.toMatchObject({
      ...recovering,
      message: expect.stringContaining('sweeps: false'),
    });
    await bench.startHost();
    expect(
      await eventually(
        () => charged(host),
        (payment) => payment !== null,
      ),
    ).toMatchObject({
      status: 'succeeded',
    });
  });

  it('go on for as long as the keys protect what may be forgotten', async () => {
    await age(22);
    expect(await charged(host)).toMatchObject({ status: 'succeeded' });
    expect(await recoveries(host)).toEqual([]);
  });

  it.each<[string, (payment: Payment) => Promise<unknown>]>([
    ['a create', () => host.payments.create(orderInput())],
    ['a refund', ({ id }) => host.payments.refund(id, { refundKey: 'part', amount: formatAmount(1_00) })],
  ])('know by %s how far others have counted', async (_name, act) => {
    const payment = await mustBeCharged(host);
    await beats();
    await act(payment);
    await change('counter = counter - 1');
    await expect(host.payments.create(orderInput())).rejects.toMatchObject(recovering);
    expect(await recoveries(host)).toMatchObject([{ reason: 'commits_lost' }]);
  });
});
