import { documentedProfile, yookassaProfile } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { app } from './oauth-support.js';
import { basicOf, bearer, get, order, pending, post, realShop, refusal, started, token } from './support.js';

const options = { ...realShop, accessToken: token, profile: 'yookassa' } as const;

async function created(sandbox: Sandbox, type: string): Promise<string> {
  const body = order({ payment_method_data: { type } });
  const reply = await post(sandbox, '/v3/payments', `new ${type}`, body, basicOf(realShop));
  return String(reply.body['id']);
}

describe('the profile yookassa', () => {
  it.each([
    ['yoo_money', 'wallet'],
    ['sberbank', 'bank_app_pay'],
    ['bank_card', 'bank_card'],
  ] as const)('calls the method %s in requests, answers and list filters', async (wire, method) => {
    const sandbox = await started(options);
    const id = await created(sandbox, wire);
    await created(sandbox, wire === 'bank_card' ? 'yoo_money' : 'bank_card');
    expect(sandbox.payments.pay(id, { outcome: 'succeed', method }).payment_method?.type).toBe(wire);
    const list = await get(sandbox, `/v3/payments?payment_method=${wire}`, basicOf(realShop));
    expect(list.body).toMatchObject({ items: [{ id }] });
  });

  it('calls the wallet cryptogram google_pay', async () => {
    const sandbox = await started(options);
    const data = { type: 'google_pay', payment_method_token: 't', google_transaction_id: 'g' };
    const body = order({ payment_method_data: data, confirmation: undefined });
    expect((await post(sandbox, '/v3/payments', 'k', body, basicOf(realShop))).body).toMatchObject({
      status: 'waiting_for_capture',
      payment_method: { type: 'google_pay' },
    });
  });

  it('calls the mobile payment app mir_pay', async () => {
    const sandbox = await started(options);
    const id = await created(sandbox, 'bank_card');
    const paid = sandbox.payments.pay(id, { outcome: 'succeed', source: 'card_app_pay' });
    expect(paid.payment_method?.card?.source).toBe('mir_pay');
  });

  it('calls the service itself yoo_money if it ended a payment', async () => {
    const sandbox = await started(options);
    const id = await created(sandbox, 'bank_card');
    await sandbox.clock.advance(60 * 60 * 1000);
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'yoo_money',
      reason: 'expired_on_confirmation',
    });
  });

  it('calls the network refund_network where it ends a refund', async () => {
    const sandbox = await started(options);
    const id = await created(sandbox, 'bank_card');
    sandbox.payments.pay(id, { outcome: 'succeed' });
    const paid = await post(sandbox, `/v3/payments/${id}/capture`, 'capture', {}, basicOf(realShop));
    expect(paid.body['status']).toBe('succeeded');
    sandbox.refunds.next({ status: 'canceled', reason: 'rejected_by_payee' });
    expect(sandbox.refunds.make(id).cancellation_details).toEqual({
      party: 'refund_network',
      reason: 'rejected_by_payee',
    });
  });

  it('uses these names for the methods of the store', async () => {
    const sandbox = await started(options);
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      payment_methods: [
        'bank_card',
        'yoo_money',
        'google_pay',
        'sberbank',
        'sbp',
        'tinkoff_bank',
        'alfa_pay',
        'sber_loan',
        'sber_bnpl',
        'b2b_sberbank',
        'mobile_balance',
        'cash',
        'electronic_certificate',
      ],
    });
  });

  it.each(['wallet', 'wallet_pay', 'bank_app_pay'])('does not know the neutral word %s', async (type) => {
    const sandbox = await started(options);
    const body = order({ payment_method_data: { type } });
    expect(await post(sandbox, '/v3/payments', 'k', body, basicOf(realShop))).toMatchObject(
      refusal('payment_method_data.type'),
    );
    expect(await get(sandbox, `/v3/payments?payment_method=${type}`, basicOf(realShop))).toMatchObject(
      refusal('payment_method'),
    );
  });
});

describe('the permissions of an app', () => {
  it.each([
    ['documented', documentedProfile, 'checkout:payments_create'],
    ['yookassa', yookassaProfile, 'payments_create'],
  ] as const)('follow the words of the profile %s, and no others', async (profile, words, foreign) => {
    const sandbox = await started({ profile });
    const every = [...Object.values(words.permissions), ...words.readPermissions];
    const { permissions } = sandbox.apps.register({ ...app, permissions: every });
    expect(permissions).toEqual(every);
    sandbox.tokens.connect({ clientId: app.clientId });
    expect(sandbox.tokens.list()).toMatchObject([{ permissions: every }]);
    expect(sandbox.apps.register({ ...app, clientId: 'other' }).permissions).toEqual(every);
    expect(() => sandbox.apps.register({ ...app, clientId: 'third', permissions: [foreign] })).toThrow(
      /^permissions must be one of /,
    );
  });

  it('of the profile yookassa are named by the refusal, and reading needs its own', async () => {
    const sandbox = await started({ ...options, apps: [{ ...app, permissions: ['checkout:payments_get'] }] });
    const { accessToken } = sandbox.tokens.connect({ clientId: app.clientId, accountId: realShop.shopId });
    const as = `Bearer ${accessToken}`;
    expect((await post(sandbox, '/v3/payments', 'k', order(), as)).body).toMatchObject({
      code: 'forbidden',
      description: 'The app has no permission checkout:payments_create: payment creation',
    });
    const id = await created(sandbox, 'bank_card');
    expect((await get(sandbox, `/v3/payments/${id}`, as)).body).toMatchObject({ id });
    expect((await get(sandbox, '/v3/payments', as)).status).toBe(200);
    for (const path of ['/v3/refunds', '/v3/refunds/none'])
      expect(await get(sandbox, path, as)).toMatchObject({
        status: 403,
        body: { description: 'The app has no permission refunds_get: reading refunds' },
      });
  });
});

describe("the status of a payment's method", () => {
  it('appears in the profile yookassa: not saved, to be saved, saved', async () => {
    const sandbox = await started(options);
    const plain = await created(sandbox, 'bank_card');
    const saving = await post(
      sandbox,
      '/v3/payments',
      'saving',
      order({ payment_method_data: { type: 'bank_card' }, save_payment_method: true }),
      basicOf(realShop),
    );
    const id = String(saving.body['id']);
    const statusOf = (payment: string) => sandbox.payments.get(payment).payment_method?.status;
    expect([statusOf(plain), statusOf(id)]).toEqual(['inactive', 'pending']);
    for (const payment of [plain, id]) sandbox.payments.pay(payment, { outcome: 'succeed' });
    expect([statusOf(plain), statusOf(id)]).toEqual(['inactive', 'active']);
    expect((await get(sandbox, `/v3/payment_methods/${id}`, basicOf(realShop))).body).toMatchObject({
      saved: true,
      status: 'active',
    });
    const declined = await created(sandbox, 'yoo_money');
    sandbox.payments.pay(declined, { outcome: 'decline' });
    expect(statusOf(declined)).toBe('inactive');
  });

  it('does not appear in the documented profile, whose interface has none', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { payment_method_data: { type: 'bank_card' } });
    expect(sandbox.payments.get(id).payment_method).not.toHaveProperty('status');
  });
});

describe('the documented profile', () => {
  it.each(['yoo_money', 'google_pay', 'sberbank'])('does not know the brand name %s', async (type) => {
    const sandbox = await started(realShop);
    const body = order({ payment_method_data: { type } });
    expect(await post(sandbox, '/v3/payments', 'k', body, basicOf(realShop))).toMatchObject(
      refusal('payment_method_data.type'),
    );
  });
});
