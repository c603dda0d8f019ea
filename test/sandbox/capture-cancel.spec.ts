import { basic, held, pending, post, refusal, started } from './support.js';

describe('capturing a hold', () => {
  it.each(['/v3/payments/:id/capture', '/v3/:id/capture'])('takes all of it by %s', async (path) => {
    const sandbox = await started();
    const id = await held(sandbox);
    const { status, body } = await post(sandbox, path.replace(':id', id), 'c');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'succeeded',
      paid: true,
      refundable: true,
      amount: { value: '1234.50' },
      // Less 3.5 %: 43.2075, rounded to 43.21.
      income_amount: { value: '1191.29', currency: 'RUB' },
      refunded_amount: { value: '0.00', currency: 'RUB' },
      captured_at: expect.any(String),
      payment_method: { card: { last4: '4444' } },
      authorization_details: { rrn: expect.stringMatching(/^\d{12}$/), three_d_secure: { applied: false } },
    });
    expect(body).not.toHaveProperty('expires_at');
    expect(body).not.toHaveProperty('confirmation');
  });

  it('needs neither a body nor its type', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    const headers = { Authorization: basic, 'Idempotence-Key': 'c' };
    const { status } = await fetch(`${sandbox.url}/v3/${id}/capture`, { method: 'POST', headers });
    expect(status).toBe(200);
  });

  it('takes a part and gives the rest back', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    const { body } = await post(sandbox, `/v3/${id}/capture`, 'c', {
      amount: { value: '1000.00', currency: 'RUB' },
    });
    expect(body).toMatchObject({
      status: 'succeeded',
      amount: { value: '1000.00' },
      income_amount: { value: '965.00' },
    });
    expect(sandbox.ledger.totals(id)).toMatchObject({ charged: '1234.50', captured: '1000.00' });
  });

  it.each([
    ['more than is held', '1234.51', 'Illegal amount for capture'],
    ['nothing', '0.00', expect.any(String)],
  ])('refuses %s', async (_what, value, description) => {
    const sandbox = await started();
    const id = await held(sandbox);
    expect(
      await post(sandbox, `/v3/${id}/capture`, 'c', { amount: { value, currency: 'RUB' } }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', description },
    });
    expect(sandbox.payments.get(id).status).toBe('waiting_for_capture');
  });

  it.each<[string, unknown, string]>([
    ['a text for the amount', { amount: '1.00' }, 'amount'],
    ['one fractional digit', { amount: { value: '1.0', currency: 'RUB' } }, 'amount.value'],
    ['another currency', { amount: { value: '1.00', currency: 'USD' } }, 'amount.currency'],
    ['more than is held', { amount: { value: '1234.51', currency: 'RUB' } }, 'amount'],
  ])('names the field that is wrong: %s', async (_what, body, parameter) => {
    const sandbox = await started();
    const id = await held(sandbox);
    expect(await post(sandbox, `/v3/${id}/capture`, 'c', body)).toMatchObject(refusal(parameter));
    expect(sandbox.payments.get(id).status).toBe('waiting_for_capture');
  });

  it('is refused while pending, and a second time', async () => {
    const sandbox = await started();
    const refused = { status: 400, body: { description: 'Payment can not be captured in current status' } };
    expect(await post(sandbox, `/v3/${await pending(sandbox)}/capture`, 'c1')).toMatchObject(refused);
    const id = await held(sandbox);
    await post(sandbox, `/v3/${id}/capture`, 'c2');
    expect(await post(sandbox, `/v3/${id}/capture`, 'c3')).toMatchObject(refused);
    expect(sandbox.ledger.totals(id).captures).toBe(1);
  });
});

describe('canceling a hold', () => {
  it.each(['/v3/payments/:id/cancel', '/v3/:id/cancel'])('releases it by %s', async (path) => {
    const sandbox = await started();
    const id = await held(sandbox);
    const { status, body } = await post(sandbox, path.replace(':id', id), 'x', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'canceled',
      paid: false,
      refundable: false,
      cancellation_details: { party: 'merchant', reason: 'canceled_by_merchant' },
    });
  });

  it('is refused while pending, and after a capture', async () => {
    const sandbox = await started();
    const refused = { status: 400, body: { description: 'Payment can not be canceled in current status' } };
    expect(await post(sandbox, `/v3/${await pending(sandbox)}/cancel`, 'x1')).toMatchObject(refused);
    const id = await held(sandbox);
    await post(sandbox, `/v3/${id}/capture`, 'c');
    expect(await post(sandbox, `/v3/${id}/cancel`, 'x2')).toMatchObject(refused);
  });
});
