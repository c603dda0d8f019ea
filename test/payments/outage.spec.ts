import { PaymentOutcomeUnknownError, ServiceCircuitOpenError, type FailureInfo } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

describe('a service that answers nothing but 500', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('soon gets no more requests, and what was requested meanwhile is resumed and done once when it is back', async () => {
    const failures: FailureInfo[] = [];
    const host = await bench.startHost({
      // Longer than a whole call: what comes after the second failure finds it open, however slow the machine.
      circuit: { failures: 2, openMs: 3_000 },
      hooks: { onFailure: (info) => void failures.push(info) },
    });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_before_commit', times: 1_000 });
    const inputs = [orderInput(), orderInput(), orderInput()];
    const ends: unknown[] = [];
    for (const input of inputs) ends.push(await host.payments.create(input).catch((error: unknown) => error));
    for (const end of ends) expect(end).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(ends).toContainEqual(expect.objectContaining({ cause: expect.any(ServiceCircuitOpenError) }));
    expect(failures.map(({ operation, code }) => `${operation}: ${code}`)).toContain(
      'createPayment: service_circuit_open',
    );

    bench.sandbox.faults.clear();
    for (const input of inputs) {
      const resumed = await eventually(
        () => host.payments.create(input).catch(() => null),
        (payment) => payment !== null,
      );
      expect(resumed).toMatchObject({ status: 'pending' });
    }
    expect(bench.sandbox.payments.list()).toHaveLength(inputs.length);
  });
});

describe('a service that asks to be called later', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost({ solution: 'secure_deal' });
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  });
  afterEach(() => bench.close());

  const bodyOf = (event: string, id: string) => ({ type: 'notification', event, object: { id } });

  it.each([
    [
      'a notification of another object',
      'read_payout',
      () =>
        sendNotification(
          host,
          bodyOf('payout.succeeded', bench.sandbox.payouts.create({ amount: '10.00' }).id),
        ),
    ],
    [
      'a notification of an unknown payment',
      'read',
      async () => {
        await sendNotification(host, bodyOf('payment.succeeded', crypto.randomUUID()));
        await bench.sandbox.clock.advance(2 * 3_600_000);
      },
    ],
    ["the list of a store's refunds", 'list_refunds', () => bench.sandbox.clock.advance(11 * 60_000)],
    [
      'a capture that the sweep sends',
      'capture',
      async () => {
        const held = await host.payments.create({ ...orderInput(), capture: false });
        bench.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
        await paymentBecomes(host, held.id, 'waiting_for_capture');
        await host.dataSource.transaction((manager) => host.payments.capture(held.id, { manager }));
      },
    ],
  ] as const)('gets no more requests for the store until then: %s', async (_what, endpoint, act) => {
    const waitsMs = 240_000;
    // The first look reads the beginning; the fault is for the second.
    if (endpoint === 'list_refunds')
      await eventually(
        () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint })),
        (count) => count > 0,
      );
    bench.sandbox.faults.order({
      on: endpoint,
      fault: 'too_many_requests',
      times: 1_000,
      retry_after: waitsMs,
    });
    const before = bench.sandbox.ledger.requestCount({ endpoint });
    const began = performance.now();
    await act();
    await eventually(
      () =>
        bench.asOwner(
          `SELECT FROM payments_rate_limits WHERE polls_rest_until > statement_timestamp() + interval '${waitsMs - 60_000} ms'`,
        ),
      ({ length }) => length === 1,
    );
    // It becomes due again and again, by the sandbox's clock.
    const reads = bench.sandbox.ledger.requestCount({ endpoint: 'read' });
    await bench.sandbox.clock.advance(60_000);
    await bench.sandbox.clock.advance(11 * 60_000);
    // What was notified is tried again after five seconds or more, and nothing else is.
    const tries = endpoint === 'list_refunds' ? 0 : Math.floor((performance.now() - began) / 5_000);
    expect(bench.sandbox.ledger.requestCount({ endpoint }) - before).toBeLessThanOrEqual(1 + tries);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'read' })).toBeLessThanOrEqual(reads + tries);
  });
});
