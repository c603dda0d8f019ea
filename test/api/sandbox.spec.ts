import {
  documentedProfile,
  PaymentsApi,
  ServiceError,
  shopCredentials,
  tokenCredentials,
  yookassaProfile,
  type PaymentObject,
} from '@holdfast/payments/client';
import { startSandbox, type ApiFault, type Sandbox } from '@holdfast/sandbox';
import { canaries } from '../support/canaries.js';

const shop = { shopId: '100500', secretKey: canaries.secretKey };
const { accessToken } = canaries;
const amount = { value: '100.00', currency: 'RUB' as const };
const confirmation = { type: 'redirect' as const, return_url: 'https://shop.example/back' };
const url = 'https://shop.example/hook';

const failure = async (call: Promise<unknown>): Promise<ServiceError> => {
  const reason: unknown = await call.then(
    () => new Error('It was answered.'),
    (caught: unknown) => caught,
  );
  if (reason instanceof ServiceError) return reason;
  throw reason;
};

it('the client issues an invoice and reads how it was paid', async () => {
  const sandbox = await startSandbox({ ...shop, shopId: '4711', profile: 'yookassa' });
  const credentials = shopCredentials('4711', shop.secretKey);
  const api = new PaymentsApi({ serviceUrl: sandbox.url, profile: yookassaProfile, credentials });
  const issued = await api.createInvoice({
    payment_data: { amount, capture: true },
    cart: [{ description: 'Cup', price: amount, quantity: 1 }],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    delivery_method_data: { type: 'self' },
  });
  expect(issued).toMatchObject({ status: 'pending', delivery_method: { url: expect.any(String) } });
  const { id: paidBy } = sandbox.invoices.pay(issued.id, { outcome: 'succeed' });
  expect(await api.fetchInvoice(issued.id)).toMatchObject({
    status: 'succeeded',
    payment_details: { id: paidBy, status: 'succeeded' },
  });
  expect(await api.fetchPayment(paidBy)).toMatchObject({ invoice_details: { id: issued.id } });
  await sandbox.close();
});

describe.each([
  ['documented', documentedProfile],
  ['yookassa', yookassaProfile],
] as const)('the client with the %s profile, on the sandbox', (name, profile) => {
  let sandbox: Sandbox;
  let api: PaymentsApi;
  let app: PaymentsApi;
  beforeAll(async () => {
    sandbox = await startSandbox({ ...shop, accessToken, profile: name });
    const { url: serviceUrl } = sandbox;
    const credentials = shopCredentials(shop.shopId, shop.secretKey);
    api = new PaymentsApi({ serviceUrl, profile, credentials });
    app = new PaymentsApi({ serviceUrl, profile, credentials: tokenCredentials(accessToken) });
  });
  afterAll(() => sandbox.close());
  afterEach(() => sandbox.faults.clear());

  const create = (capture = true): Promise<PaymentObject> =>
    api.createPayment({ amount, capture, confirmation, metadata: { basket: '7' } });

  async function paid(capture = true): Promise<string> {
    const { id } = await create(capture);
    sandbox.payments.pay(id, { outcome: 'succeed' });
    return id;
  }

  it('creates a payment and reads it', async () => {
    const created = await create();
    expect(created).toMatchObject({
      status: 'pending',
      paid: false,
      amount,
      refundable: false,
      metadata: { basket: '7' },
      confirmation: { type: 'redirect', confirmation_url: expect.stringContaining(created.id) },
    });
    expect(await api.fetchPayment(created.id)).toEqual(created);
  });

  it('gets the first answer again for a repeated key, and an error for another body under that key', async () => {
    const request = { amount, capture: true, confirmation };
    const first = await api.createPayment(request, { idempotenceKey: `again-${name}` });
    expect(await api.createPayment(request, { idempotenceKey: `again-${name}` })).toEqual(first);
    const other = api.createPayment({ ...request, capture: false }, { idempotenceKey: `again-${name}` });
    expect(await failure(other)).toMatchObject({
      code: 'service_key_reused',
      details: { httpStatus: 400, parameter: 'Idempotence-Key', idempotenceKey: `again-${name}` },
    });
  });

  it('captures the whole hold, or a part of it', async () => {
    const whole = await paid(false);
    expect(await api.capturePayment(whole)).toMatchObject({ status: 'succeeded', amount });
    const part = await paid(false);
    const taken = { value: '40.00', currency: 'RUB' as const };
    expect(await api.capturePayment(part, { amount: taken })).toMatchObject({ amount: taken });
    expect(sandbox.ledger.totals(part)).toMatchObject({ captures: 1, captured: '40.00' });
  });

  it('cancels a hold', async () => {
    const id = await paid(false);
    expect(await api.cancelPayment(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'merchant', reason: 'canceled_by_merchant' },
    });
  });

  it('refunds in parts, reads a refund and lists a payment’s refunds', async () => {
    const id = await paid();
    const part = { value: '40.00', currency: 'RUB' as const };
    const first = await api.createRefund({ payment_id: id, amount: part, description: 'Torn' });
    expect(first).toMatchObject({ payment_id: id, status: 'succeeded', amount: part, description: 'Torn' });
    const second = await api.createRefund({ payment_id: id, amount: part });
    expect(await api.fetchRefund(first.id)).toEqual(first);
    const listed: string[] = [];
    for await (const refund of api.listRefunds({ payment_id: id, limit: 1 })) listed.push(refund.id);
    expect(listed).toEqual([second.id, first.id]);
    const counts = { pending: 0, succeeded: 0, canceled: 0 };
    for (const status of ['pending', 'succeeded', 'canceled'] as const)
      for await (const refund of api.listRefunds({ payment_id: id, status }))
        counts[status] += refund.status === status ? 1 : 0;
    expect(counts).toEqual({ pending: 0, succeeded: 2, canceled: 0 });
    expect(await failure(api.createRefund({ payment_id: id, amount: part }))).toMatchObject({
      code: 'service_request_invalid',
    });
    expect(sandbox.ledger.totals(id)).toMatchObject({ refunds: 2, refunded: '80.00' });
  });

  it('lists payments over all pages, and continues from a cursor', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id).toReversed();
    const listed: string[] = [];
    for await (const { id } of api.listPayments({ limit: 2 })) listed.push(id);
    expect(listed.slice(0, 3)).toEqual(made);
    expect(listed).toHaveLength(sandbox.payments.list().length);
    const { value: page } = await api.listPayments({ limit: 2 }).pages().next();
    const { value: next } = await api
      .listPayments({ limit: 2, cursor: page?.nextCursor ?? '' })
      .pages()
      .next();
    expect(next?.items.map(({ id }) => id)).toEqual(listed.slice(2, 4));
  });

  it('lists by status, by time and by method, in the interface’s words', async () => {
    const { id } = await api.createPayment({
      amount,
      capture: true,
      confirmation,
      payment_method_data: { type: 'wallet' },
    });
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const since = new Date(sandbox.clock.now().getTime() - 3_600_000).toISOString();
    const found: PaymentObject[] = [];
    const filter = { status: 'succeeded', payment_method: 'wallet', 'created_at.gte': since } as const;
    for await (const payment of api.listPayments(filter)) found.push(payment);
    expect(found.map((payment) => payment.id)).toContain(id);
    expect(new Set(found.map(({ payment_method }) => payment_method?.type))).toEqual(new Set(['wallet']));
  });

  it('reads the store with a token alone', async () => {
    expect(await app.fetchStore()).toMatchObject({
      account_id: shop.shopId,
      test: false,
      status: 'enabled',
      payment_methods: expect.arrayContaining(['bank_card', 'wallet', 'wallet_pay', 'bank_app_pay']),
    });
    expect(await failure(api.fetchStore())).toMatchObject({ code: 'service_token_required' });
  });

  it('creates, lists and deletes webhooks with a token', async () => {
    const webhook = await app.createWebhook({ event: 'payment.succeeded', url });
    expect(webhook).toMatchObject({ event: 'payment.succeeded', url });
    expect(await app.listWebhooks()).toContainEqual(webhook);
    await app.deleteWebhook(webhook.id);
    expect(await app.listWebhooks()).toEqual([]);
    expect(await failure(app.deleteWebhook(webhook.id))).toMatchObject({ code: 'service_not_found' });
  });

  it('reads payouts, deals and saved payment methods', async () => {
    const payout = sandbox.payouts.create({ amount: '50.00', outcome: 'succeeded' });
    expect(await api.fetchPayout(payout.id)).toMatchObject({ id: payout.id, status: 'succeeded' });
    const { id: dealId } = sandbox.deals.create();
    sandbox.deals.close(dealId);
    expect(await api.fetchDeal(dealId)).toMatchObject({ id: dealId, status: 'closed' });
    const { id: methodId } = sandbox.paymentMethods.bind({ type: 'wallet' });
    expect(await api.fetchPaymentMethod(methodId)).toMatchObject({
      id: methodId,
      type: 'wallet',
      saved: true,
    });
  });

  it('gets an error that names the fault', async () => {
    const { url: serviceUrl } = sandbox;
    const stranger = new PaymentsApi({ serviceUrl, credentials: shopCredentials(shop.shopId, 'wrong') });
    expect(await failure(stranger.fetchPayment('p-1'))).toMatchObject({
      code: 'service_credentials',
      outcome: 'refused',
      details: { httpStatus: 401, serviceCode: 'invalid_credentials' },
    });
    expect(await failure(api.fetchPayment('p-1'))).toMatchObject({ code: 'service_not_found' });
    const { id } = await create();
    const early = await failure(api.capturePayment(id));
    expect(early).toMatchObject({ code: 'service_request_invalid', outcome: 'refused' });
    expect(early.details.requestId).toEqual(expect.any(String));
  });

  const faults: ApiFault[] = [
    'reset_before_commit',
    'reset_after_commit',
    'error_500_before_commit',
    'error_500_after_commit',
    'too_many_requests',
    'truncated_body',
  ];

  it.each(faults)('has one effect, even if it fails twice: %s', async (fault) => {
    const id = await paid(false);
    sandbox.faults.order({ on: 'capture', fault, times: 2 });
    expect(await api.capturePayment(id)).toMatchObject({ status: 'succeeded' });
    sandbox.faults.order({ on: 'refund', fault, times: 2 });
    expect(await api.createRefund({ payment_id: id, amount })).toMatchObject({ status: 'succeeded' });
    expect(sandbox.ledger.totals(id)).toMatchObject({
      charges: 1,
      captures: 1,
      refunds: 1,
      refunded: '100.00',
    });
  });

  it('waits as long as the service asks while the request is still being processed', async () => {
    const id = await paid(false);
    sandbox.faults.order({ on: 'cancel', fault: 'accepted', times: 2, retry_after: 1 });
    expect(await api.cancelPayment(id)).toMatchObject({ status: 'canceled' });
    expect(sandbox.ledger.totals(id)).toMatchObject({ cancels: 1, captures: 0 });
  });
});
