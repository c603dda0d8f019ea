import { formatAmount, type Payment, type Refund } from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import {
  reread,
  openBench,
  orderInput,
  paidPayment,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs, itemsAs, type Rewrite, type ServiceProxy } from '../support/service-proxy.js';

const MINUTE_MS = 60_000;

let bench: Bench;
let host: PaymentsHost;

const requests = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });

const paid = () => paidPayment(bench, host);

/** As staff do it in the Merchant Profile; its notification is lost. */
function madeUnseen({ serviceId }: Payment, amount?: string): { id: string } {
  bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
  return bench.sandbox.refunds.make(serviceId ?? '', amount);
}

const becomesKnown = (payment: Payment, status: Refund['status'] = 'succeeded') =>
  eventually(
    () => host.payments.refunds(payment.id),
    (refunds) => refunds.some((refund) => refund.status === status),
  );
const anomalies = async ({ id }: Payment) =>
  (await host.payments.timeline(id)).flatMap(({ name, evidence }) =>
    name === 'payment.anomaly' ? [evidence['reason']] : [],
  );

describe('a refund made outside the module', () => {
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  it('is found by its notification', async () => {
    const payment = await paid();
    const { id } = bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    expect(await becomesKnown(payment)).toMatchObject([
      { serviceId: id, refundKey: null, status: 'succeeded', amount: formatAmount(30_00) },
    ]);
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
    expect(await host.payments.getOrder(payment.orderReference)).toMatchObject({
      state: 'partially_refunded',
      refunded: formatAmount(30_00),
    });
  });

  it('shows the metadata that its maker gave it', async () => {
    const payment = await paid();
    const credentials = Buffer.from(`test_shop:${canaries.secretKey}`).toString('base64');
    const made = await fetch(`${bench.sandbox.url}/v3/refunds`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${credentials}`,
        'Idempotence-Key': crypto.randomUUID(),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        payment_id: payment.serviceId,
        amount: formatAmount(30_00),
        metadata: { desk: 'A' },
      }),
    });
    expect(made.status).toBe(200);
    await reread(host, payment.id);
    bench.sandbox.refunds.make(payment.serviceId ?? '', '20.00');
    await reread(host, payment.id);
    const refunds = await host.payments.refunds(payment.id);
    const shown = new Map(refunds.map(({ amount, metadata }) => [amount.value, metadata]));
    expect(Object.fromEntries(shown)).toEqual({ '30.00': { desk: 'A' }, '20.00': {} });
  });

  it('is found by a re-read of its payment', async () => {
    const payment = await paid();
    const { id } = madeUnseen(payment, '30.00');
    expect(await reread(host, payment.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
    expect(await host.payments.refunds(payment.id)).toMatchObject([{ serviceId: id, status: 'succeeded' }]);
  });

  it('counts once, however often it is notified', async () => {
    const payment = await paid();
    bench.sandbox.faults.order({ on: 'notification', fault: 'duplicate', copies: 5 });
    const { id } = bench.sandbox.refunds.make(payment.serviceId ?? '', '30.00');
    await becomesKnown(payment);
    await reread(host, payment.id);
    await bench.sandbox.clock.advance(60 * MINUTE_MS);
    await reread(host, payment.id);
    expect(await host.payments.refunds(payment.id)).toMatchObject([{ serviceId: id }]);
    const succeeded = (await host.payments.timeline(payment.id)).filter(
      ({ name }) => name === 'refund.succeeded',
    );
    expect(succeeded).toHaveLength(1);
  });
});

describe('a refund made outside the module that the service reports wrongly', () => {
  let proxy: ServiceProxy;
  let misled: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    // Neither looks by itself: a late look of a host that is not misled would be the first to find the refund.
    misled = await bench.startHost({ sweeps: false, serviceUrl: proxy.url });
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    proxy.rewrite = asItIs;
  });

  async function paidAndRead(): Promise<Payment> {
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return reread(host, id);
  }

  it.each<[string, Rewrite, RegExp]>([
    [
      'of more than was captured',
      (refund) => ({ ...refund, amount: formatAmount(100_01) }),
      /100.01 refunded of 100.00/,
    ],
    [
      'in another currency',
      (refund) => ({ ...refund, amount: { value: '30.00', currency: 'USD' } }),
      /in USD instead of RUB/,
    ],
    ['in an unknown status', (refund) => ({ ...refund, status: 'on_hold' }), /unknown status on_hold/],
    ['of another payment', (refund) => ({ ...refund, payment_id: 'another' }), /belongs to payment another/],
  ])('%s is applied to nothing and reported to the operator', async (_name, rewrite, reason) => {
    const payment = await paidAndRead();
    madeUnseen(payment, '30.00');
    proxy.rewrite = itemsAs((refund) => [rewrite(refund)]);
    await reread(misled, payment.id);
    expect(await anomalies(payment)).toEqual([expect.stringMatching(reason)]);
    expect(await misled.payments.refunds(payment.id)).toEqual([]);
    expect(await misled.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(0) });
    // Reported correctly, it is applied.
    await reread(host, payment.id);
    expect(await host.payments.refunds(payment.id)).toMatchObject([{ status: 'succeeded' }]);
  });

  /** Looked at often enough for a list that lags to be believed. */
  async function readAgain({ id }: Payment): Promise<void> {
    await reread(misled, id);
    await bench.asOwner('UPDATE payments_due SET checks = 10 WHERE payment_id = $1', [id]);
    await reread(misled, id);
  }

  const counting =
    ({ serviceId }: Payment, then: Rewrite = asItIs): Rewrite =>
    (object) =>
      object['id'] === serviceId ? { ...object, refunded_amount: formatAmount(30_00) } : then(object);

  it('is no difference while it is pending, and its payment counts it already', async () => {
    const payment = await paidAndRead();
    bench.sandbox.refunds.next({ status: 'pending' });
    madeUnseen(payment, '30.00');
    proxy.rewrite = counting(payment);
    await readAgain(payment);
    expect(await misled.payments.refunds(payment.id)).toMatchObject([{ status: 'pending' }]);
    expect(await anomalies(payment)).toEqual([]);
  });

  it('is a difference that no refund of ours explains which the list would show', async () => {
    const payment = await paidAndRead();
    bench.sandbox.faults.order({ on: 'refund', fault: 'reset_before_commit', times: 100 });
    const ours = misled.payments.refund(payment.id, { refundKey: 'a', amount: formatAmount(30_00) });
    await expect(ours).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    proxy.rewrite = counting(
      payment,
      itemsAs(() => []),
    );
    await readAgain(payment);
    bench.sandbox.faults.clear();
    expect(await anomalies(payment)).toEqual([
      'the service reports 30.00 as refunded, and the refunds add up to 0.00',
    ]);
  });

  it('counts once if a list shows it twice, as it was read last', async () => {
    const payment = await paidAndRead();
    const { id } = madeUnseen(payment, '60.00');
    proxy.rewrite = itemsAs((refund) => [{ ...refund, status: 'pending' }, refund]);
    await reread(misled, payment.id);
    expect(await anomalies(payment)).toEqual([]);
    expect(await misled.payments.refunds(payment.id)).toMatchObject([{ serviceId: id, status: 'succeeded' }]);
    expect(await misled.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(60_00) });
  });
});

describe('a refund made outside the module that stays pending for a while', () => {
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterEach(() => bench.close());

  it('is found by the watch even if every notification is lost and nobody asks', async () => {
    const several = [await paid(), await paid(), await paid()];
    await eventually(
      () => Promise.resolve(requests('list_refunds')),
      (count) => count > 0,
    );
    const [first, second, third] = several;
    if (!first || !second || !third) throw new Error('Three payments were made.');
    madeUnseen(first, '30.00');
    madeUnseen(second);
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    expect(await becomesKnown(first)).toMatchObject([{ amount: formatAmount(30_00) }]);
    expect(await becomesKnown(second)).toMatchObject([{ amount: formatAmount(100_00) }]);
    expect(await host.payments.refunds(third.id)).toEqual([]);
    expect(await host.payments.getOrder(second.orderReference)).toMatchObject({ state: 'refunded' });
  });

  it('is found by the watch even if it was made while no process was running', async () => {
    const payment = await paid();
    await host.close();
    madeUnseen(payment, '30.00');
    await bench.sandbox.clock.advance(3 * 24 * 60 * MINUTE_MS);
    host = await bench.startHost();
    expect(await becomesKnown(payment)).toMatchObject([{ amount: formatAmount(30_00) }]);
  });

  it('and pending is known before it is final, and its money is not promised twice', async () => {
    const payment = await paid();
    bench.sandbox.refunds.next({ status: 'pending' });
    const { id } = madeUnseen(payment, '70.00');
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    expect(await becomesKnown(payment, 'pending')).toMatchObject([{ serviceId: id, refundKey: null }]);
    await expect(
      host.payments.refund(payment.id, { refundKey: 'a', amount: formatAmount(30_01) }),
    ).rejects.toMatchObject({ code: 'refund_amount_exceeded', inFlightMinor: 70_00 });

    bench.sandbox.refunds.finish(id, 'canceled');
    await bench.sandbox.clock.advance(60 * MINUTE_MS);
    await becomesKnown(payment, 'canceled');
    expect(await host.payments.refund(payment.id, { refundKey: 'a' })).toMatchObject({
      amount: formatAmount(100_00),
    });
  });

  it('is watched for by one replica at a time, every ten minutes', async () => {
    await bench.startHost();
    await bench.startHost();
    await eventually(
      () => Promise.resolve(requests('list_refunds')),
      (count) => count === 1,
    );
    const before = requests('list_refunds');
    await bench.sandbox.clock.advance(9 * MINUTE_MS);
    // A payment that all three replicas process gives each of them time to look.
    const payment = await paid();
    await reread(host, payment.id);
    expect(requests('list_refunds')).toBe(before);
    await bench.sandbox.clock.advance(2 * MINUTE_MS);
    await eventually(
      () => Promise.resolve(requests('list_refunds')),
      (count) => count > before,
    );
    await reread(host, (await paid()).id);
    expect(requests('list_refunds')).toBe(before + 1);
  });

  it('is not missed by a watch that the service fails', async () => {
    await eventually(
      () =>
        host.dataSource.query<object[]>('SELECT 1 FROM payments_stores WHERE refunds_seen_to IS NOT NULL'),
      ({ length }) => length === 1,
    );
    const payment = await paid();
    madeUnseen(payment, '30.00');
    bench.sandbox.faults.order({ on: 'list_refunds', fault: 'error_500_before_commit', times: 20 });
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    const seenTo = () =>
      host.dataSource.query<{ seen: Date; lease: Date | null }[]>(
        'SELECT refunds_seen_to AS seen, refund_watch_lease_until AS lease FROM payments_stores',
      );
    const [before] = await seenTo();
    await eventually(
      seenTo,
      ([row]) => row?.lease !== null && row?.lease !== undefined && row.lease > new Date(Date.now() + 30_000),
    );
    expect((await seenTo())[0]?.seen).toEqual(before?.seen);
    bench.sandbox.faults.clear();
    await host.dataSource.query(
      'UPDATE payments_stores SET refund_watch_lease_until = NULL, refund_watch_at = created_at',
    );
    expect(await becomesKnown(payment)).toMatchObject([{ amount: formatAmount(30_00) }]);
  });

  it('is looked for from where the furthest look ended, whoever comes late with an earlier one', async () => {
    bench.sandbox.faults.order({ on: 'list_refunds', fault: 'stall' });
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    const stored = async () => {
      const [row] = await bench.asOwner<{ seen: string | null; isLeased: boolean }>(
        `SELECT refunds_seen_to::text AS seen, refund_watch_lease_until IS NOT NULL AS "isLeased" FROM payments_stores`,
      );
      return row;
    };
    await eventually(stored, (row) => row?.isLeased === true);
    await bench.asOwner(`UPDATE payments_stores SET refunds_seen_to = now() + interval '1 day'`);
    const further = (await stored())?.seen;
    bench.sandbox.faults.clear();
    await eventually(stored, (row) => row?.isLeased === false);
    expect((await stored())?.seen).toBe(further);
  });

  it.each([
    ['three hours slow', -180],
    ['two days slow', -2 * 24 * 60],
    ['two days fast', 2 * 24 * 60],
  ])('is found by the watch at a service whose clock is %s', async (_name, minutes) => {
    bench.sandbox.clock.skew(minutes * MINUTE_MS);
    const payment = await paid();
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    madeUnseen(payment, '30.00');
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    expect(await becomesKnown(payment)).toMatchObject([{ amount: formatAmount(30_00) }]);
  });

  it('that the list shows only after the watch has passed its time is found by the next look', async () => {
    const proxy = await bench.startProxy();
    const payment = await paid();
    await host.close();
    madeUnseen(payment, '30.00');
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    proxy.rewrite = itemsAs(() => []);
    host = await bench.startHost({ serviceUrl: proxy.url });
    const seenTo = () =>
      host.dataSource.query<{ late: boolean }[]>(`SELECT refunds_seen_to > $1 AS late FROM payments_stores`, [
        bench.sandbox.refunds.list()[0]?.created_at,
      ]);
    await eventually(seenTo, ([row]) => row?.late === true);
    proxy.rewrite = asItIs;
    await bench.sandbox.clock.advance(11 * MINUTE_MS);
    expect(await becomesKnown(payment)).toMatchObject([{ amount: formatAmount(30_00) }]);
  });

  it('of a payment that is not ours is left alone', async () => {
    const answer = await fetch(`${bench.sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${testAccount.shopId}:${testAccount.secretKey}`).toString('base64')}`,
        'Idempotence-Key': crypto.randomUUID(),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        amount: formatAmount(50_00),
        capture: true,
        confirmation: { type: 'redirect', return_url: 'https://shop.example/return' },
      }),
    });
    const foreign: { id: string } = JSON.parse(await answer.text());
    bench.sandbox.payments.pay(foreign.id, { outcome: 'succeed' });
    const { id } = bench.sandbox.refunds.make(foreign.id);
    const handled = () =>
      host.dataSource.query<object[]>(
        `SELECT 1 FROM payments_notifications WHERE object_id = $1 AND handled_count = count`,
        [id],
      );
    await eventually(handled, ({ length }) => length === 1);
    expect(await host.dataSource.query('SELECT 1 FROM payments_refunds')).toEqual([]);
  });

  it('named by a forged notification is looked for, with no result', async () => {
    const payment = await paid();
    const id = crypto.randomUUID();
    await sendNotification(host, {
      type: 'notification',
      event: 'refund.succeeded',
      object: { id, payment_id: payment.serviceId, status: 'succeeded', amount: formatAmount(100_00) },
    });
    // A read may lag behind its notification by this much.
    await bench.sandbox.clock.advance(15 * 60_000);
    await eventually(
      () =>
        host.dataSource.query<object[]>(
          `SELECT 1 FROM payments_notifications WHERE object_id = $1 AND handled_count = count`,
          [id],
        ),
      ({ length }) => length === 1,
    );
    expect(await host.payments.refunds(payment.id)).toEqual([]);
    expect(await host.payments.get(payment.id)).toMatchObject({ refundedAmount: formatAmount(0) });
  });

  it('that the payment counts and the list never shows is reported to the operator', async () => {
    const proxy = await bench.startProxy();
    const payment = await paid();
    await host.close();
    madeUnseen(payment, '30.00');
    proxy.rewrite = itemsAs(() => []);
    host = await bench.startHost({ serviceUrl: proxy.url });
    await reread(host, payment.id);
    for (let look = 0; look < 6; look += 1) await bench.sandbox.clock.advance(5 * MINUTE_MS);
    const reasons = await eventually(
      async () => {
        await bench.sandbox.clock.advance(MINUTE_MS);
        return anomalies(payment);
      },
      ({ length }) => length > 0,
    );
    expect(reasons).toEqual(['the service reports 30.00 as refunded, and the refunds add up to 0.00']);
    proxy.rewrite = asItIs;
    expect(await reread(host, payment.id)).toMatchObject({ refundedAmount: formatAmount(30_00) });
  });
});
