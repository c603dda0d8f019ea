import { OrderAlreadyPaidError, PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { canaries } from './canaries.js';
import { eventually } from './eventually.js';
import { later, startHeldService, type HeldService } from './held-service.js';
import { markOf } from './marks.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from './payments-host.js';

const MINUTE_MS = 60_000;
const account = { shopId: '100500', secretKey: canaries.secretKey };

const clockJumps = {
  '11 min ahead': 11 * MINUTE_MS,
  '60 min ahead': 60 * MINUTE_MS,
  '60 min back': -60 * MINUTE_MS,
  '11 min back': -11 * MINUTE_MS,
  'a day ahead': 24 * 60 * MINUTE_MS,
  'a day back': -24 * 60 * MINUTE_MS,
};
const clocks = ['business time', 'the database', 'the process'] as const;
type MovedClock = (typeof clocks)[number];

/** Every time of a row that says when something was done, or until when it lasts. */
const times = {
  payments_operations: ['recorded_at', 'first_sent_at', 'last_sent_at', 'lease_until'],
  payments_due: ['ready_at', 'wanted_at', 'lease_until', 'rest_until'],
  payments_payments: ['created_at', 'updated_at'],
};

const input = (reference: string, paymentMethodId: string) => ({
  order: { reference },
  amount: orderInput().amount,
  paymentMethodId,
});

/** Each clock, and how it jumps. */
export const casesOf = (...jumps: readonly (keyof typeof clockJumps)[]) =>
  clocks.flatMap((which) => jumps.map((by) => [which, by, clockJumps[by]] as const));

/** Returns how often it was charged. */
type Play = (which: MovedClock, ms: number) => Promise<number>;

/** A create, and where it is when the clock jumps: it is charged once, and its caller is told so. */
export interface ClockStage {
  readonly beforeItLeaves: Play;
  readonly onItsWay: Play;
  readonly asItIsAnswered: Play;
  readonly onceWritten: Play;
  /** Its caller has given up, and the service works on it. */
  readonly withNobodyWaiting: Play;
  /** In place of a create a capture, whose caller waits. Returns what was captured, and how often a person was told that it was not. */
  readonly captureOnItsWay: (
    which: MovedClock,
    ms: number,
  ) => Promise<{ readonly captured: string; readonly denials: number }>;
  /** All clocks move on, those by which processes wait too. */
  readonly whileAllMove: () => Promise<number>;
}

/**
 * For the tests of one file. A charge by a saved method takes money without a buyer: one more create would be one more charge.
 */
export function clockStage(): ClockStage {
  let bench: Bench;
  let service: HeldService;
  let caller: PaymentsHost;
  let worker: PaymentsHost;
  let jumpMs = 0;
  /** Before a request leaves, its sender asks for the key. */
  let key: Promise<string> = Promise.resolve(account.secretKey);
  const { now } = Date;

  beforeAll(async () => {
    bench = await openBench(account);
    bench.sandbox.setNotifyUrl(null);
    service = await startHeldService(bench.sandbox.url);
    const { clock } = bench.sandbox;
    const time = {
      clock: { offsetMs: () => clock.offsetMs() + jumpMs, elapsedMs: () => clock.elapsedMs() },
      circuit: false as const,
    };
    caller = await bench.startHost({
      ...time,
      sweeps: false,
      serviceUrl: service.url,
      secretKey: () => key,
    });
    worker = await bench.startHost(time);
  });
  beforeEach(() => {
    jumpMs = 0;
    key = Promise.resolve(account.secretKey);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    bench.sandbox.clock.skew(0);
  });
  afterAll(async () => {
    await bench.close();
    await service.close();
  });

  async function jump(which: MovedClock, ms: number): Promise<void> {
    if (which === 'business time') jumpMs += ms;
    else if (which === 'the process') {
      jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
      // The service, which runs in this process too, keeps its own time.
      bench.sandbox.clock.skew(-ms);
    } else
      for (const [table, columns] of Object.entries(times))
        await bench.asOwner(
          `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - interval '${ms} ms'`).join(', ')}`,
        );
  }

  function start(of = caller) {
    const { order } = orderInput();
    const { id: paymentMethodId } = bench.sandbox.paymentMethods.bind();
    const create = () => of.payments.create(input(order.reference, paymentMethodId));
    const recorded = () =>
      eventually(
        () => worker.payments.findByOrder(order.reference),
        ({ length }) => length > 0,
      ).then(([payment]) => payment?.id ?? '');
    const ended: Promise<unknown> = create().catch((error: unknown) => error);
    return { create, recorded, ended };
  }

  /** The sweep, whatever it takes for due: three looks, and between them whatever time may pass. */
  async function looks(id: string): Promise<void> {
    for (let look = 1; look <= 3; look += 1) await worker.payments.refresh(id);
  }

  async function charges(id: string): Promise<number> {
    const mark = await markOf(bench, id);
    return bench.sandbox.payments
      .list()
      .filter(({ metadata }) => metadata['holdfast_payment'] === mark)
      .reduce((sum, made) => sum + bench.sandbox.ledger.totals(made.id).charges, 0);
  }

  /** Its caller, who asks again, is told that it is paid. */
  async function chargesIn(id: string, create: () => Promise<Payment>): Promise<number> {
    await expect(create()).rejects.toBeInstanceOf(OrderAlreadyPaidError);
    const [payment] = await worker.payments.findByOrder((await worker.payments.get(id)).orderReference);
    expect(payment).toMatchObject({ id, status: 'succeeded' });
    return charges(id);
  }

  return {
    async beforeItLeaves(which, ms) {
      const { promise, resolve } = later<string>();
      key = promise;
      const { create, recorded, ended } = start();
      const id = await recorded();
      await jump(which, ms);
      await looks(id);
      expect(await worker.payments.get(id)).toMatchObject({ status: 'submitting' });
      resolve(account.secretKey);
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      return chargesIn(id, create);
    },
    async onItsWay(which, ms) {
      const { isHeld, letGo } = service.hold('request');
      const { create, recorded, ended } = start();
      await isHeld;
      const id = await recorded();
      await jump(which, ms);
      await looks(id);
      expect(await worker.payments.get(id)).toMatchObject({ status: 'submitting' });
      await letGo();
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      return chargesIn(id, create);
    },
    async asItIsAnswered(which, ms) {
      const { isHeld, letGo } = service.hold('answer');
      const { create, recorded, ended } = start();
      await isHeld;
      const id = await recorded();
      await jump(which, ms);
      await looks(id);
      await letGo();
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      return chargesIn(id, create);
    },
    async onceWritten(which, ms) {
      const { create, recorded, ended } = start();
      const id = await recorded();
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      await jump(which, ms);
      await looks(id);
      return chargesIn(id, create);
    },
    async withNobodyWaiting(which, ms) {
      const hasty = await bench.startHost({
        sweeps: false,
        circuit: false,
        serviceUrl: service.url,
        requestTimeoutMs: 300,
        callDeadlineMs: 300,
        clock: { offsetMs: () => bench.sandbox.clock.offsetMs() + jumpMs },
      });
      const { isHeld, letGo } = service.hold('request');
      const { create, recorded, ended } = start(hasty);
      await isHeld;
      expect(await ended).toBeInstanceOf(PaymentOutcomeUnknownError);
      const id = await recorded();
      await jump(which, ms);
      await looks(id);
      await letGo();
      // Whoever comes back resumes the same request.
      await create().catch((error: unknown) => error);
      await eventually(
        () => worker.payments.refresh(id),
        ({ status }) => status === 'succeeded',
      );
      const charged = await chargesIn(id, create);
      await hasty.close();
      return charged;
    },
    async captureOnItsWay(which, ms) {
      const { id, serviceId } = await caller.payments.create({ ...orderInput(), capture: false });
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await worker.payments.refresh(id);
      const { isHeld, letGo } = service.hold('request', { method: 'POST', path: '/capture' });
      const ended: Promise<unknown> = caller.payments.capture(id).catch((error: unknown) => error);
      await isHeld;
      await jump(which, ms);
      await looks(id);
      await letGo();
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      const events = await bench.asOwner(
        `SELECT id FROM payments_events event WHERE payment_id = '${id}' AND name = 'payment.anomaly'
           AND event::text LIKE '%did not take effect%'`,
      );
      const { capturedAmount } = await worker.payments.get(id);
      return { captured: capturedAmount.value, denials: events.length };
    },
    async whileAllMove() {
      const { isHeld, letGo } = service.hold('request');
      const { create, recorded, ended } = start();
      await isHeld;
      const id = await recorded();
      for (let look = 1; look <= 3; look += 1) {
        await bench.sandbox.clock.advance(11 * MINUTE_MS);
        await looks(id);
        await caller.payments.refresh(id);
      }
      expect(await worker.payments.get(id)).toMatchObject({ status: 'submitting' });
      await letGo();
      expect(await ended).toMatchObject({ id, status: 'succeeded' });
      return chargesIn(id, create);
    },
  };
}
