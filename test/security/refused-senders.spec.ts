import { PaymentsOperator, type Payment } from '@holdfast/payments';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';

import { refusalSlot } from '../../libs/payments/src/notifications/refusal-slot.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  patient,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const STRANGER = '203.0.113.9';
/** A proxy of the host's that its options forgot. */
const FORGOTTEN = '185.71.76.1, 172.16.0.9';

describe('refused notifications of payments we know', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const slots = new Set<number>();
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    logged.mockClear();
    slots.clear();
    bench = await openBench();
    host = await startHost();
  });
  afterEach(() => bench.close());
  afterAll(() => logged.mockRestore());

  async function startHost(): Promise<PaymentsHost> {
    const started = await bench.startHost({ sweeps: false, ...patient });
    // The service reaches nobody: what arrives is what the tests send.
    bench.sandbox.setNotifyUrl('http://127.0.0.1:1/');
    return started;
  }
  const errors = () => logged.mock.calls.map(([line]) => String(line));
  const operator = () => host.app.get(PaymentsOperator);
  const told = ({ serviceId }: Payment, event = 'payment.succeeded') => ({
    type: 'notification',
    event,
    object: { id: serviceId, status: 'succeeded' },
  });

  async function pending(): Promise<Payment> {
    for (;;) {
      const payment = await host.payments.create(orderInput());
      const slot = refusalSlot(payment.serviceId ?? '');
      // Two payments may share a slot; here each is to have its own.
      if (slots.has(slot)) continue;
      slots.add(slot);
      return payment;
    }
  }

  async function paid(): Promise<Payment> {
    const payment = await pending();
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    return payment;
  }

  /** Sends a notification that is refused, and waits until the refusal is on record. */
  async function refuse(payment: Payment, from: string): Promise<void> {
    const before = await recorded();
    expect((await sendNotification(host, told(payment), from)).status).toBe(403);
    await eventually(recorded, (count) => count > before);
  }
  const recorded = async () => (await operator().refusedSenders()).reduce((sum, { count }) => sum + count, 0);

  /** What polls would do when the payments' time has come. */
  async function poll(): Promise<void> {
    await bench.sandbox.clock.advance(60_000);
    const takeOne = host.app.get(Reconciler).worker(1);
    while (await takeOne());
  }

  it('that told the truth of three payments name the address and the setting that would accept it', async () => {
    for (let count = 1; count <= 3; count += 1) {
      expect(errors().filter((line) => line.includes('172.16.0.9'))).toEqual([]);
      const payment = await paid();
      await refuse(payment, FORGOTTEN);
      await host.payments.refresh(payment.id);
    }
    expect(errors()).toContainEqual(
      expect.stringMatching(
        /^Notifications of 3 payments .* 172\.16\.0\.9, .*'172\.16\.0\.9' to trustedProxies\.$/,
      ),
    );
    expect(await operator().refusedSenders()).toMatchObject([
      { address: '172.16.0.9', advice: 'trustedProxies', payments: 3, trueOf: 3, count: 3 },
    ]);
  });

  it('prove the same when the change was known before them', async () => {
    for (let count = 1; count <= 3; count += 1) {
      const payment = await paid();
      await host.payments.refresh(payment.id);
      await refuse(payment, STRANGER);
    }
    const said = (line: string) => line.includes(`'${STRANGER}' to notificationSenders`);
    const lines = await eventually(
      () => Promise.resolve(errors()),
      (all) => all.some(said),
    );
    expect(lines.filter(said)).toHaveLength(1);
  });

  it('prove nothing where what they told is not true', async () => {
    for (let count = 1; count <= 3; count += 1) {
      const payment = await pending();
      await refuse(payment, STRANGER);
      await host.payments.refresh(payment.id);
    }
    expect(errors()).toEqual([]);
    expect(await operator().refusedSenders()).toMatchObject([{ address: STRANGER, payments: 3, trueOf: 0 }]);
  });

  it('prove nothing once the accepted notification comes, as it does where the set-up is right', async () => {
    for (let count = 1; count <= 4; count += 1) {
      const payment = await paid();
      await refuse(payment, STRANGER);
      await host.payments.refresh(payment.id);
      expect((await sendNotification(host, told(payment))).status).toBe(200);
      await poll();
      // Told already: a repeat of it is no news.
      expect((await sendNotification(host, told(payment), STRANGER)).status).toBe(403);
    }
    expect(errors()).toEqual([]);
    expect(await operator().refusedSenders()).toEqual([]);
  });

  it('are no rows for ids that nobody knows, nor for what is no notification', async () => {
    const known = await pending();
    for (let count = 0; count < 10; count += 1) {
      const unknown = { type: 'notification', event: 'payment.succeeded', object: { id: randomUUID() } };
      expect((await sendNotification(host, unknown, STRANGER)).status).toBe(403);
      expect((await sendNotification(host, told(known, 'payment.exploded'), STRANGER)).status).toBe(403);
      expect((await sendNotification(host, { ...told(known), type: 'x' }, STRANGER)).status).toBe(403);
    }
    await refuse(known, STRANGER);
    expect(await operator().refusedSenders()).toMatchObject([{ payments: 1, count: 1 }]);
  });

  it('are counted over restarts as changes that polls found and nobody told, and three in a row are said', async () => {
    for (let count = 1; count <= 2; count += 1) {
      await paid();
      await poll();
    }
    expect((await operator().backlog()).untoldChanges.count).toBe(2);
    await host.close();
    host = await startHost();
    await paid();
    await poll();
    expect(errors()).toContainEqual(
      expect.stringMatching(/^Polling found the last 3 changes; .*trustedProxies/),
    );
    expect((await operator().backlog()).untoldChanges).toMatchObject({ count: 3 });
    expect((await operator().backlog()).untoldChanges.oldestMs).toBeGreaterThanOrEqual(60_000);

    const payment = await paid();
    expect((await sendNotification(host, told(payment))).status).toBe(200);
    await poll();
    expect((await operator().backlog()).untoldChanges).toEqual({ count: 0, oldestMs: null });
  });
});
