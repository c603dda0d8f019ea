import { yookassaProfile } from '@holdfast/payments';
import { Gate } from '../interleavings/stepper.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { cups } from '../support/receipts.js';

const HOUR_MS = 3_600_000;

describe('a re-read of a payment whose create is still without an answer', () => {
  const gate = new Gate('r');
  let bench: Bench;
  let shop: PaymentsHost;
  /** Each of its statements can be held. */
  let reader: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench(testAccount, {
      profile: 'yookassa',
      receipts: { scenario: 'with_payment', provider: 'atol' },
    });
    const options = {
      profile: yookassaProfile,
      fiscalization: { register: 'third_party' },
    } as const;
    reader = await bench.startHost({ ...options, sweeps: false, connections: gate.connections });
    shop = await bench.startHost(options);
  });
  afterAll(async () => {
    gate.open();
    await bench.close();
  });

  /** Re-reads it, and holds that after so many statements while `meanwhile` happens; false if it was over before. */
  async function rereadWith(id: string, steps: number, meanwhile: () => Promise<void>): Promise<boolean> {
    let isOver = false;
    gate.close();
    const rereading = reader.payments.refresh(id).finally(() => {
      isOver = true;
    });
    const stands = () =>
      eventually(
        () => Promise.resolve(),
        () => isOver || gate.held.length > 0,
      );
    await stands();
    for (let step = 0; step < steps; step += 1) {
      void gate.held.shift()?.go();
      await stands();
    }
    const isHeld = !isOver;
    await meanwhile();
    gate.open();
    await rereading;
    return isHeld;
  }

  /** The create is answered, or its answer waits for what the re-read has locked. */
  async function answered(creating: Promise<unknown>): Promise<void> {
    let isDone = false;
    void creating.finally(() => {
      isDone = true;
    });
    bench.sandbox.faults.clear();
    await eventually(
      () => bench.asOwner(LOCK_WAITS),
      ({ length }) => isDone || length > 0,
    );
  }

  it('forgets nothing of the answer, at whatever moment it comes', async () => {
    const { id: paymentMethodId } = bench.sandbox.paymentMethods.bind();
    // Only polls find what becomes of the receipt.
    bench.sandbox.setNotifyUrl(null);
    const made: string[] = [];
    for (let steps = 0, isHeld = true; isHeld; steps += 1) {
      bench.sandbox.receipts.next({ status: 'pending' });
      bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
      const { order, amount } = orderInput();
      const creating = shop.payments.create({ order, amount, paymentMethodId, receipt: cups });
      const [payment] = await eventually(
        () => bench.asOwner<{ id: string }>(`SELECT id FROM payments_payments WHERE status = 'submitting'`),
        ({ length }) => length > 0,
      );
      const id = payment?.id ?? '';
      isHeld = await rereadWith(id, steps, () => answered(creating));
      expect(await creating).toMatchObject({ status: 'succeeded', receiptStatus: 'pending' });
      made.push(id);
    }
    expect(made.length).toBeGreaterThan(5);
    for (const { id } of bench.sandbox.receipts.list()) bench.sandbox.receipts.finish(id, 'succeeded');
    await bench.sandbox.clock.advance(HOUR_MS);
    const statuses = () => Promise.all(made.map(async (id) => (await shop.payments.get(id)).receiptStatus));
    await eventually(statuses, (all) => all.every((status) => status === 'succeeded'));
  });
});
