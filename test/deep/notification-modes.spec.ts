import {
  OnPaymentEvent,
  type HandlerContext,
  type Order,
  type Payment,
  type RefundEvent,
} from '@holdfast/payments';
import type { LedgerTotals, Sandbox } from '@holdfast/sandbox';
import { Injectable } from '@nestjs/common';
import { Dice } from '../../tools/common/dice.js';
import { eventually } from '../support/eventually.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const SEED = 1;
const ORDERS = 16;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** More than the workload sends. */
const MANY = 1_000;

@Injectable()
class RefundEffects {
  @OnPaymentEvent('refund.succeeded', { id: 'test.refunded' })
  async refunded({ name, payment, refund }: RefundEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
      `${name} ${refund.amount.value}`,
      payment.id,
    ]);
  }
}

interface RefundPlan {
  readonly value: string;
  readonly by: 'shop' | 'Merchant Profile';
}

/** Everything that happens to one order, by the seed alone. */
interface Plan {
  readonly reference: string;
  readonly capture: boolean;
  readonly outcome: 'succeed' | 'decline' | 'abandon';
  readonly finish: 'capture' | 'capture a part' | 'cancel' | 'none';
  readonly refunds: readonly RefundPlan[];
}

function planOrder(number: number): Plan {
  const dice = new Dice(SEED, `order ${number}`);
  return {
    reference: `order-${number}`,
    capture: dice.chance(0.5),
    outcome: dice.pick(['succeed', 'succeed', 'succeed', 'succeed', 'decline', 'abandon']),
    finish: dice.pick(['capture', 'capture', 'capture a part', 'cancel', 'none']),
    refunds: Array.from({ length: dice.whole(0, 3) }, () => ({
      value: `${dice.whole(1, 20)}.${dice.whole(10, 99)}`,
      by: dice.pick(['shop', 'Merchant Profile']),
    })),
  };
}

const plans = Array.from({ length: ORDERS }, (_, number) => planOrder(number));

/** What happens to the first sending of each notification. */
const modes: Readonly<Record<string, (faults: Sandbox['faults']) => void>> = {
  'every one at once': () => undefined,
  'every one lost': (faults) => faults.order({ on: 'notification', fault: 'drop', times: MANY }),
  'every one doubled': (faults) => faults.order({ on: 'notification', fault: 'duplicate', times: MANY }),
  'every one a day late': (faults) =>
    faults.order({ on: 'notification', fault: 'delay', ms: DAY_MS, times: MANY }),
  shuffled: (faults) => {
    const dice = new Dice(SEED, 'shuffled');
    for (let sent = 0; sent < MANY; sent += 1)
      faults.order({ on: 'notification', fault: 'delay', ms: dice.whole(0, 12 * HOUR_MS) });
  },
  'half of them lost': (faults) => {
    const dice = new Dice(SEED, 'half lost');
    for (let sent = 0; sent < MANY; sent += 1)
      faults.order({
        on: 'notification',
        ...(dice.chance(0.5) ? { fault: 'drop' } : { fault: 'delay', ms: 0 }),
      });
  },
};

/** The final state of one order, without its ids. */
interface Result {
  readonly orderReference: string;
  readonly status: string;
  readonly captured: string;
  readonly refunded: string;
  readonly refunds: readonly string[];
  /** Without the id of its store, which differs with each run's database. */
  readonly order: Partial<Omit<Order, 'store'>>;
  readonly effects: readonly string[];
  readonly ledger: LedgerTotals;
}

/** One run of the workload, and its result. */
class Run {
  readonly #made: Payment[] = [];

  constructor(
    private readonly bench: Bench,
    private readonly host: PaymentsHost,
  ) {}

  async do(): Promise<void> {
    const { sandbox } = this.bench;
    for (const { reference, capture } of plans)
      this.#made.push(await this.host.payments.create({ ...orderInput(reference), capture }));
    await this.#each(({ outcome }, { serviceId }) => sandbox.payments.pay(serviceId ?? '', { outcome }));
    // Longer than the payment term, so that abandoned payments have ended; around it, polls are a minute apart.
    await this.#pass(HOUR_MS + 5 * MINUTE_MS);
    while (!(await this.#isKnown())) await this.#pass(MINUTE_MS);
    await this.#each(async (plan, { id }) => {
      if (!isHeld(plan)) return undefined;
      if (plan.finish === 'cancel') return this.host.payments.cancel(id);
      const part = plan.finish === 'capture a part' ? { amount: rouble('70.00') } : {};
      return plan.finish === 'none' ? undefined : this.host.payments.capture(id, part);
    });
    await this.#each(async (plan, { id, serviceId }) => {
      if ((await this.host.payments.get(id)).status !== 'succeeded') return;
      for (const [index, { value, by }] of plan.refunds.entries()) {
        if (by === 'Merchant Profile') sandbox.refunds.make(serviceId ?? '', value);
        else await this.host.payments.refund(id, { refundKey: `return-${index}`, amount: rouble(value) });
      }
    });
    // By now delayed notifications have arrived, refunds made elsewhere were looked for, and then every hold has ended.
    for (const ms of [DAY_MS, 7 * DAY_MS]) await this.#pass(ms);
  }

  async result(): Promise<Result[]> {
    return Promise.all(
      this.#made.map(async ({ id, serviceId, orderReference }) => {
        const { status, capturedAmount, refundedAmount } = await this.host.payments.get(id);
        const refunds = await this.host.payments.refunds(id);
        return {
          orderReference,
          status,
          captured: capturedAmount.value,
          refunded: refundedAmount.value,
          refunds: refunds.map((refund) => `${refund.status} ${refund.amount.value}`).toSorted(),
          order: withoutStore(await this.host.payments.getOrder(orderReference)),
          effects: await this.bench.effects(this.host, id),
          ledger: this.bench.sandbox.ledger.totals(serviceId ?? ''),
        };
      }),
    );
  }

  async #each(act: (plan: Plan, payment: Payment) => unknown): Promise<void> {
    for (const [index, plan] of plans.entries()) {
      const payment = this.#made[index];
      if (payment) await act(plan, payment);
    }
  }

  /** Whether the shop knows of each payment that its buyer has decided, or that its term is over. */
  async #isKnown(): Promise<boolean> {
    const { payments } = this.host;
    const known = await Promise.all(this.#made.map(async ({ id }) => (await payments.get(id)).status));
    return plans.every((plan, index) =>
      isHeld(plan)
        ? known[index] === 'waiting_for_capture'
        : known[index] === 'succeeded' || known[index] === 'canceled',
    );
  }

  /** Moves time on and waits until nothing is due any more. */
  async #pass(ms: number): Promise<void> {
    const { clock } = this.bench.sandbox;
    await clock.advance(ms);
    const passed = clock.now();
    await eventually(
      () => this.#open(passed),
      ({ length }) => length === 0,
    );
  }

  /** What is not done, with a hint where to look. */
  async #open(since: Date): Promise<string[]> {
    const rows = await this.host.dataSource.query<{ open: string }[]>(
      `SELECT 'delivery ' || row_to_json(delivery) AS open FROM payments_deliveries delivery WHERE done_at IS NULL
       UNION ALL SELECT 'notification ' || row_to_json(waiting) FROM payments_notifications waiting WHERE count > handled_count
       UNION ALL SELECT 'due ' || row_to_json(due) FROM payments_due due WHERE ready_at <= $1 OR lease_until IS NOT NULL
       UNION ALL SELECT 'store ' || id FROM payments_stores
         WHERE refund_watch_at <= $1 OR refund_watch_lease_until IS NOT NULL`,
      [since],
    );
    return rows.map(({ open }) => open);
  }
}

function withoutStore(order: Order | null): Result['order'] {
  const { store: _store, ...rest } = order ?? {};
  return rest;
}

const isHeld = ({ capture, outcome }: Plan): boolean => !capture && outcome === 'succeed';
const rouble = (value: string) => ({ value, currency: 'RUB' as const });

async function resultOf(mode: string): Promise<Result[]> {
  const bench = await openBench();
  try {
    const host = await bench.startHost({ rereads: { perSecond: 1_000, burst: 10_000 } }, [
      EffectHandlers,
      RefundEffects,
    ]);
    modes[mode]?.(bench.sandbox.faults);
    const run = new Run(bench, host);
    await run.do();
    return await run.result();
  } finally {
    await bench.close();
  }
}

describe('the same shopping, with its notifications', () => {
  const [plain = '', ...others] = Object.keys(modes);
  let expected: Result[];
  beforeAll(async () => {
    expected = await resultOf(plain);
  });

  it('each at once, ends as the service has it in its books', () => {
    for (const { captured, refunded, ledger } of expected)
      expect({ captured, refunded }).toEqual({ captured: ledger.captured, refunded: ledger.refunded });
  });

  it('contains every case to compare', () => {
    const held = JSON.stringify(expected);
    for (const state of ['succeeded', 'canceled', 'partially_refunded', 'unpaid', 'refund.succeeded'])
      expect(held).toContain(state);
    const refunds = plans.flatMap((plan) => plan.refunds.map(({ by }) => by));
    expect(new Set(refunds).size).toBe(2);
  });

  it.each(others)(
    '%s, ends with the same states, effects and totals',
    async (mode) => {
      expect(await resultOf(mode)).toEqual(expected);
    },
    180_000,
  );
});
