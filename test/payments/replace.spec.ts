import { PaymentOutcomeUnknownError, type CreatePaymentInput } from '@holdfast/payments';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

/** The same order with a changed cart. */
const replacing = (input: CreatePaymentInput): CreatePaymentInput => ({
  ...input,
  amount: { value: '150.00', currency: 'RUB' },
  replace: true,
});

/** Nothing runs in the background here: what create knows, it found out itself. */
describe('create with replace', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false, requestTimeoutMs: 5_000, callDeadlineMs: 10_000 });
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const pay = ({ serviceId }: { serviceId: string | null }) =>
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  const requests = (endpoint: string) => bench.sandbox.ledger.requestCount({ endpoint });

  it('is refused if the old payment was paid a moment ago, its notification lost: there is one charge', async () => {
    const input = orderInput();
    const old = await host.payments.create(input);
    const created = requests('create');
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    pay(old);
    await expect(host.payments.create(replacing(input))).rejects.toMatchObject({
      code: 'order_amount_exceeded',
      claimedMinor: 10_000,
      openPaymentId: null,
    });
    expect(await host.payments.get(old.id)).toMatchObject({ status: 'succeeded', superseded: false });
    expect(requests('create')).toBe(created);
    expect(bench.sandbox.ledger.totals(old.serviceId ?? '')).toMatchObject({ charges: 1 });
  });

  it.each<[string, (input: CreatePaymentInput) => CreatePaymentInput]>([
    ['capture', (input) => ({ ...input, capture: false })],
    ['method', (input) => ({ ...input, method: 'wallet' })],
  ])('left out is refused, and told that the same sum differs in %s', async (differs, changed) => {
    const input = orderInput();
    const { id } = await host.payments.create(input);
    const error: unknown = await host.payments.create(changed(input)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'order_amount_exceeded', openPaymentId: id, differs: [differs] });
    expect(String(error)).toContain(
      `has an open payment, ${id}, of the same sum, which differs in ${differs}.`,
    );
    expect(String(error)).not.toMatch(/twice|cart/);
  });

  it('is refused while the hold is being captured', async () => {
    const input = { ...orderInput(), capture: false };
    const old = await host.payments.create(input);
    pay(old);
    await host.payments.refresh(old.id);
    const [captures, created] = [requests('capture'), requests('create')];
    bench.sandbox.faults.order({ on: 'capture', fault: 'stall' });
    const capturing = host.payments.capture(old.id);
    await eventually(
      () => Promise.resolve(requests('capture')),
      (count) => count > captures,
    );
    await expect(host.payments.create(replacing(input))).rejects.toMatchObject({
      code: 'operation_in_progress',
      paymentId: old.id,
      operation: 'replace',
      inProgress: 'capture',
    });
    bench.sandbox.faults.clear();
    expect(await capturing).toMatchObject({ status: 'succeeded', superseded: false });
    expect(requests('create')).toBe(created);
  });

  it('releases a hold of the old payment at once, however far off the next look at it is', async () => {
    const input = { ...orderInput(), capture: false };
    const old = await host.payments.create(input);
    await host.payments.create(replacing(input));
    await host.dataSource.query(
      `UPDATE payments_due SET ready_at = now() + interval '1 hour' WHERE payment_id = $1`,
      [old.id],
    );
    const sweeping = await bench.startHost();
    pay(old);
    await paymentBecomes(host, old.id, 'canceled');
    expect(bench.sandbox.ledger.totals(old.serviceId ?? '')).toMatchObject({ captures: 0, cancels: 1 });
    await sweeping.close();
  });

  it('releases the hold of the old payment, though the service refuses what replaces it', async () => {
    const input = { ...orderInput(), capture: false };
    const old = await host.payments.create(input);
    pay(old);
    await host.payments.refresh(old.id);
    const { order, amount } = input;
    // There is no such method.
    const charge = { order, amount, paymentMethodId: randomUUID(), replace: true };
    await expect(host.payments.create(charge)).rejects.toMatchObject({ code: 'payment_rejected' });
    const sweeping = await bench.startHost();
    await paymentBecomes(host, old.id, 'canceled');
    expect(bench.sandbox.ledger.totals(old.serviceId ?? '')).toMatchObject({ captures: 0, cancels: 1 });
    await sweeping.close();
  });

  it('looks for an expired create once, however long the call may take', async () => {
    const caller = await bench.startHost({ sweeps: false });
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput();
    await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    // The object that the list contains is another one: the look settles nothing.
    const [unknown] = await caller.payments.findByOrder(input.order.reference);
    await bench.asOwner('UPDATE payments_payments SET amount_minor = 9999 WHERE id = $1', [unknown?.id]);
    await bench.sandbox.clock.advance(25 * 3_600_000);

    const lists = requests('list');
    const again = { ...input, amount: { value: '99.99', currency: 'RUB' as const } };
    await expect(caller.payments.create(again)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(requests('list')).toBe(lists + 1);
    await caller.close();
  });
});
