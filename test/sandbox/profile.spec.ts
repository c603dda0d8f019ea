import type { Sandbox } from '@holdfast/sandbox';
import { basicOf, bearer, get, order, post, realShop, refusal, started, token } from './support.js';

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

  it('calls the service itself yoo_money where it ended a payment', async () => {
    const sandbox = await started(options);
    const id = await created(sandbox, 'bank_card');
    await sandbox.clock.advance(60 * 60 * 1000);
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'yoo_money',
      reason: 'expired_on_confirmation',
    });
  });

  it('names the methods of the store so', async () => {
    const sandbox = await started(options);
    expect((await get(sandbox, '/v3/me', bearer)).body).toMatchObject({
      payment_methods: ['bank_card', 'yoo_money', 'google_pay', 'sberbank'],
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

describe('the documented profile', () => {
  it.each(['yoo_money', 'google_pay', 'sberbank'])('does not know the brand name %s', async (type) => {
    const sandbox = await started(realShop);
    const body = order({ payment_method_data: { type } });
    expect(await post(sandbox, '/v3/payments', 'k', body, basicOf(realShop))).toMatchObject(
      refusal('payment_method_data.type'),
    );
  });
});
