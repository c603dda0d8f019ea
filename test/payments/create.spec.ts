import {
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  type CreatePaymentInput,
  type PaymentStatus,
} from '@holdfast/payments';
import { eventually } from '../support/eventually.js';
import { markOf } from '../support/marks.js';
import {
  hasty,
  openBench,
  orderInput,
  type Bench,
  type PaymentsHost,
  paymentBecomes,
} from '../support/payments-host.js';

describe('create', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());
  afterEach(() => bench.sandbox.faults.clear());

  const charges = () => bench.sandbox.ledger.totals().charges;
  const paymentsAtService = () => bench.sandbox.payments.list().length;
  const pay = (payment: { serviceId: string | null }) =>
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
  const becomes = (id: string, status: PaymentStatus) => paymentBecomes(host, id, status);

  it('returns a pending payment with the address to send the buyer to', async () => {
    const payment = await host.payments.create({
      ...orderInput(),
      description: 'Two cups',
      metadata: { basket: '7' },
    });
    expect(payment).toMatchObject({
      status: 'pending',
      test: true,
      capture: true,
      metadata: { basket: '7' },
    });
    expect(payment.confirmationUrl).toMatch(new RegExp(`^${bench.sandbox.url}/`));
    expect(bench.sandbox.payments.get(payment.serviceId ?? '')).toMatchObject({
      description: 'Two cups',
      metadata: { basket: '7', holdfast_payment: await markOf(bench, payment.id) },
    });
  });

  it('of two tabs and a double click makes one payment and one charge', async () => {
    const input = orderInput();
    const [before, chargesBefore] = [paymentsAtService(), charges()];
    const created = await Promise.all(Array.from({ length: 8 }, () => host.payments.create(input)));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(paymentsAtService()).toBe(before + 1);
    const again = await host.payments.create(input);
    expect(again.confirmationUrl).toBe(created[0]?.confirmationUrl);
    pay(again);
    await becomes(again.id, 'succeeded');
    expect(charges()).toBe(chargesBefore + 1);
  });

  it('for an order that is paid says so, and charges nothing', async () => {
    const input = orderInput();
    const payment = await host.payments.create(input);
    pay(payment);
    await becomes(payment.id, 'succeeded');
    const before = charges();
    await expect(host.payments.create(input)).rejects.toMatchObject({
      code: 'order_already_paid',
      paymentId: payment.id,
      status: 'succeeded',
    });
    expect(charges()).toBe(before);
  });

  it('for an order paid a moment ago, its notification lost, says so instead of returning a dead link', async () => {
    const input = orderInput();
    const payment = await host.payments.create(input);
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    pay(payment);
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(OrderAlreadyPaidError);
  });

  it('for an order whose payment is held says so', async () => {
    const input = { ...orderInput(), capture: false };
    const payment = await host.payments.create(input);
    pay(payment);
    await becomes(payment.id, 'waiting_for_capture');
    await expect(host.payments.create(input)).rejects.toMatchObject({ status: 'waiting_for_capture' });
  });

  it('after a canceled payment opens a new one, however often it is called', async () => {
    const input = orderInput();
    const first = await host.payments.create(input);
    bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'decline' });
    await becomes(first.id, 'canceled');
    const clicks = await Promise.all(Array.from({ length: 8 }, () => host.payments.create(input)));
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    expect(clicks[0]?.id).not.toBe(first.id);
    expect(await host.payments.findByOrder(input.order.reference)).toHaveLength(2);
  });

  it('for a changed cart is refused, and with replace takes the place of the old payment', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest });
    const changed: CreatePaymentInput = { order, ...rest, amount: { value: '150.00', currency: 'RUB' } };
    await expect(host.payments.create(changed)).rejects.toMatchObject({
      code: 'order_amount_exceeded',
      openPaymentId: old.id,
      claimedMinor: 10_000,
      totalDueMinor: 15_000,
    });
    const before = charges();
    const replacement = await host.payments.create({ ...changed, replace: true });
    expect((await host.payments.get(old.id)).superseded).toBe(true);
    expect((await host.payments.create({ ...changed, replace: true })).id).toBe(replacement.id);
    pay(replacement);
    await becomes(replacement.id, 'succeeded');
    expect(charges()).toBe(before + 1);
    expect(await host.payments.getOrder(order.reference)).toMatchObject({
      state: 'paid',
      paid: { value: '150.00', currency: 'RUB' },
    });
  });

  it('raises order.overpaid once if a superseded payment is paid after all', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest });
    await host.payments.create({
      order,
      ...rest,
      amount: { value: '150.00', currency: 'RUB' },
      replace: true,
    });
    pay(old);
    await becomes(old.id, 'succeeded');
    expect(
      await eventually(
        () => bench.effects(host, old.id),
        (effects) => effects.length === 2,
      ),
    ).toEqual(['order.overpaid', 'payment.succeeded']);
    const timeline = await host.payments.timeline(old.id);
    expect(timeline.find(({ name }) => name === 'order.overpaid')?.evidence).toMatchObject({
      reason: 'a superseded payment was paid',
      paidMinor: 10_000,
    });
  });

  it('cancels the hold of a superseded payment that is held later', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest, capture: false });
    await host.payments.create({
      order,
      ...rest,
      capture: false,
      amount: { value: '150.00', currency: 'RUB' },
      replace: true,
    });
    pay(old);
    await becomes(old.id, 'canceled');
    expect(bench.sandbox.ledger.totals(old.serviceId ?? '')).toMatchObject({
      charges: 1,
      captures: 0,
      cancels: 1,
    });
  });

  it('cancels the hold of a payment that is replaced while it is held', async () => {
    const { order, ...rest } = orderInput();
    const old = await host.payments.create({ order, ...rest, capture: false });
    pay(old);
    await becomes(old.id, 'waiting_for_capture');
    const changed = { order, ...rest, amount: { value: '150.00', currency: 'RUB' as const }, replace: true };
    await host.payments.create(changed);
    expect(await becomes(old.id, 'canceled')).toMatchObject({ superseded: true });
  });

  it('lets an order be paid in named parts, each of them once, up to its total', async () => {
    const { order, ...rest } = orderInput();
    const due = { ...rest, order: { ...order, totalDue: { value: '200.00', currency: 'RUB' as const } } };
    const clicks = await Promise.all([1, 2, 3].map(() => host.payments.create({ ...due, part: 'deposit' })));
    const [first] = clicks;
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    const second = await host.payments.create({ ...due, part: 'rest' });
    expect(second.id).not.toBe(first?.id);
    await expect(host.payments.create({ ...due, part: 'tip' })).rejects.toBeInstanceOf(
      OrderAmountExceededError,
    );
    pay({ serviceId: first?.serviceId ?? null });
    pay(second);
    await becomes(first?.id ?? '', 'succeeded');
    await becomes(second.id, 'succeeded');
    expect(await host.payments.getOrder(order.reference)).toMatchObject({ state: 'paid' });
  });

  it('does not open a second payment of another kind beside an open one', async () => {
    const { order, ...rest } = orderInput();
    const totalDue = { value: '200.00', currency: 'RUB' as const };
    await host.payments.create({ ...rest, order: { ...order, totalDue } });
    const other: CreatePaymentInput = { ...rest, order: { ...order, totalDue }, method: 'wallet' };
    await expect(host.payments.create(other)).rejects.toBeInstanceOf(OrderPaymentOpenError);
  });

  it.each(['reset_after_commit', 'error_500_after_commit', 'truncated_body', 'reset_before_commit'] as const)(
    'that meets %s is repeated under its key and is one payment',
    async (fault) => {
      const before = paymentsAtService();
      bench.sandbox.faults.order({ on: 'create', fault });
      expect(await host.payments.create(orderInput())).toMatchObject({ status: 'pending' });
      expect(paymentsAtService()).toBe(before + 1);
    },
  );

  it('that is answered too late says so, and the next call resumes it', async () => {
    const soonTired = await bench.startHost({ ...hasty, sweeps: false });
    const before = paymentsAtService();
    bench.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const input = orderInput();
    await expect(soonTired.payments.create(input)).rejects.toMatchObject({
      cause: { code: 'service_timeout' },
    });
    expect(await host.payments.create(input)).toMatchObject({ status: 'pending' });
    expect(paymentsAtService()).toBe(before + 1);
  });

  it('whose answer never comes says so with our payment id, and the next call resumes it', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput();
    const before = paymentsAtService();
    const error: unknown = await host.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentOutcomeUnknownError);
    const [unknown] = await host.payments.findByOrder(input.order.reference);
    expect(error).toMatchObject({ paymentId: unknown?.id, operation: 'create' });
    expect(unknown?.status).toBe('submitting');
    bench.sandbox.faults.clear();
    expect(await host.payments.create(input)).toMatchObject({ id: unknown?.id, status: 'pending' });
    expect(paymentsAtService()).toBe(before + 1);
  });

  it('whose caller is gone is found by the sweep', async () => {
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    const input = orderInput();
    await expect(host.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const [{ id } = { id: '' }] = await host.payments.findByOrder(input.order.reference);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(60_000);
    await becomes(id, 'pending');
  });

  it('that the service refuses is rejected with its reason, and may be made again', async () => {
    const strict = await bench.startHost({ secretKey: 'wrong_key', sweeps: false });
    const input = orderInput();
    const error: unknown = await strict.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentRejectedError);
    expect(error).toMatchObject({ cause: { code: 'service_credentials', details: { httpStatus: 401 } } });
    expect(JSON.stringify(error)).not.toContain('wrong_key');
    await strict.close();
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    expect(await host.payments.create(input)).toMatchObject({ status: 'pending' });
  });
});
