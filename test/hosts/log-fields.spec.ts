import { OnPaymentEvent, PaymentsOperator } from '@holdfast/payments';
import { jest } from '@jest/globals';
import { ConsoleLogger, Injectable, Logger } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

@Injectable()
class Warehouse {
  @OnPaymentEvent('payment.succeeded', { id: 'test.warehouse' })
  succeeded(): void {
    throw new Error('no stock');
  }
}

describe('a log in JSON', () => {
  let bench: Bench;
  let host: PaymentsHost;
  const said: [level: unknown, fields: unknown][] = [];
  const written = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      for (const line of String(text).split('\n')) {
        const { level, context, params } = recordIn(line);
        if (context === 'Payments' && params !== undefined) said.push([level, params]);
      }
      return true;
    }),
  );
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ handlerAttempts: 2 }, [Warehouse]);
    Logger.overrideLogger(new ConsoleLogger({ json: true, logLevels: ['debug', 'log', 'warn', 'error'] }));
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    for (const spy of written) spy.mockRestore();
    await bench.close();
  });

  it('says in fields of which payment, order, store and delivery a line is, and has the stack of each failed run', async () => {
    const order = orderInput();
    const { id: paymentId, serviceId } = await host.payments.create(order);
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const [store] = (await host.app.get(PaymentsOperator).stores()).items;
    const about = {
      paymentId,
      order: order.order.reference,
      storeId: store?.id,
      eventId: expect.stringMatching(/^\d+$/),
      handler: 'test.warehouse',
    };
    const reached = (count: number) =>
      eventually(
        async () => said.length,
        (length) => length >= count,
      );
    await reached(2);
    await bench.sandbox.clock.advance(60_000);
    await reached(3);
    expect(said).toEqual([
      ['warn', { ...about, attempt: 1 }],
      ['debug', { ...about, attempt: 1 }],
      ['error', { ...about, attempt: 2 }],
    ]);
  });
});

/** Empty if the line is none of a log. */
function recordIn(line: string): Readonly<Record<string, unknown>> {
  if (!line.startsWith('{')) return {};
  const record: unknown = JSON.parse(line);
  return typeof record === 'object' && record !== null ? { ...record } : {};
}
