import {
  OnPaymentEffect,
  OnPaymentEvent,
  type EffectContext,
  type HandlerContext,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const DAY_MS = 86_400_000;

function throws(): never {
  throw new Error('it cannot be read');
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What PostgreSQL cannot store, or what throws where somebody reads it; and how it reads in the end. */
const odd = new Map<string, { readonly thrown: unknown; readonly said: string }>([
  ['an error with NUL', { thrown: new Error('no\0stock'), said: 'nostock' }],
  ['an error with half an emoji', { thrown: new Error('no \ud83c tea'), said: 'no  tea' }],
  ['a text with NUL', { thrown: 'no\0stock', said: 'nostock' }],
  ['an emoji where a text is cut', { thrown: new Error(`x${'🍵'.repeat(300)}`), said: 'x🍵🍵' }],
  ['a throwing toString', { thrown: { toString: throws }, said: 'cannot be read' }],
  ['no prototype', { thrown: Object.create(null), said: 'cannot be read' }],
  [
    'a throwing message',
    { thrown: Object.create(Error.prototype, { message: { get: throws } }), said: 'cannot be read' },
  ],
  [
    'a throwing stack and name',
    {
      thrown: Object.create(Error.prototype, {
        message: { value: 'no stock' },
        stack: { get: throws },
        name: { get: throws },
      }),
      said: 'no stock',
    },
  ],
  ['a message that is a number', { thrown: Object.assign(new Error(), { message: 17 }), said: '17' }],
  ['a revoked proxy', { thrown: revoked(), said: 'cannot be read' }],
]);

const thrownAs = (name = '') => odd.get(name)?.thrown;

@Injectable()
class Odd {
  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.odd' })
  held({ payment }: PaymentEvent): never {
    throw thrownAs(payment.metadata['odd']);
  }

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.records' })
  async records({ payment }: PaymentEvent, { effects }: HandlerContext): Promise<void> {
    await effects.record('test.odd-effect', { odd: payment.metadata['odd'] });
  }

  @OnPaymentEffect('test.odd-effect')
  effect(data: { odd: string }, _context: EffectContext): never {
    throw thrownAs(data.odd);
  }
}

describe('what the host throws', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let hookCalls = 0;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost(
      {
        handlerAttempts: 1,
        holds: {
          policy: ({ metadata }) => {
            throw thrownAs(metadata['odd']);
          },
        },
        hooks: {
          onRequest: () => {
            hookCalls += 1;
            throw thrownAs('a throwing message');
          },
        },
      },
      [Odd],
    );
  });
  afterAll(() => bench.close());

  it.each([...odd])('with %s is told of a handler, an effect and a policy', async (name, { said }) => {
    const { id, serviceId } = await host.payments.create({
      ...orderInput(),
      capture: false,
      metadata: { odd: name },
    });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, id, 'waiting_for_capture');
    const failed = await eventually(
      () =>
        bench.asOwner<{ id: string; error: string }>(
          `SELECT handler_id AS id, last_error AS error FROM payments_deliveries JOIN payments_events event ON event.id = event_id
           WHERE event.payment_id = $1 AND parked_at IS NOT NULL ORDER BY handler_id`,
          [id],
        ),
      ({ length }) => length === 2,
    );
    expect(failed).toEqual([
      { id: 'test.odd', error: expect.stringContaining(said) },
      { id: 'test.odd-effect', error: expect.stringContaining(said) },
    ]);
    await bench.sandbox.clock.advance(6.5 * DAY_MS);
    const told = await eventually(
      async () => (await host.payments.timeline(id)).find((entry) => entry.name === 'hold.expiring'),
      (entry) => entry !== undefined,
    );
    expect(told?.evidence).toMatchObject({ policy: 'flag', fault: expect.stringContaining(said) });
  });

  it('in a request hook stops nothing', () => {
    expect(hookCalls).toBeGreaterThan(0);
  });
});
