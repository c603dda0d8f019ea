import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('looks at a payment from its order’s page', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  const reads = (paymentId: string | null) =>
    bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: paymentId ?? '' });

  it('at the same moment are one request for all that came while another was under way', async () => {
    const { id, serviceId } = await host.payments.create(orderInput());
    const before = reads(serviceId);
    // Long enough for all to come, however busy the machine is.
    bench.sandbox.faults.order({ on: 'read', fault: 'stall', ms: 2_000 });
    const seen = await Promise.all(Array.from({ length: 20 }, () => host.payments.refresh(id)));
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(reads(serviceId) - before).toBe(2);
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    // Whoever asks after the payment sees it paid.
    const paid = await Promise.all(Array.from({ length: 5 }, () => host.payments.refresh(id)));
    expect(paid.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
  });

  it('that was replaced make no request', async () => {
    const input = orderInput();
    const old = await host.payments.create(input);
    await host.payments.create({ ...input, amount: { value: '90.00', currency: 'RUB' }, replace: true });
    const before = reads(old.serviceId);
    expect(await host.payments.refresh(old.id)).toMatchObject({ status: 'pending', superseded: true });
    expect(reads(old.serviceId)).toBe(before);
  });
});

describe('the payments of an order', () => {
  it('that were replaced and may still be paid are twenty at most', async () => {
    const bench = await openBench();
    const host = await bench.startHost();
    const input = orderInput();
    const paying = (rubles: number) =>
      host.payments.create({
        ...input,
        amount: { value: `${rubles}.00`, currency: 'RUB' },
        replace: true,
      });
    for (let rubles = 100; rubles <= 120; rubles += 1) await paying(rubles);
    const sent = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    const open = (await host.payments.findByOrder(input.order.reference)).at(-1);
    await expect(paying(121)).rejects.toMatchObject({
      code: 'order_payments_exceeded',
      openPaymentId: open?.id,
    });
    // The open one stays, and is what the same create gets.
    expect(await paying(120)).toMatchObject({ id: open?.id });
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sent);
    expect(await host.payments.findByOrder(input.order.reference)).toHaveLength(21);
    await bench.close();
  });
});
