import { PaymentOutcomeUnknownError, type Payment } from '@holdfast/payments';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('a call whose record the database commits without saying so', () => {
  let bench: Bench;
  let proxy: DatabaseProxy;
  let host: PaymentsHost;
  /** Knows nothing of the other's connections. */
  let other: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await startDatabaseProxy(bench.database.moduleUrl);
    other = await bench.startHost({ sweeps: false });
  });
  beforeEach(async () => {
    // Its statements have no names yet, so each is sent with its text.
    host = await bench.startHost({ sweeps: false, databaseUrl: proxy.url });
  });
  afterEach(() => host.close());
  afterAll(async () => {
    await proxy.close();
    await bench.close();
  });

  async function unknown(call: Promise<unknown>): Promise<PaymentOutcomeUnknownError> {
    const error: unknown = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error instanceof PaymentOutcomeUnknownError) return error;
    throw new Error(`It ended with ${String(error)}.`);
  }

  async function paid(capture: boolean): Promise<Payment> {
    const { id, serviceId } = await other.payments.create({ ...orderInput(), capture });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    return other.payments.refresh(id);
  }

  const sent = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });

  it.each(['end', 'reset'] as const)(
    'is a create of unknown outcome, with the id of the payment that is recorded, and the next call resumes it (%s)',
    async (how) => {
      const input = orderInput();
      const before = sent('create');
      proxy.loseAnswerTo('payments_operations', how);
      const { paymentId, operation } = await unknown(host.payments.create(input));
      expect(operation).toBe('create');
      expect(sent('create')).toBe(before);
      expect(await other.payments.findByOrder(input.order.reference)).toMatchObject([
        { id: paymentId, status: 'submitting' },
      ]);
      await bench.asOwner('UPDATE payments_operations SET lease_until = NULL WHERE payment_id = $1', [
        paymentId,
      ]);
      expect(await other.payments.create(input)).toMatchObject({ id: paymentId, status: 'pending' });
      expect(sent('create')).toBe(before + 1);
    },
  );

  it('is a create of unknown outcome for a further payment of an order, too', async () => {
    const input = orderInput();
    const first = await other.payments.create(input);
    const less = { ...input, amount: { value: '50.00', currency: 'RUB' as const }, replace: true };
    proxy.loseAnswerTo('COMMIT');
    const { paymentId } = await unknown(host.payments.create(less));
    const [, second] = await other.payments.findByOrder(input.order.reference);
    expect(second).toMatchObject({ id: paymentId, status: 'submitting' });
    expect(second?.id).not.toBe(first.id);
  });

  it.each(['capture', 'cancel'] as const)('is a %s of unknown outcome', async (kind) => {
    const { id } = await paid(false);
    const before = sent(kind);
    proxy.loseAnswerTo('operations_opened_now');
    expect(await unknown(host.payments[kind](id))).toMatchObject({ paymentId: id, operation: kind });
    expect(sent(kind)).toBe(before);
    await bench.asOwner('UPDATE payments_operations SET lease_until = NULL WHERE payment_id = $1', [id]);
    await other.payments[kind](id);
    expect(sent(kind)).toBe(before + 1);
  });

  it('is a refund of unknown outcome', async () => {
    const { id } = await paid(true);
    proxy.loseAnswerTo('operations_opened_now');
    const refund = { refundKey: 'lost' };
    expect(await unknown(host.payments.refund(id, refund))).toMatchObject({
      paymentId: id,
      operation: 'refund',
    });
    expect(await other.payments.refunds(id)).toMatchObject([{ refundKey: 'lost', status: 'submitting' }]);
    await bench.asOwner('UPDATE payments_operations SET lease_until = NULL WHERE payment_id = $1', [id]);
    expect(await other.payments.refund(id, refund)).toMatchObject({ status: 'succeeded' });
  });

  it('is of no unknown outcome if the connection ended before the commit was requested: nothing is recorded', async () => {
    const { id } = await paid(false);
    proxy.loseAnswerTo('payments_operations');
    await expect(host.payments.capture(id)).rejects.not.toBeInstanceOf(PaymentOutcomeUnknownError);
    const recorded = await bench.asOwner(
      `SELECT FROM payments_operations WHERE payment_id = $1 AND kind = 'capture'`,
      [id],
    );
    expect(recorded).toEqual([]);
  });

  it('is of unknown outcome too if the database ends as it is asked what became of the request', async () => {
    const { id } = await paid(false);
    await other.payments.capture(id);
    proxy.loseAnswerTo('PaymentsPaymentEntity');
    expect(await unknown(host.payments.capture(id))).toMatchObject({ paymentId: id, operation: 'capture' });
  });
});
