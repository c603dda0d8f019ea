import { control, held, pending, receiver, started } from './support.js';

/** The id of a payment that is paid. */
async function paid(sandbox: Parameters<typeof pending>[0]): Promise<string> {
  const id = await pending(sandbox, { capture: true });
  sandbox.payments.pay(id, { outcome: 'succeed' });
  return id;
}

describe('refunds over the control API', () => {
  it('are made as in the Merchant Profile, a part or all that is left, and notified to the shop', async () => {
    const merchant = await receiver();
    const sandbox = await started({ notify: { url: merchant.url, events: ['refund.succeeded'] } });
    const id = await paid(sandbox);
    const part = await control(sandbox, '/refunds', { payment_id: id, amount: '234.50' });
    expect(part).toMatchObject({ status: 200, body: { status: 'succeeded', amount: { value: '234.50' } } });
    const rest = await control(sandbox, '/refunds', { payment_id: id });
    expect(rest.body).toMatchObject({ amount: { value: '1000.00' } });
    expect((await control(sandbox, `/refunds/${String(rest.body['id'])}`, undefined, 'GET')).body).toEqual(
      rest.body,
    );
    expect((await control(sandbox, '/refunds', undefined, 'GET')).body).toEqual({
      items: [rest.body, part.body],
    });
    await sandbox.clock.advance(0);
    expect(merchant.events()).toEqual(['refund.succeeded', 'refund.succeeded']);
    expect(sandbox.payments.get(id).refunded_amount?.value).toBe('1234.50');
  });

  it('end as ordered, and can be ended by hand', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    await control(sandbox, '/refunds/next', { status: 'pending' });
    await control(sandbox, '/refunds/next', { status: 'canceled', reason: 'insufficient_funds' });
    const refund = async () => (await control(sandbox, '/refunds', { payment_id: id, amount: '1.00' })).body;
    const waiting = await refund();
    expect(waiting).toMatchObject({ status: 'pending' });
    expect(await refund()).toMatchObject({ cancellation_details: { reason: 'insufficient_funds' } });
    expect(await refund()).toMatchObject({ status: 'succeeded' });
    const finish = `/refunds/${String(waiting['id'])}/finish`;
    expect(
      (await control(sandbox, finish, { outcome: 'canceled', reason: 'general_decline' })).body,
    ).toMatchObject({ status: 'canceled' });
    expect((await control(sandbox, finish, { outcome: 'succeeded' })).status).toBe(409);
  });

  it('are refused if the payment is not paid, beyond what is left, and with a wrong body', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const statusOf = async (body: unknown) => (await control(sandbox, '/refunds', body)).status;
    expect(await statusOf({ payment_id: await held(sandbox) })).toBe(409);
    expect(await statusOf({ payment_id: id, amount: '1234.51' })).toBe(409);
    expect(await statusOf({ payment_id: 'none' })).toBe(404);
    expect(await statusOf({ payment_id: id, amount: 5 })).toBe(400);
    expect(await statusOf({ payment: id })).toBe(400);
    expect(sandbox.refunds.list()).toEqual([]);
  });
});

describe('payouts, deals and payment methods over the control API', () => {
  it('are made, listed and ended, and notified to the shop', async () => {
    const merchant = await receiver();
    const sandbox = await started({ notify: { url: merchant.url } });
    const made = async (path: string, body?: unknown) => {
      const { body: object } = await control(sandbox, path, body);
      return String(object['id']);
    };
    const payout = await made('/payouts', { amount: '250.00' });
    await control(sandbox, `/payouts/${payout}/finish`, { outcome: 'succeeded' });
    await control(sandbox, '/payouts', { amount: '10.00', outcome: 'canceled', reason: 'general_decline' });
    const deal = await made('/deals');
    await control(sandbox, `/deals/${deal}/close`);
    const method = await made('/payment_methods', { type: 'bank_card' });
    expect((await control(sandbox, `/payment_methods/${method}/revoke`)).body).toMatchObject({
      status: 'inactive',
    });
    await sandbox.clock.advance(0);
    expect(merchant.events()).toEqual([
      'payout.succeeded',
      'payout.canceled',
      'deal.closed',
      'payment_method.active',
    ]);
    for (const path of ['/payouts', '/deals', '/payment_methods']) {
      const { body } = await control(sandbox, path, undefined, 'GET');
      expect(body['items']).not.toEqual([]);
    }
  });

  it.each([
    ['/payouts', { amount: '250' }, 400],
    ['/payouts', { amount: '250.00', outcome: 'maybe' }, 400],
    ['/payouts/none/finish', { outcome: 'succeeded' }, 404],
    ['/deals/none/close', undefined, 404],
    ['/payment_methods', { type: 'cash' }, 400],
    ['/payment_methods', { kind: 'bank_card' }, 400],
    ['/payment_methods/none/revoke', undefined, 404],
  ])('%s with %j is answered with %i', async (path, body, status) => {
    const sandbox = await started();
    expect(await control(sandbox, path, body)).toMatchObject({
      status,
      body: { error: expect.any(String) },
    });
  });
});

describe('the rest of the control API', () => {
  it('lists the faults that are ordered and not used up', async () => {
    const sandbox = await started();
    await control(sandbox, '/faults', { on: 'create', fault: 'too_many_requests', times: 2 });
    await pending(sandbox);
    expect((await control(sandbox, '/faults', undefined, 'GET')).body).toEqual({
      items: [{ order: { on: 'create', fault: 'too_many_requests', times: 2 }, left: 1 }],
    });
  });

  it('changes the address of notifications', async () => {
    const merchant = await receiver();
    const sandbox = await started();
    expect((await control(sandbox, '/notify_url', { url: merchant.url })).status).toBe(200);
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(merchant.events()).toEqual(['payment.waiting_for_capture']);
    await control(sandbox, '/notify_url', { url: null });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(merchant.received).toHaveLength(1);
    expect((await control(sandbox, '/notify_url', { url: 5 })).status).toBe(400);
    expect((await control(sandbox, '/notify_url', {})).status).toBe(400);
  });
});
