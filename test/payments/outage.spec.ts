import { PaymentOutcomeUnknownError, ServiceCircuitOpenError, type FailureInfo } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

describe('a service that answers nothing but 500', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('is soon asked no more, and what was asked for meanwhile is resumed and made once when it is back', async () => {
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
