import type { Sandbox } from '@holdfast/sandbox';
import {
  basicOf,
  bearer,
  get,
  order,
  post,
  realShop,
  refusal,
  started,
  token,
  type Reply,
} from './support.js';

const create = (
  sandbox: Sandbox,
  data: unknown,
  shop: { shopId: string; secretKey: string },
): Promise<Reply> =>
  post(
    sandbox,
    '/v3/payments',
    JSON.stringify({ data }),
    order({ payment_method_data: data }),
    basicOf(shop),
  );

describe('a demo store', () => {
  it('says that it is one, with bank card and wallet only', async () => {
    const sandbox = await started({ accessToken: token });
    const { status, body } = await get(sandbox, '/v3/me', bearer);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account_id: 'test_shop',
      test: true,
      status: 'enabled',
      fiscalization_enabled: false,
      payment_methods: ['bank_card', 'wallet'],
    });
  });

  it.each(['wallet_pay', 'bank_app_pay', 'card_app_pay', 'cash', 'toString', 7, null])(
    'refuses the method %j',
    async (type) => {
      const sandbox = await started();
      expect(
        await post(
          sandbox,
          '/v3/payments',
          'k',
          order({ payment_method_data: { type, payment_method_token: 't' }, confirmation: undefined }),
        ),
      ).toMatchObject(refusal('payment_method_data.type'));
    },
  );
});

describe('a store without the prefix', () => {
  it('has every method, and its payments are no tests', async () => {
    const sandbox = await started({ ...realShop, accessToken: token });
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      account_id: '4711',
      test: false,
      payment_methods: ['bank_card', 'wallet', 'wallet_pay', 'bank_app_pay'],
    });
    expect((await create(sandbox, { type: 'bank_card' }, realShop)).body).toMatchObject({ test: false });
  });

  it('shows a bank application payment with a card, but neither its product nor its issuer', async () => {
    const sandbox = await started(realShop);
    const { body } = await create(sandbox, undefined, realShop);
    const byBankApp = { outcome: 'succeed', method: 'bank_app_pay' } as const;
    const { payment_method: method } = sandbox.payments.pay(String(body['id']), byBankApp);
    expect(method).toMatchObject({ type: 'bank_app_pay', card: { last4: expect.stringMatching(/^\d{4}$/) } });
    for (const field of ['card_product', 'issuer_country', 'issuer_name', 'source']) {
      expect(method?.card).not.toHaveProperty(field);
    }
  });

  it('shows the mobile payment app as the source of a card', async () => {
    const sandbox = await started(realShop);
    const { body } = await create(sandbox, { type: 'bank_card' }, realShop);
    const paid = sandbox.payments.pay(String(body['id']), { outcome: 'succeed', source: 'card_app_pay' });
    expect(paid.payment_method).toMatchObject({ type: 'bank_card', card: { source: 'card_app_pay' } });
  });

  it.each([
    ['bank_card', 7 * 24],
    ['wallet', 7 * 24],
    ['bank_app_pay', 6],
  ] as const)('holds the money of a %s for %i hours', async (method, hours) => {
    const sandbox = await started(realShop);
    const { body } = await create(sandbox, undefined, realShop);
    const before = sandbox.clock.now().getTime();
    const { expires_at: expiresAt } = sandbox.payments.pay(String(body['id']), {
      outcome: 'succeed',
      method,
    });
    const holdMs = Date.parse(String(expiresAt)) - before;
    expect(Math.floor(holdMs / 60_000)).toBe(hours * 60);
  });
});

describe('store information', () => {
  it('is refused to shop credentials', async () => {
    const sandbox = await started({ accessToken: token });
    expect(await get(sandbox, '/v3/me')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials', description: 'Authentication type is not allowed' },
    });
  });

  it('is refused to an unknown token', async () => {
    const sandbox = await started({ accessToken: token });
    expect(await get(sandbox, '/v3/me', 'Bearer other')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
  });
});
