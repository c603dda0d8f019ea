import {
  OnPaymentEffect,
  OnPaymentEvent,
  type EffectContext,
  type HandlerContext,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { paidPayments } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { doAll } from '../support/one-by-one.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { Stops } from '../support/stops.js';
import { afterEachStatement, endOf, startVictim, type Victim } from '../support/victim.js';

/** Short, so that the lease of a killed process is soon over: half as long again. */
const TIMES = { requestTimeoutMs: 200, callDeadlineMs: 200, handlerTimeoutMs: 1_000 };

/** What is outside the database: it knows what it was asked by the key. */
class Outside {
  readonly asked: { key: string; paymentId: string }[] = [];
  /** What happens to whoever asks, before the answer. */
  onAsked: () => void = () => undefined;
  readonly #server: Server;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const paymentId = await text(request);
    this.asked.push({ key: String(request.headers['idempotence-key']), paymentId });
    this.onAsked();
    response.end();
  }

  async open(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}`;
  }

  about(paymentId: string): string[] {
    return this.asked.filter((asked) => asked.paymentId === paymentId).map(({ key }) => key);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

const outside = new Outside();

@Injectable()
class Orders {
  @OnPaymentEvent('payment.succeeded', { id: 'test.orders' })
  async succeeded({ name, payment }: PaymentEvent, { manager, effects }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
    await effects.record('test.outside', { paymentId: payment.id });
  }

  @OnPaymentEffect('test.outside')
  async outside({ paymentId }: { paymentId: string }, { effectKey }: EffectContext): Promise<void> {
    await fetch(outside.url, {
      method: 'POST',
      headers: { 'Idempotence-Key': effectKey },
      body: paymentId,
    });
  }
}

describe('an effect of a process that is killed with SIGKILL', () => {
  let bench: Bench;
  let survivor: PaymentsHost;
  beforeAll(async () => {
    await outside.open();
    bench = await openBench();
    survivor = await bench.startHost({ ...TIMES, sweeps: false }, [Orders]);
  });
  afterAll(async () => {
    await bench.close();
    await outside.close();
  });

  const start = (): Promise<Victim> =>
    startVictim(bench, {
      file: 'effect-process.js',
      options: TIMES,
      environment: { OUTSIDE: outside.url },
    });

  /** What any other process does when the leases of the dead one are over. */
  async function recover(): Promise<void> {
    await eventually(
      async () => {
        await doAll(survivor.app.get(Deliverer, { strict: false }).work);
        return bench.asOwner<object>('SELECT FROM payments_deliveries WHERE done_at IS NULL');
      },
      ({ length }) => length === 0,
    );
  }

  it('after each statement in turn is done all the same, under one key, and its handler once', async () => {
    const statements = await afterEachStatement(start, async (kill, point) => {
      const [paymentId = ''] = await paidPayments(bench, 1);
      const finished = await kill();
      await recover();
      const keys = new Set(outside.about(paymentId)).size;
      expect({ point, keys, effects: await bench.effects(survivor, paymentId) }).toEqual({
        point,
        keys: 1,
        effects: ['payment.succeeded'],
      });
      return finished;
    });
    // Claim, handler and mark, claim, look and mark: more than a handful.
    expect(statements).toBeGreaterThan(8);
  }, 600_000);

  it('while it is asked for is asked for again under the same key', async () => {
    const victim = await start();
    const [paymentId = ''] = await paidPayments(bench, 1);
    outside.onAsked = () => {
      outside.onAsked = () => undefined;
      victim.child.kill('SIGKILL');
    };
    expect(await endOf(victim)).toBe(false);
    expect(await doneAgain(paymentId)).toEqual({ attempts: 2, data: null });
  });

  it('once it is done, and before that is written down, is asked for again under the same key', async () => {
    const victim = await start();
    const client = new Client(bench.database.url);
    await client.connect();
    try {
      const stops = new Stops(client);
      await stops.at(
        'update',
        'payments_deliveries',
        `NEW.handler_id = 'test.outside' AND NEW.done_at IS NOT NULL`,
      );
      const [paymentId = ''] = await paidPayments(bench, 1);
      const ended = endOf(victim);
      await stops.stopped();
      victim.child.kill('SIGKILL');
      await ended;
      // PostgreSQL would do what it was asked to, whoever has died since.
      await bench.asOwner(`SELECT pg_terminate_backend(pid) FROM (${LOCK_WAITS}) waiting`);
      await eventually(
        () => bench.asOwner(LOCK_WAITS),
        ({ length }) => length === 0,
      );
      await stops.lift();
      expect(await doneAgain(paymentId)).toEqual({ attempts: 2, data: null });
    } finally {
      await client.end();
    }
  });

  /** By any other process. */
  async function doneAgain(paymentId: string): Promise<object | undefined> {
    expect(outside.about(paymentId)).toHaveLength(1);
    await recover();
    const keys = outside.about(paymentId);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    const [effect] = await bench.asOwner<{ attempts: number; data: unknown }>(
      `SELECT attempts, data FROM payments_deliveries WHERE handler_id = 'test.outside' ORDER BY event_id DESC LIMIT 1`,
    );
    return effect;
  }
});
