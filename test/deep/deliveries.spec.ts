import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { testAccount } from '../support/account.js';
import { nextEvents, paidPayments } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { oneByOne } from '../support/one-by-one.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';

const deliveringProcess = fileURLToPath(new URL('../support/delivering-process.js', import.meta.url));
/** Short, so that the leases of a dead process are soon over: half as long again. */
const HANDLER_TIMEOUT_MS = 1_000;
const ATTEMPTS = 3;
const SEQUENCES = 24;
const EVENTS_EACH = 12;

/** Leaves the event's id behind; fails at some, and says so only after it wrote. */
@Injectable()
class Witness {
  readonly failed = new Set<string>();

  @OnPaymentEvent('payment.succeeded', { id: 'test.effects' })
  async succeeded({ id, payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [id, payment.id]);
    if (Number(id) % 17 === 0 && !this.failed.has(id)) {
      this.failed.add(id);
      throw new Error('no paper');
    }
  }
}

describe('deliveries', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  const deliveries = () =>
    bench.asOwner<{ sequence: string; done: boolean; parked: boolean; due: boolean }>(
      `SELECT sequence, done_at IS NOT NULL AS done, parked_at IS NOT NULL AS parked, next_attempt_at <= clock_timestamp() AS due
       FROM payments_deliveries`,
    );

  async function runProcess(deadly: string): Promise<NodeJS.Signals | null> {
    const child = fork(deliveringProcess, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: bench.database.moduleUrl,
        DEADLY: deadly,
        PAYMENTS: JSON.stringify({
          ...testAccount,
          serviceUrl: bench.sandbox.url,
          handlerTimeoutMs: HANDLER_TIMEOUT_MS,
          handlerAttempts: ATTEMPTS,
        }),
      },
    });
    await once(child, 'exit');
    return child.signalCode;
  }

  it('that were claimed together with one that kills its process are all made, and only that one is parked', async () => {
    await bench.startHost({ sweeps: false }, [Witness]);
    const ids = await paidPayments(bench, 16);
    const deadly = ids[7] ?? '';
    let deaths = 0;
    for (;;) {
      if ((await runProcess(deadly)) === 'SIGKILL') deaths += 1;
      const left = (await deliveries()).filter(({ done, parked }) => !done && !parked);
      if (left.length === 0) break;
      // The leases of the dead process.
      await eventually(deliveries, (rows) => rows.some(({ done, parked, due }) => !done && !parked && due));
    }
    const all = await deliveries();
    expect(all.filter(({ parked }) => parked).map(({ sequence }) => sequence)).toEqual([deadly]);
    expect(all.filter(({ done }) => done)).toHaveLength(15);
    expect(deaths).toBe(ATTEMPTS);
    const effects = await bench.asOwner<{ id: string }>('SELECT payment_id AS id FROM effects');
    expect(effects.map(({ id }) => id).toSorted()).toEqual(ids.filter((id) => id !== deadly).toSorted());
  });

  it('of several processes at once keep each payment’s order, and none waits longer than for those before it', async () => {
    const hosts: PaymentsHost[] = [];
    for (let started = 0; started < 3; started += 1)
      hosts.push(await bench.startHost({ sweeps: false, poolSize: 12 }, [Witness]));
    const ids = await paidPayments(bench, SEQUENCES);
    const progress = { written: false };
    const write = async () => {
      for (let event = 1; event < EVENTS_EACH; event += 1) await nextEvents(bench, ids);
      progress.written = true;
    };
    const left = async () => (await deliveries()).filter(({ done }) => !done).length;
    const deliver = async ({ app }: PaymentsHost) => {
      const { work } = app.get(Deliverer, { strict: false });
      while (!progress.written || (await left()) > 0) {
        // Those that failed have their next run at once.
        await bench.asOwner(
          `UPDATE payments_deliveries SET next_attempt_at = now() WHERE last_error IS NOT NULL AND lease_until IS NULL AND done_at IS NULL`,
        );
        const next = oneByOne(work);
        await Promise.all(
          Array.from({ length: work.slots }, async () => {
            while (await next());
          }),
        );
      }
    };
    // A delivery left behind would wait for ever.
    await Promise.all([write(), ...hosts.map(deliver)]);
    const effects = await bench.asOwner<{ paymentId: string; events: number[] }>(
      `SELECT payment_id AS "paymentId", array_agg(event::int ORDER BY xmin::text::bigint) AS events FROM effects GROUP BY payment_id`,
    );
    expect(effects).toHaveLength(SEQUENCES);
    for (const { events } of effects) {
      expect(events).toHaveLength(EVENTS_EACH);
      expect(events).toEqual(events.toSorted((a, b) => a - b));
    }
  });
});
