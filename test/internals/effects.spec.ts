import {
  OnPaymentEffect,
  OnPaymentEvent,
  PaymentsOperator,
  type EffectContext,
  type HandlerContext,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { paidPayments } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { backUp } from '../support/forget.js';
import { doAll, oneByOne } from '../support/one-by-one.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { Stops } from '../support/stops.js';

const ATTEMPTS = 2;

interface Mail {
  readonly to: string;
  readonly note?: string | undefined;
}

type Recording = (context: HandlerContext, event: PaymentEvent) => Promise<void>;

/** Records as the test says. */
@Injectable()
class Orders {
  readonly errors: unknown[] = [];
  record: Recording = ({ effects }, { payment }) => effects.record('test.mail', { to: payment.id });

  @OnPaymentEvent('payment.succeeded', { id: 'test.orders' })
  async paid(event: PaymentEvent, context: HandlerContext): Promise<void> {
    try {
      await this.record(context, event);
    } catch (error) {
      this.errors.push(error);
      throw error;
    }
  }
}

interface Run extends Mail, Omit<EffectContext, 'signal'> {
  readonly signal: AbortSignal;
}

/** Sends as the test says. */
@Injectable()
class Mails {
  readonly runs: Run[] = [];
  send: (run: Run) => Promise<void> | void = () => undefined;

  @OnPaymentEffect('test.mail')
  async mail(mail: Mail, context: EffectContext): Promise<void> {
    const run = { ...mail, ...context };
    this.runs.push(run);
    await this.send(run);
  }
}

@Injectable()
class Letters {
  readonly sent: string[] = [];

  @OnPaymentEffect('test.letter')
  letter({ to }: Mail): void {
    this.sent.push(to);
  }
}

interface Effect {
  readonly attempts: number;
  readonly data: Mail | null;
  readonly done: boolean;
  readonly parked: boolean;
  readonly leased: boolean;
  readonly error: string | null;
}

const start = (bench: Bench, options: Parameters<Bench['startHost']>[0] = { sweeps: false }) =>
  bench.startHost({ handlerAttempts: ATTEMPTS, ...options }, [Orders, Mails, Letters]);

interface Stage {
  readonly bench: Bench;
  /** Does nothing by itself. */
  readonly host: PaymentsHost;
}

async function openStage(): Promise<Stage> {
  const bench = await openBench();
  return { bench, host: await start(bench) };
}

describe('an effect', () => {
  /** Of all tests that leave behind nothing but deliveries. */
  let shared: Stage;
  let bench: Bench;
  let host: PaymentsHost;
  let orders: Orders;
  let mails: Mails;
  beforeAll(async () => {
    shared = await openStage();
  });
  beforeEach(() => enter(shared));
  afterEach(async () => {
    if (bench !== shared.bench) return bench.close();
    Object.assign(orders, new Orders());
    Object.assign(mails, new Mails());
    await bench.asOwner(
      `DELETE FROM payments_deliveries; DELETE FROM payments_handlers WHERE id = 'test.old'`,
    );
  });
  afterAll(() => shared.bench.close());

  function enter(stage: Stage): void {
    ({ bench, host } = stage);
    orders = host.app.get(Orders);
    mails = host.app.get(Mails);
  }
  /** For a test with processes that work by themselves, or with another state of the database. */
  const openOwn = async () => enter(await openStage());

  const work = () => host.app.get(Deliverer, { strict: false }).work;
  /**
   * Makes what is due, whatever its delay. What fails is not run twice: on a busy machine the first delay is over before the next
   * look, so that it is longer here.
   */
  const deliver = async () => {
    await bench.asOwner(
      `CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN NEW.next_attempt_at = NEW.next_attempt_at + interval '1 hour'; RETURN NEW; END$$;
       CREATE OR REPLACE TRIGGER wait BEFORE UPDATE OF last_error ON payments_deliveries FOR EACH ROW EXECUTE FUNCTION wait();
       UPDATE payments_deliveries SET next_attempt_at = now() WHERE lease_until IS NULL AND done_at IS NULL`,
    );
    await doAll(work());
  };
  const effects = (id = 'test.mail') =>
    bench.asOwner<Effect>(
      `SELECT attempts, data, done_at IS NOT NULL AS done, parked_at IS NOT NULL AS parked, lease_until IS NOT NULL AS leased,
         last_error AS error
       FROM payments_deliveries WHERE handler_id = $1 ORDER BY event_id`,
      [id],
    );

  it('is run after its handler, with its data and a key of its own, and leaves its event without the data', async () => {
    const [paymentId = ''] = await paidPayments(bench, 1);
    const next = oneByOne(work());
    expect(await next()).toBe(true);
    expect(mails.runs).toEqual([]);
    expect(await effects()).toMatchObject([{ attempts: 0, data: { to: paymentId }, done: false }]);
    expect(await next()).toBe(true);
    expect(mails.runs).toMatchObject([
      { to: paymentId, attempt: 1, effectKey: expect.stringMatching(/^test\.mail\/[\w-]{43}$/) },
    ]);
    expect(await effects()).toEqual([
      { attempts: 1, data: null, done: true, parked: false, leased: false, error: null },
    ]);
    const timeline = await host.payments.timeline(paymentId);
    expect(timeline.at(-1)).toMatchObject({
      name: 'effect.recorded',
      cause: 'handler',
      evidence: { effect: 'test.mail', handler: 'test.orders' },
    });
  });

  it('is run without a transaction, and takes no connection of the pool meanwhile', async () => {
    await openOwn();
    host = await start(bench, { sweeps: false, poolSize: 1 });
    const sends = host.app.get(Mails);
    const seen: unknown[] = [];
    sends.send = async () => {
      seen.push(
        // It would wait for ever if the run had the only connection.
        ...(await host.dataSource.query<object[]>('SELECT 1 AS free')),
        ...(await bench.asOwner(
          'SELECT FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database()',
        )),
      );
    };
    await paidPayments(bench, 1);
    await deliver();
    expect(seen).toEqual([{ free: 1 }]);
  });

  it('of a handler that throws is not recorded, nor is one of a part that the handler rolled back', async () => {
    await paidPayments(bench, 1);
    orders.record = async ({ effects: recorder }) => {
      await recorder.record('test.mail', { to: 'nobody' });
      throw new Error('no stock');
    };
    await deliver();
    expect(await effects()).toEqual([]);
    orders.record = async ({ manager, effects: recorder }) => {
      const part = manager.transaction(async () => {
        await recorder.record('test.mail', { to: 'nobody' });
        throw new Error('no stock');
      });
      await part.catch(() => undefined);
      await recorder.record('test.mail', { to: 'anna' });
    };
    await deliver();
    expect(mails.runs).toMatchObject([{ to: 'anna' }]);
  });

  it('that is recorded again is one, unless its key differs; with other data it is an error', async () => {
    await paidPayments(bench, 1);
    orders.record = async ({ effects: recorder }) => {
      await recorder.record('test.mail', { to: 'anna' });
      await recorder.record('test.mail', { to: 'anna', note: undefined });
      await recorder.record('test.mail', { to: 'boris' }, { key: 'seller' });
    };
    await deliver();
    expect(mails.runs.map(({ to }) => to).toSorted()).toEqual(['anna', 'boris']);
    expect(new Set(mails.runs.map(({ effectKey }) => effectKey)).size).toBe(2);

    await paidPayments(bench, 1);
    orders.record = async ({ effects: recorder }) => {
      await recorder.record('test.mail', { to: 'anna' });
      await recorder.record('test.mail', { to: 'boris' });
    };
    await deliver();
    expect(orders.errors).toMatchObject([
      { code: 'payment_input', field: 'options.key', rule: expect.stringContaining("'test.mail'") },
    ]);
    expect(mails.runs).toHaveLength(2);
  });

  it('of a handler that committed by itself is still one, done or not', async () => {
    await paidPayments(bench, 1);
    orders.record = async ({ manager, effects: recorder, attempt }) => {
      await recorder.record('test.mail', { to: 'anna' });
      if (attempt === 1) await manager.query('COMMIT');
    };
    await deliver();
    expect(mails.runs).toHaveLength(1);
    await deliver();
    expect(await effects('test.orders')).toMatchObject([{ attempts: 2, done: true }]);
    expect(mails.runs).toHaveLength(1);
  });

  it.each([
    ['of an id that no process has registered', 'test.nobody', 'id'],
    ["of a handler's id", 'test.orders', 'id'],
  ])('%s is refused, and the handler is told', async (_what, id, field) => {
    await paidPayments(bench, 1);
    orders.record = ({ effects: recorder }) => recorder.record(id, {});
    await deliver();
    expect(orders.errors).toMatchObject([
      { code: 'payment_input', field, rule: expect.stringContaining(`'${id}'`) },
    ]);
  });

  it('whose method was retired is refused', async () => {
    await bench.asOwner(`INSERT INTO payments_handlers (id, event) VALUES ('test.old', 'effect.recorded')`);
    expect(await host.app.get(PaymentsOperator).retireHandler('test.old', { by: 'anna' })).toBe(0);
    await paidPayments(bench, 1);
    orders.record = ({ effects: recorder }) => recorder.record('test.old', {});
    await deliver();
    expect(orders.errors).toMatchObject([{ field: 'id' }]);
  });

  it('whose method is being retired waits for that, and is refused', async () => {
    await bench.asOwner(`INSERT INTO payments_handlers (id, event) VALUES ('test.old', 'effect.recorded')`);
    const retiring = new Client(bench.database.url);
    await retiring.connect();
    try {
      await retiring.query('BEGIN');
      await retiring.query(`SELECT FROM payments_handlers WHERE id = 'test.old' FOR UPDATE`);
      await retiring.query(`UPDATE payments_handlers SET retired_at = now() WHERE id = 'test.old'`);
      await paidPayments(bench, 1);
      orders.record = ({ effects: recorder }) => recorder.record('test.old', {});
      const delivered = deliver();
      await new Stops(retiring).stopped();
      await retiring.query('COMMIT');
      await delivered;
    } finally {
      await retiring.end();
    }
    expect(orders.errors).toMatchObject([{ field: 'id' }]);
    expect(await effects('test.old')).toEqual([]);
  });

  it('that fails is repeated under the same key with growing delays, then parked, and run again by the operator', async () => {
    await paidPayments(bench, 1);
    const delays = async () => {
      const [delay] = await bench.asOwner<{ s: number }>(
        `SELECT round(extract(epoch FROM next_attempt_at - now()))::int AS s FROM payments_deliveries WHERE handler_id = 'test.mail'`,
      );
      return delay?.s ?? 0;
    };
    mails.send = () => {
      throw new Error('no mail server');
    };
    await deliver();
    expect(await effects()).toMatchObject([
      { attempts: 1, leased: false, error: 'Error: no mail server', data: { to: expect.any(String) } },
    ]);
    expect(await delays()).toBeGreaterThan(0);
    await deliver();
    expect(await effects()).toMatchObject([{ attempts: ATTEMPTS, parked: true, done: false }]);
    const operator = host.app.get(PaymentsOperator);
    const [parked] = await operator.parkedDeliveries();
    expect(parked).toMatchObject({
      handlerId: 'test.mail',
      eventName: 'effect.recorded',
      lastError: 'Error: no mail server',
    });
    mails.send = () => undefined;
    expect(await operator.retryDelivery(parked?.eventId ?? '', 'test.mail', { by: 'anna' })).toBe(true);
    await deliver();
    expect(await effects()).toMatchObject([{ attempts: 1, done: true, parked: false, data: null }]);
    expect(new Set(mails.runs.map(({ effectKey }) => effectKey)).size).toBe(1);
    expect(mails.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
  });

  it('that fails holds up no other of its payment', async () => {
    await paidPayments(bench, 1);
    orders.record = async ({ effects: recorder }) => {
      await recorder.record('test.mail', { to: 'first' }, { key: '1' });
      await recorder.record('test.mail', { to: 'second' }, { key: '2' });
    };
    mails.send = ({ to }) => {
      if (to === 'first') throw new Error('no such mailbox');
    };
    await deliver();
    expect(await effects()).toMatchObject([
      { attempts: 1, done: false },
      { attempts: 1, done: true },
    ]);
  });

  it('that hangs is told by its signal, given up in time and repeated', async () => {
    await openOwn();
    const sweeping = await start(bench, { handlerTimeoutMs: 1_000 });
    const hanging = sweeping.app.get(Mails);
    hanging.send = ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('as the signal said'))),
      );
    await paidPayments(bench, 1);
    await eventually(effects, ([effect]) => effect?.error?.startsWith('EffectDeadlineError: ') === true);
    hanging.send = () => undefined;
    await bench.sandbox.clock.advance(10_000);
    await eventually(effects, ([effect]) => effect?.done === true);
    expect(hanging.runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('that hangs delays no other effect and no handler', async () => {
    await openOwn();
    const sweeping = await start(bench, { handlerTimeoutMs: 600_000 });
    const hanging = sweeping.app.get(Mails);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    hanging.send = () => held;
    sweeping.app.get(Orders).record = async ({ effects: recorder }, { payment }) => {
      await recorder.record('test.mail', { to: payment.id });
      await recorder.record('test.letter', { to: payment.id });
    };
    const ids = await paidPayments(bench, 20);
    const letters = sweeping.app.get(Letters);
    await eventually(
      () => Promise.resolve(letters.sent),
      ({ length }) => length === ids.length,
    );
    expect(hanging.runs.length).toBeLessThan(ids.length);
    letGo();
    await eventually(effects, (all) => all.length === ids.length && all.every(({ done }) => done));
  });

  it('is run once by two replicas together', async () => {
    await openOwn();
    const replicas = [await start(bench, {}), await start(bench, {})];
    const ids = await paidPayments(bench, 40);
    await eventually(effects, (all) => all.length === ids.length && all.every(({ done }) => done));
    const runs = replicas.flatMap(({ app }) => app.get(Mails).runs.map(({ to }) => to));
    expect(runs.toSorted()).toEqual(ids.toSorted());
  });

  describe('whose process was paused past its lease', () => {
    /** What another process does then: it claims the effect anew. A run that did not count leaves its number to this one. */
    const another = (counted = true) =>
      bench.asOwner(
        `UPDATE payments_deliveries SET attempts = attempts + $1, lease_until = now() + interval '1 minute'
         WHERE handler_id = 'test.mail'`,
        [counted ? 1 : 0],
      );

    it('before it began is left to the other', async () => {
      await paidPayments(bench, 1);
      const { take, run } = work();
      for (const handler of await take(1)) await run(handler);
      const [claim] = await take(1);
      if (!claim) throw new Error('Nothing is due.');
      await another();
      await run(claim);
      expect(mails.runs).toEqual([]);
    });

    const returns = () => undefined;
    const fails = () => {
      throw new Error('too late');
    };
    it.each([
      ['returns', 'the next', true, returns],
      ['returns', 'the same', false, returns],
      ['fails', 'the next', true, fails],
      ['fails', 'the same', false, fails],
    ])(
      'and then %s writes nothing, where the other run has %s number',
      async (_how, _number, counted, ending) => {
        mails.send = async () => {
          await another(counted);
          ending();
        };
        await paidPayments(bench, 1);
        await deliver();
        expect(await effects()).toMatchObject([
          { attempts: counted ? 2 : 1, done: false, leased: true, error: null },
        ]);
      },
    );
  });

  describe('whose number a failover gives to another one', () => {
    /** A run of the first, and what happens to the database: it goes back, and the second one is recorded. */
    async function taken() {
      await openOwn();
      const [, other = ''] = await paidPayments(bench, 2);
      const copy = await backUp(bench);
      const { take, run } = work();
      const recorded = async (about: string) => {
        for (const claim of await take(2)) if (claim.payment?.id === about) await run(claim);
      };
      const first = async (paymentId: string) => {
        await recorded(paymentId);
        const [claim] = await take(1);
        if (claim?.handlerId !== 'test.mail') throw new Error('The effect is not due.');
        return claim;
      };
      const claim = await first(other);
      const goBack = async () => {
        await copy.restore();
        await bench.asOwner(
          `SELECT setval(pg_get_serial_sequence('payments_events', 'id'), (SELECT max(id) FROM payments_events))`,
        );
        const [paid] = await bench.asOwner<{ id: string }>(
          'SELECT id FROM payments_payments WHERE id <> $1',
          [other],
        );
        await recorded(paid?.id ?? '');
        expect(
          await bench.asOwner(
            `SELECT event_id AS "eventId" FROM payments_deliveries WHERE handler_id = 'test.mail'`,
          ),
        ).toEqual([{ eventId: claim.eventId }]);
      };
      return { run: () => run(claim), goBack };
    }

    /** Each is done once, and by its own key. */
    async function expectEach(): Promise<void> {
      await bench.asOwner('UPDATE payments_deliveries SET lease_until = NULL WHERE done_at IS NULL');
      await deliver();
      const done = new Map(mails.runs.map(({ effectKey, to }) => [effectKey, to]));
      expect(new Set(done.values()).size).toBe(2);
      expect(new Set(mails.runs.map(({ effectKey, to }) => `${effectKey} ${to}`)).size).toBe(2);
      expect(await effects()).toMatchObject([{ done: true }, { done: true }]);
    }

    it('before it began, and was taken back, is left to the other', async () => {
      const { run, goBack } = await taken();
      await goBack();
      await run();
      expect(mails.runs).toEqual([]);
      await expectEach();
    });

    it('while it is run, and is taken back, does not mark the other done', async () => {
      const { run, goBack } = await taken();
      mails.send = async () => {
        mails.send = () => undefined;
        await goBack();
      };
      await run();
      expect(mails.runs).toHaveLength(1);
      expect(await effects()).toMatchObject([{ done: false }]);
      await expectEach();
    });
  });

  it('whose id is a handler’s by now is not given to it', async () => {
    await paidPayments(bench, 1);
    await oneByOne(work())();
    await bench.asOwner(
      `UPDATE payments_deliveries SET handler_id = 'test.orders' WHERE handler_id = 'test.mail'`,
    );
    await deliver();
    expect(await effects('test.orders')).toMatchObject([
      { done: true },
      { done: false, error: expect.stringContaining('another kind of method') },
    ]);
    expect(mails.runs).toEqual([]);
  });
});
