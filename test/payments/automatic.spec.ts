import { PaymentOutcomeUnknownError, type CreatePaymentInput } from '@holdfast/payments';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { asItIs } from '../support/service-proxy.js';

/** An automatic payment: no buyer, so no return address. */
function automaticInput(
  paymentMethodId: string,
  fields: Partial<CreatePaymentInput> & { reference?: string } = {},
): CreatePaymentInput {
  const { reference, ...rest } = fields;
  const { order, amount } = orderInput(reference);
  return { order, amount, paymentMethodId, ...rest };
}

describe('a payment by a saved method', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const creates = () => bench.sandbox.ledger.requestCount({ endpoint: 'create' });

  it('is saved by the first payment, and pays the next without the buyer', async () => {
    const first = await host.payments.create({
      ...orderInput(),
      method: 'bank_card',
      savePaymentMethod: true,
    });
    bench.sandbox.payments.pay(first.serviceId ?? '', { outcome: 'succeed' });
    const { paymentMethod } = await paymentBecomes(host, first.id, 'succeeded');
    expect(paymentMethod).toMatchObject({ type: 'bank_card', saved: true, id: expect.any(String) });
    const next = await host.payments.create(automaticInput(paymentMethod?.id ?? ''));
    expect(next).toMatchObject({
      status: 'succeeded',
      confirmationUrl: null,
      paymentMethod: {
        type: 'bank_card',
        id: paymentMethod?.id,
        card: { last4: paymentMethod?.card?.last4 },
      },
      incomeAmount: { currency: 'RUB', value: expect.stringMatching(/^\d+\.\d\d$/) },
      refundable: true,
    });
  });

  it('is held if capture is false', async () => {
    const { id } = bench.sandbox.paymentMethods.bind();
    const held = await host.payments.create(automaticInput(id, { capture: false }));
    expect(held.status).toBe('waiting_for_capture');
    expect(await host.payments.capture(held.id)).toMatchObject({ status: 'succeeded' });
  });

  it('that is declined comes back canceled, with its reason', async () => {
    const { id } = bench.sandbox.paymentMethods.bind();
    bench.sandbox.paymentMethods.revoke(id);
    const before = creates();
    expect(await host.payments.create(automaticInput(id))).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'permission_revoked' },
    });
    expect(creates()).toBe(before + 1);
  });

  it.each([
    ['succeeded', false],
    ['canceled', true],
  ])(
    'whose answer was lost and that is %s is resumed under its key: one payment, not two',
    async (status, revoked) => {
      const { id } = bench.sandbox.paymentMethods.bind();
      if (revoked) bench.sandbox.paymentMethods.revoke(id);
      const caller = await bench.startHost({ sweeps: false });
      const input = automaticInput(id, { reference: `lost and ${status}` });
      bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
      await expect(caller.payments.create(input)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      bench.sandbox.faults.clear();
      const made = bench.sandbox.payments.list().length;
      expect(await caller.payments.create(input)).toMatchObject({ status });
      expect(bench.sandbox.payments.list()).toHaveLength(made);
      expect(await caller.payments.findByOrder(input.order.reference)).toHaveLength(1);
      await caller.close();
    },
  );

  it('that may have taken money already is not replaced until its outcome is known', async () => {
    const { id } = bench.sandbox.paymentMethods.bind();
    const caller = await bench.startHost({ sweeps: false });
    const reference = 'replaced';
    bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
    await expect(caller.payments.create(automaticInput(id, { reference }))).rejects.toBeInstanceOf(
      PaymentOutcomeUnknownError,
    );
    const half = { amount: { value: '50.00', currency: 'RUB' as const }, replace: true };
    const other = { ...orderInput(reference), ...half };
    await expect(caller.payments.create(other)).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    // It turns out to be paid, so there is nothing left to pay.
    await expect(caller.payments.create(other)).rejects.toMatchObject({ code: 'order_amount_exceeded' });
    await caller.close();
  });

  it.each<[string, Partial<CreatePaymentInput>, string, RegExp]>([
    ['a returnUrl', { returnUrl: 'https://shop.example/' }, 'returnUrl', /nothing for the buyer to confirm/],
    ['a method', { method: 'bank_card' }, 'paymentMethodId', /left out beside method/],
    ['3-D Secure', { enforce3dSecure: true }, 'enforce3dSecure', /nothing for the buyer to confirm/],
    ['a strange id', { paymentMethodId: '../me' }, 'paymentMethodId', /id of a saved payment method/],
  ])('accepts no %s', async (_name, fields, field, rule) => {
    await expect(host.payments.create(automaticInput('pm-1', fields))).rejects.toMatchObject({
      field,
      rule: expect.stringMatching(rule),
    });
  });
});

describe('a payment by a saved method that the service is still processing', () => {
  it('is not replaced, because it may take money at any moment', async () => {
    const bench = await openBench();
    const proxy = await bench.startProxy();
    const { payments } = await bench.startHost({ sweeps: false, serviceUrl: proxy.url });
    try {
      proxy.rewrite = (payment) => ({ ...payment, status: 'pending' });
      const { id } = bench.sandbox.paymentMethods.bind();
      const input = automaticInput(id);
      const cheaper = { ...input, amount: { value: '50.00', currency: 'RUB' as const }, replace: true };
      const first = await payments.create(input);
      expect(first.status).toBe('pending');
      await expect(payments.create(cheaper)).rejects.toMatchObject({
        code: 'operation_in_progress',
        paymentId: first.id,
        operation: 'replace',
      });
      proxy.rewrite = asItIs;
      await expect(payments.create(cheaper)).rejects.toMatchObject({ code: 'order_amount_exceeded' });
      expect(bench.sandbox.payments.list()).toHaveLength(1);
    } finally {
      await bench.close();
    }
  });
});

describe('a payment for air tickets', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  const airline = {
    booking_reference: 'ABC123',
    passengers: [{ first_name: 'ANNA', last_name: 'PETROVA' }],
    legs: [{ departure_airport: 'SVO', destination_airport: 'LED', departure_date: '2030-01-31' }],
  };

  it('sends the tickets at its creation, and the ticket numbers at its capture', async () => {
    const payment = await host.payments.create({
      ...orderInput(),
      method: 'bank_card',
      capture: false,
      airline,
    });
    const serviceId = payment.serviceId ?? '';
    expect(bench.sandbox.payments.airline(serviceId)).toMatchObject({
      bookingReference: 'ABC123',
      legs: [{ departureAirport: 'SVO', departureDate: '2030-01-31' }],
    });
    bench.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await paymentBecomes(host, payment.id, 'waiting_for_capture');
    await host.payments.capture(payment.id, { airline: { ticket_number: '4211234567890' } });
    expect(bench.sandbox.payments.airline(serviceId)).toMatchObject({ ticketNumber: '4211234567890' });
  });

  it('is by bank card', async () => {
    await expect(host.payments.create({ ...orderInput(), airline })).rejects.toMatchObject({
      field: 'airline',
      rule: expect.stringContaining('bank card'),
    });
    const payment = await host.payments.create({ ...orderInput(), method: 'wallet', capture: false });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await paymentBecomes(host, payment.id, 'waiting_for_capture');
    await expect(host.payments.capture(payment.id, { airline })).rejects.toMatchObject({
      field: 'airline',
      rule: expect.stringContaining('wallet'),
    });
  });

  it.each([
    [
      { ...airline, legs: [airline.legs[0], { ...airline.legs[0], departure_date: '2030-02-30' }] },
      'airline.legs[1].departure_date',
    ],
    [{}, 'airline.ticket_number'],
    [null, 'airline'],
  ])('names what is wrong in %j, at its creation and at its capture', async (wrong, field) => {
    const given: object = { airline: wrong };
    const tickets: Pick<CreatePaymentInput, 'airline'> = given;
    const input: CreatePaymentInput = { ...orderInput(), method: 'bank_card', ...tickets };
    await expect(host.payments.create(input)).rejects.toMatchObject({ code: 'payment_input', field });
    await expect(host.payments.capture(crypto.randomUUID(), tickets)).rejects.toMatchObject({
      code: 'payment_input',
      field,
    });
  });
});
