import { PaymentsOperator } from '@holdfast/payments';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const HOUR_MS = 3_600_000;

describe('a notification of a payment we do not know', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const about = (id: string) => ({ type: 'notification', event: 'payment.succeeded', object: { id } });
  const reads = (paymentId: string) => bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId });
  const foreign = async (id: string) =>
    (await host.app.get(PaymentsOperator).foreignNotifications()).filter(({ objectId }) => objectId === id);
  const isForeign = (id: string) =>
    eventually(
      () => foreign(id),
      ({ length }) => length > 0,
    );

  /** Made by another system that uses the same store; its metadata can name one of ours. */
  async function madeElsewhere(metadata: Record<string, string> = {}): Promise<string> {
    const answer = await fetch(`${bench.sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`test_shop:${canaries.secretKey}`).toString('base64')}`,
        'Idempotence-Key': crypto.randomUUID(),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        amount: { value: '5.00', currency: 'RUB' },
        capture: true,
        confirmation: { type: 'redirect', return_url: 'https://elsewhere.example/' },
        metadata,
      }),
    });
    const body: unknown = await answer.json();
    if (typeof body === 'object' && body && 'id' in body && typeof body.id === 'string') return body.id;
    throw new Error(`The create was answered ${answer.status}.`);
  }

  it('is looked up once no call can wait for it, and again after an hour, and then costs nothing more, however often it comes', async () => {
    const id = await madeElsewhere();
    // Of its own end, an hour later, it would be told as well.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 10 });
    expect((await sendNotification(host, about(id))).status).toBe(200);
    await bench.sandbox.clock.advance(HOUR_MS - 60_000);
    const { notifications } = await host.app.get(PaymentsOperator).backlog();
    expect(notifications.count).toBe(1);
    await eventually(
      async () => reads(id),
      (count) => count === 1,
    );
    expect(await foreign(id)).toEqual([]);
    await bench.sandbox.clock.advance(120_000);
    const [entry] = await isForeign(id);
    expect(entry).toMatchObject({ event: 'payment.succeeded', senderAddress: '185.71.76.1', count: 1 });
    for (let count = 0; count < 5; count += 1) await sendNotification(host, about(id));
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    const known = await host.payments.create(orderInput());
    await host.payments.refresh(known.id);
    expect((await foreign(id)).find(({ event }) => event === 'payment.succeeded')).toMatchObject({
      count: 6,
    });
    expect(reads(id)).toBe(2);
    await eventually(
      () => host.app.get(PaymentsOperator).backlog(),
      (backlog) => backlog.notifications.count === 0,
    );
    expect(reads(id)).toBe(2);
  });

  it('that the service does not know either is foreign too', async () => {
    const id = crypto.randomUUID();
    await sendNotification(host, about(id));
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    expect(await isForeign(id)).toMatchObject([{ objectId: id, event: 'payment.succeeded' }]);
  });

  it('wakes it as soon as its id is known', async () => {
    const caller = await bench.startHost({ sweeps: false });
    const input = orderInput();
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 1_000 });
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    await expect(caller.payments.create(input)).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    const [made] = bench.sandbox.payments.list();
    const [lost] = await caller.payments.findByOrder(input.order.reference);
    bench.sandbox.payments.pay(made?.id ?? '', { outcome: 'succeed' });
    // The notification of the payment is here before its id is, and is looked up as a foreign one's: it waits, then counts.
    await eventually(
      async () => {
        await bench.sandbox.clock.advance(60_000);
        return reads(made?.id ?? '');
      },
      (count) => count > 0,
    );
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    await paymentBecomes(host, lost?.id ?? '', 'succeeded');
    expect(await foreign(made?.id ?? '')).toEqual([]);
    const timeline = await host.payments.timeline(lost?.id ?? '');
    expect(timeline.some(({ evidence }) => /second payment/.test(String(evidence['reason'])))).toBe(false);
    await eventually(
      async () => (await host.app.get(PaymentsOperator).backlog()).notifications.count,
      (count) => count === 0,
    );
    await caller.close();
  });

  it('that was closed as never received is reported to a person with its sum, and not looked up again', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 1_000 });
    const input = orderInput();
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'payment_outcome_unknown' });
    const [closed] = await host.payments.findByOrder(input.order.reference);
    await bench.sandbox.clock.advance(20 * 60_000);
    await paymentBecomes(host, closed?.id ?? '', 'rejected');
    bench.sandbox.faults.clear();

    const id = await madeElsewhere({ holdfast_payment: await markOf(bench, closed?.id) });
    bench.sandbox.payments.pay(id, { outcome: 'succeed' });
    await sendNotification(host, about(id));
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    await isForeign(id);
    const [event, ...more] = (await host.payments.timeline(closed?.id ?? '')).filter(
      ({ name }) => name === 'payment.anomaly',
    );
    expect(event?.evidence).toEqual({
      reason: `it is rejected, but the service has it as ${id}, succeeded, 5.00 RUB`,
      serviceId: id,
      serviceStatus: 'succeeded',
      serviceAmount: { value: '5.00', currency: 'RUB' },
    });
    expect(more).toEqual([]);
    await eventually(
      () => bench.effects(host, closed?.id ?? ''),
      (effects) => effects.includes('payment.anomaly'),
    );
    // It stays final, and nothing is due for it.
    expect(await host.payments.get(closed?.id ?? '')).toMatchObject({ status: 'rejected', serviceId: null });
    await sendNotification(host, about(id));
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    await host.payments.refresh((await host.payments.create(orderInput())).id);
    expect(reads(id)).toBe(1);
    expect((await host.app.get(PaymentsOperator).backlog()).notifications.count).toBe(0);
  });

  it('that carries the mark of another payment of ours is reported to the operator', async () => {
    const ours = await host.payments.create(orderInput());
    const id = await madeElsewhere({ holdfast_payment: await markOf(bench, ours.id) });
    await sendNotification(host, about(id));
    await bench.sandbox.clock.advance(2 * HOUR_MS);
    await isForeign(id);
    const timeline = await host.payments.timeline(ours.id);
    expect(timeline.find(({ name }) => name === 'payment.anomaly')?.evidence).toMatchObject({
      reason: `the service has a second payment with its mark in the metadata: ${id}`,
    });
  });
});
