import {
  OnPaymentEvent,
  type HandlerContext,
  type HoldPolicy,
  type PaymentEvent,
  type PaymentStatus,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import * as fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import {
  EffectHandlers,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { Course, type Transition } from './status-machine.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The table of ARCHITECTURE.md, repeated here: these transitions are proven. */
const table: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  submitting: ['pending', 'waiting_for_capture', 'succeeded', 'canceled', 'rejected'],
  pending: ['waiting_for_capture', 'succeeded', 'canceled'],
  waiting_for_capture: ['succeeded', 'canceled'],
  succeeded: [],
  canceled: [],
  rejected: [],
};
const isFinal = (status: PaymentStatus) => table[status].length === 0;
/** Those that a handler receives here. */
const emitted = ['payment.waiting_for_capture', 'payment.succeeded', 'payment.canceled'];

/** Fails at its first run of every event, and is parked for it. */
@Injectable()
class OftenParked {
  readonly #failed = new Set<string>();

  @OnPaymentEvent('payment.succeeded', { id: 'test.often-parked' })
  async run({ name, payment }: PaymentEvent, { manager, effectKey }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [
      `parked ${name}`,
      payment.id,
    ]);
    if (this.#failed.has(effectKey)) return;
    this.#failed.add(effectKey);
    throw new Error('the first run fails after its write');
  }
}

/** The state at our last look; nothing of it may ever be taken back. */
interface Known {
  status: PaymentStatus;
  transitions: readonly Transition[];
  effects: readonly string[];
}

/** One thing that happens, followed by a check of everything that must hold at any moment. */
class Step implements fc.AsyncCommand<Known, Course> {
  constructor(
    private readonly name: string,
    private readonly happen: (course: Course) => void | Promise<void>,
  ) {}

  check(): boolean {
    return true;
  }

  async run(known: Known, course: Course): Promise<void> {
    await this.happen(course);
    course.look();
    await holds(known, course);
  }

  toString(): string {
    return this.name;
  }
}

async function holds(known: Known, course: Course): Promise<void> {
  const { status, transitions, effects } = await course.committed();
  if (isFinal(known.status)) expect(status).toBe(known.status);
  expect(transitions.slice(0, known.transitions.length)).toEqual(known.transitions);
  expect(transitions[0]).toMatchObject({ from: null, to: 'submitting' });
  for (const [index, { name, from, to }] of transitions.entries()) {
    expect(name).toBe(`payment.${to}`);
    if (from === null) continue;
    expect(from).toBe(transitions[index - 1]?.to);
    expect(table[from]).toContain(to);
    // Only what the service itself has said: no notification's body, no guess.
    if (to === 'rejected') expect(course.theirs).toBeUndefined();
    else expect([...course.theirStatuses]).toContain(to);
  }
  const names = transitions.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(transitions.at(-1)?.to).toBe(status);
  const own = effects.filter((effect) => effect.startsWith('payment.') && effect !== 'payment.anomaly');
  expect(new Set(own).size).toBe(own.length);
  expect(names).toEqual(expect.arrayContaining(own));
  expect(effects).toEqual(expect.arrayContaining([...known.effects]));
  Object.assign(known, { status, transitions, effects });
}

const shop = fc.nat({ max: 1 });
const finish = fc.constantFrom('capture' as const, 'cancel' as const);
const status = fc.constantFrom('pending', 'waiting_for_capture', 'succeeded', 'canceled');
const step = (name: string, happen: (course: Course) => void | Promise<void>) => new Step(name, happen);

const steps = [
  fc
    .constantFrom('succeed' as const, 'succeed' as const, 'decline' as const)
    .map((outcome) => step(`the buyer's payment: ${outcome}`, (course) => course.buyer(outcome))),
  fc.tuple(shop, finish).map(([by, kind]) => step(`shop ${by}: ${kind}`, (course) => course.shop(by, kind))),
  finish.map((kind) => step(`Merchant Profile: ${kind}`, (course) => course.inMerchantProfile(kind))),
  fc
    .tuple(shop, fc.nat({ max: 5 }))
    .map(([at, which]) => step(`notification ${which} to ${at}`, (course) => course.notify(at, which))),
  fc
    .tuple(
      shop,
      status.filter((named) => named !== 'pending'),
      status,
    )
    .map(([at, event, said]) =>
      step(`forged to ${at}: payment.${event}, ${said}`, (course) =>
        course.forge(at, `payment.${event}`, said),
      ),
    ),
  shop.map((by) => step(`sweep of ${by}`, (course) => course.sweep(by))),
  shop.map((by) => step(`the buyer returns to ${by}`, (course) => course.shop(by, 'refresh'))),
  shop.map((by) =>
    step(`the buyer returns to ${by}, the answer held back`, (course) =>
      course.answerIsHeldBack ? undefined : course.returnWithAnswerHeldBack(by),
    ),
  ),
  shop.map((by) =>
    step(`the buyer returns to ${by}, the answer held back beyond the lease`, async (course) => {
      if (course.answerIsHeldBack) return;
      await course.returnWithAnswerHeldBack(by);
      await course.leaseRunsOut();
    }),
  ),
  fc.constant(step('the lease runs out', (course) => course.leaseRunsOut())),
  fc.constant(step('answers arrive', (course) => course.answersArrive())),
  fc
    .constantFrom(MINUTE_MS, 20 * MINUTE_MS, 2 * HOUR_MS, 6.5 * DAY_MS)
    .map((ms) => step(`${ms} ms pass`, (course) => course.timePasses(ms))),
  shop.map((by) => step(`the operator retries all at ${by}`, (course) => course.retryAll(by))),
];

/** How the payment was created. */
const beginning = fc.record({
  capture: fc.boolean(),
  holdPolicy: fc.constantFrom<HoldPolicy>('flag', 'capture', 'cancel'),
  create: fc.constantFrom('answered', 'answered', 'answered', 'answer lost', 'never received'),
});

describe('a payment, whatever happens to it in whatever order', () => {
  let bench: Bench;
  let shops: PaymentsHost[];
  let hasty: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    const options = {
      sweeps: false,
      handlerAttempts: 1,
      rereads: { perSecond: 1_000, burst: 10_000 },
    } as const;
    const providers = [EffectHandlers, OftenParked];
    shops = [await bench.startHost(options, providers), await bench.startHost(options, providers)];
    // Gives up soon on a create that is not answered.
    hasty = await bench.startHost({ ...options, requestTimeoutMs: 100, callDeadlineMs: 100 }, providers);
    // Every notification is sent by the test.
    bench.sandbox.setNotifyUrl(null);
  });
  afterAll(() => bench.close());

  const courseOf = async (id = '') => new Course(bench, shops, id, await markOf(bench, id));

  async function begin({
    create,
    capture,
    holdPolicy,
  }: typeof beginning extends fc.Arbitrary<infer T> ? T : never) {
    const input = { ...orderInput(), capture, ...(!capture && { holdPolicy }) };
    if (create === 'answered') return courseOf((await shops[0]?.payments.create(input))?.id);
    const fault = create === 'answer lost' ? 'error_500_after_commit' : 'error_500_before_commit';
    bench.sandbox.faults.order({ on: 'create', fault, times: 1_000 });
    await hasty.payments.create(input).catch(() => undefined);
    bench.sandbox.faults.clear();
    const [payment] = await hasty.payments.findByOrder(input.order.reference);
    return courseOf(payment?.id);
  }

  /** Everything that is still to happen happens: polls, the end of the term, the end of the hold. */
  async function settle(known: Known, course: Course): Promise<void> {
    // An answer that is still on its way comes last: by then another worker has read the present state.
    await course.leaseRunsOut();
    for (const ms of [20 * MINUTE_MS, 2 * HOUR_MS, 8 * DAY_MS]) {
      await course.timePasses(ms);
      course.look();
      await course.sweep(0);
      course.look();
      await course.answersArrive();
      await holds(known, course);
    }
    await eventually(
      async () => {
        await course.retryAll(0);
        await course.sweep(1);
        await course.timePasses(MINUTE_MS);
        return isFinal((await course.committed()).status) && course.isQuiet();
      },
      (quiet) => quiet,
    );
    await holds(known, course);
  }

  it('moves only along the table, emits each status once, and ends as the service and the handlers have it', async () => {
    await fc.assert(
      fc.asyncProperty(beginning, fc.commands(steps, { maxCommands: 20 }), async (how, happenings) => {
        const course = await begin(how);
        const known: Known = { status: 'submitting', transitions: [], effects: [] };
        await fc.asyncModelRun(() => ({ model: known, real: course }), happenings);
        await settle(known, course);
        const { captured, paid, effects } = await course.committed();
        const { theirs } = course;
        expect(known.status).toBe(theirs?.status ?? 'rejected');
        const ledger = bench.sandbox.ledger.totals(theirs?.id ?? 'none');
        expect(ledger.charges).toBeLessThanOrEqual(1);
        expect((captured / 100).toFixed(2)).toBe(ledger.captured);
        expect(paid).toBe(captured);
        const names = known.transitions.map(({ name }) => name).filter((name) => emitted.includes(name));
        const parked = names.includes('payment.succeeded') ? ['parked payment.succeeded'] : [];
        expect(effects.filter((effect) => effect !== 'payment.anomaly')).toEqual(
          [...names, ...parked].toSorted(),
        );
      }),
      { numRuns: 40, interruptAfterTimeLimit: 300_000 },
    );
  }, 600_000);
});
