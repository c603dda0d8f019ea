import { get, receiver, started } from './support.js';

const roubles = (value: string) => ({ value, currency: 'RUB' });

describe('a payout', () => {
  it('is read pending, and announced when it succeeds', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const made = sandbox.payouts.create({ amount: '320.00' });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^po-/),
      status: 'pending',
      amount: roubles('320.00'),
      payout_destination: { type: 'bank_card' },
      test: true,
    });
    expect((await get(sandbox, `/v3/payouts/${made.id}`)).body).toEqual(made);
    const finished = sandbox.payouts.finish(made.id, 'succeeded');
    expect(finished).toMatchObject({ status: 'succeeded', succeeded_at: expect.any(String) });
    await sandbox.clock.advance(0);
    expect(shop.received.map(({ body }) => body)).toEqual([
      { type: 'notification', event: 'payout.succeeded', object: finished },
    ]);
    expect((await get(sandbox, `/v3/payouts/${made.id}`)).body).toEqual(finished);
  });

  it('is announced when it is canceled, with its reason', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const made = sandbox.payouts.create({
      amount: '320.00',
      outcome: 'canceled',
      reason: 'payment_method_restricted',
    });
    expect(made).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'payment_network', reason: 'payment_method_restricted' },
    });
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payout.canceled']);
    expect(sandbox.payouts.list()).toEqual([made]);
  });

  it('is refused without an amount, and ends once', async () => {
    const sandbox = await started();
    expect(() => sandbox.payouts.create({ amount: '5' })).toThrow('amount must be a text such as');
    const made = sandbox.payouts.create({ amount: '1.00', outcome: 'succeeded' });
    expect(() => sandbox.payouts.finish(made.id, 'canceled')).toThrow('not pending');
    expect(() => sandbox.payouts.finish('none', 'canceled')).toThrow('No payout none');
    expect(sandbox.payouts.list()).toHaveLength(1);
  });
});

describe('a deal', () => {
  it('is read opened, and announced when it is closed', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const made = sandbox.deals.create();
    expect(made).toMatchObject({
      type: 'safe_deal',
      id: expect.stringMatching(/^dl-/),
      status: 'opened',
      balance: roubles('0.00'),
      payout_balance: roubles('0.00'),
      expires_at: expect.any(String),
    });
    expect((await get(sandbox, `/v3/deals/${made.id}`)).body).toEqual(made);
    const closed = sandbox.deals.close(made.id);
    await sandbox.clock.advance(0);
    expect(shop.received.map(({ body }) => body)).toEqual([
      { type: 'notification', event: 'deal.closed', object: closed },
    ]);
    expect((await get(sandbox, `/v3/deals/${made.id}`)).body).toMatchObject({ status: 'closed' });
    expect(() => sandbox.deals.close(made.id)).toThrow('closed already');
    expect(sandbox.deals.list()).toEqual([closed]);
  });
});

describe('an unknown object', () => {
  it.each(['/v3/payouts/po-1', '/v3/deals/dl-1', '/v3/payment_methods/1'])(
    'is not found at %s',
    async (path) => {
      const sandbox = await started();
      expect(await get(sandbox, path)).toMatchObject({
        status: 404,
        body: { type: 'error', code: 'not_found' },
      });
    },
  );
});

describe('faults', () => {
  it.each([
    ['read_payout', '/v3/payouts/po-1'],
    ['read_deal', '/v3/deals/dl-1'],
    ['read_payment_method', '/v3/payment_methods/1'],
    ['read_refund', '/v3/refunds/1'],
    ['list_refunds', '/v3/refunds'],
    ['me', '/v3/me'],
    ['list_webhooks', '/v3/webhooks'],
  ] as const)('can be ordered on %s, which the ledger counts', async (on, path) => {
    const sandbox = await started();
    sandbox.faults.order({ on, fault: 'forbidden' });
    expect(sandbox.faults.list()).toEqual([{ order: { on, fault: 'forbidden' }, left: 1 }]);
    expect(await get(sandbox, path)).toMatchObject({
      status: 403,
      body: { type: 'error', code: 'forbidden' },
    });
    expect(sandbox.ledger.requestCount({ endpoint: on })).toBe(1);
    expect(sandbox.faults.list()).toEqual([]);
  });
});
