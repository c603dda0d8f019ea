import type { Payment } from '@holdfast/payments';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { oneByOne } from '../support/one-by-one.js';
import { reread, orderInput } from '../support/payments-host.js';
import { deliver, failures, pay } from './acts.js';
import { faultsOf } from './books.js';
import { doneOutside, recording, type Scenario, type Stage } from './stage.js';

/** Longer than the delay before a second run. */
const NEXT_RUN_MS = 12_000;

/** So often a lease ends. */
const ENDS = 2;

/** Two workers run the effect that a handler has recorded, and leases end between them; meanwhile the payment is re-read, and given back. */
export const effectOutside: Scenario = {
  name: 'an effect',
  async begin(stage) {
    const { payments } = stage.sweeper;
    const payment = await payments.create(orderInput());
    pay(stage, payment);
    await reread(stage.sweeper, payment.id);
    recording.add(payment.id);
    // The handler alone: the effect that it records is due after that.
    await oneByOne(stage.sweeper.app.get(Deliverer).work)();
    return {
      areTwins: true,
      readsAtOnce: true,
      work: {
        a: deliver,
        b: deliver,
        f: ({ host }) => host.payments.refund(payment.id, { refundKey: 'back' }),
        r: ({ host }) => reread(host, payment.id),
        // By its own connection: it waits while a claim or a mark is being committed.
        t: async ({ host: { dataSource } }) => {
          for (let end = 1; end <= ENDS; end += 1)
            await dataSource.query(
              `UPDATE payments_deliveries SET lease_until = lease_until - interval '1 day', next_attempt_at = next_attempt_at - interval '1 day'
               WHERE lease_until IS NOT NULL AND done_at IS NULL`,
            );
        },
      },
      timePasses: () => stage.bench.sandbox.clock.advance(NEXT_RUN_MS),
      faults: async ({ ends }) => [
        ...failures(ends),
        ...(await effectFaults(stage, payment)),
        ...(await faultsOf(stage, payment, { mayBeLookedAt: true })),
      ],
    };
  },
};

interface Recorded {
  readonly key: string;
  readonly data: unknown;
}

/** It is recorded once, and done under its key. */
async function effectFaults({ observer }: Stage, { id }: Payment): Promise<string[]> {
  const { rows } = await observer.query<Recorded>(
    `SELECT event.subject_id AS key, delivery.data FROM payments_events event
     JOIN payments_deliveries delivery ON delivery.event_id = event.id
     WHERE event.payment_id = $1 AND event.name = 'effect.recorded'`,
    [id],
  );
  const keys = doneOutside.filter(({ paymentId }) => paymentId === id).map(({ key }) => key);
  const known = rows.map(({ key }) => key);
  return [
    ...(known.length === 1 ? [] : [`its effect is recorded ${known.length} times`]),
    ...(keys.length > 0 && keys.length <= ENDS + 1 ? [] : [`its effect was run ${keys.length} times`]),
    ...keys.filter((key) => !known.includes(key)).map((key) => `it was done outside under ${key}`),
    ...rows.flatMap(({ data }) => (data === null ? [] : ['its data is still there'])),
  ];
}
