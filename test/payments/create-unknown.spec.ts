import { PaymentOutcomeUnknownError } from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

describe('a create of unknown outcome', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('whose caller is long gone is only looked up: found by our id in the list, or rejected once a full pass proves it was never received', async () => {
    // The caller's process ends; sweeps run in another one, twenty minutes later.
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    await expect(caller.payments.create(orderInput('found'))).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    await expect(caller.payments.create(orderInput('lost'))).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    bench.sandbox.faults.clear();
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    await bench.sandbox.clock.advance(20 * 60_000);

    const host = await bench.startHost();
    const only = async (reference: string, status: string) =>
      eventually(
        () => host.payments.findByOrder(reference),
        ([payment]) => payment?.status === status,
      );
    const [found] = await only('found', 'pending');
    // Another process has not waited yet with that attempt before its eyes, whatever the database's clock says.
    const [lost] = await host.payments.findByOrder('lost');
    expect(await host.payments.refresh(lost?.id ?? '')).toMatchObject({ status: 'submitting' });
    await bench.sandbox.clock.advance(6 * 60_000);
    await only('lost', 'rejected');
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent);
    expect(bench.sandbox.payments.list().map(({ id }) => id)).toEqual([found?.serviceId]);
    await host.close();
  });

  it('says what the network said', async () => {
    const unreachable = await bench.startHost({
      sweeps: false,
      serviceUrl: 'http://127.0.0.1:1',
      circuit: false,
    });
    await expect(unreachable.payments.create(orderInput('unreachable'))).rejects.toMatchObject({
      code: 'payment_outcome_unknown',
      message: expect.stringMatching(/is not known yet \(.*ECONNREFUSED.*\)\. Call the same method again/),
    });
  });

  it('of yesterday is not sent again for a new attempt to pay the order: its key has expired', async () => {
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput('yesterday');
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const created = bench.sandbox.payments.list().length;
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    await bench.sandbox.clock.advance(25 * 3_600_000);

    // The lost create is found in the list, canceled by now, and a new payment is made: one request, one payment.
    const payment = await caller.payments.create(input);
    expect(payment).toMatchObject({ status: 'pending' });
    const statuses = (await caller.payments.findByOrder('yesterday')).map(({ status }) => status);
    expect(statuses).toEqual(['canceled', 'pending']);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent + 1);
    expect(bench.sandbox.payments.list()).toHaveLength(created + 1);
  });

  it('is not taken as refused if the next attempt is answered 401', async () => {
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput('rotated');
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const rotated = await bench.startHost({ sweeps: false, secretKey: 'wrong_key' });
    await expect(rotated.payments.create(input)).rejects.toMatchObject({
      code: 'payment_outcome_unknown',
      cause: { code: 'service_credentials' },
    });
    const [payment] = await caller.payments.findByOrder('rotated');
    expect(payment?.status).toBe('submitting');
  });
});
