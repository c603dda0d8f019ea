import type { Sandbox } from '@holdfast/sandbox';
import {
  get,
  held,
  order,
  pending,
  post,
  receiver,
  refusal,
  started,
  type Json,
  type Reply,
} from './support.js';

const again = (sandbox: Sandbox, id: string, overrides: Json = {}): Promise<Reply> =>
  post(
    sandbox,
    '/v3/payments',
    'again',
    order({ confirmation: undefined, payment_method_id: id, ...overrides }),
  );

describe('a saved payment method', () => {
  it('comes from a paid payment that asked for it', async () => {
    const sandbox = await started();
    const id = await held(sandbox, { save_payment_method: true });
    const { payment_method: method } = sandbox.payments.get(id);
    expect(method).toMatchObject({ id, saved: true, type: 'bank_card' });
    const { status, body } = await get(sandbox, `/v3/payment_methods/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...method,
      status: 'active',
      holder: { account_id: 'test_shop', gateway_id: expect.any(String) },
    });
  });

  it('does not come from a payment that did not ask, or was not paid', async () => {
    const sandbox = await started();
    const declined = await pending(sandbox, { save_payment_method: true });
    sandbox.payments.pay(declined, { outcome: 'decline' });
    for (const id of [await held(sandbox), declined]) {
      expect(sandbox.payments.get(id).payment_method?.saved ?? false).toBe(false);
      expect(await get(sandbox, `/v3/payment_methods/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  it('pays again without the buyer, at once or as a hold', async () => {
    const sandbox = await started();
    const id = await held(sandbox, { save_payment_method: true });
    const { status, body } = await again(sandbox, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'waiting_for_capture',
      paid: true,
      payment_method: { id, saved: true, type: 'bank_card' },
    });
    expect(body).not.toHaveProperty('confirmation');
    const second = await post(
      sandbox,
      '/v3/payments',
      'second',
      order({ confirmation: undefined, payment_method_id: id, capture: true }),
    );
    expect(second.body).toMatchObject({ status: 'succeeded', payment_method: { id } });
    expect(sandbox.ledger.totals().charges).toBe(3);
  });

  it('is not saved a second time by a payment that it makes', async () => {
    const sandbox = await started();
    const id = await held(sandbox, { save_payment_method: true });
    await again(sandbox, id, { save_payment_method: true });
    expect(sandbox.paymentMethods.list().map((method) => method.id)).toEqual([id]);
  });

  it('notifies the shop of an automatic payment like of any other', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await held(sandbox, { save_payment_method: true });
    await again(sandbox, id, { capture: true });
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.waiting_for_capture', 'payment.succeeded']);
  });

  it('pays no more once the buyer withdrew the permission', async () => {
    const sandbox = await started();
    const id = await held(sandbox, { save_payment_method: true });
    expect(sandbox.paymentMethods.revoke(id)).toMatchObject({ id, status: 'inactive', saved: false });
    expect((await again(sandbox, id)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'permission_revoked' },
    });
    expect(sandbox.ledger.totals().charges).toBe(1);
  });

  it.each<[string, Json, string]>([
    ['a method that was not saved', { payment_method_id: 'none' }, 'payment_method_id'],
    ['an empty id', { payment_method_id: '' }, 'payment_method_id'],
    ['a number for the id', { payment_method_id: 7 }, 'payment_method_id'],
    ['payment_method_data too', { payment_method_data: { type: 'bank_card' } }, 'payment_method_id'],
    ['more than a card takes', { amount: { value: '350000.01', currency: 'RUB' } }, 'amount.value'],
    ['a confirmation without return_url', { confirmation: { type: 'redirect' } }, 'confirmation.return_url'],
  ])('refuses an automatic payment with %s', async (_what, overrides, parameter) => {
    const sandbox = await started();
    const id = await held(sandbox, { save_payment_method: true });
    expect(await again(sandbox, id, overrides)).toMatchObject(refusal(parameter));
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('is bound without a payment, announced, and pays', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const bound = sandbox.paymentMethods.bind();
    expect(bound).toMatchObject({ type: 'bank_card', saved: true, status: 'active' });
    await sandbox.clock.advance(0);
    expect(shop.received[0]?.body).toEqual({
      type: 'notification',
      event: 'payment_method.active',
      object: bound,
    });
    expect((await get(sandbox, `/v3/payment_methods/${bound.id}`)).body).toEqual(bound);
    expect((await again(sandbox, bound.id)).body['status']).toBe('waiting_for_capture');
    expect(sandbox.paymentMethods.list()).toEqual([bound]);
  });

  it('can be a wallet, but no method the store lacks', async () => {
    const sandbox = await started();
    expect(sandbox.paymentMethods.bind({ type: 'wallet' })).toMatchObject({ type: 'wallet' });
    expect(() => sandbox.paymentMethods.bind({ type: 'bank_app_pay' })).toThrow('type must be one of');
    expect(() => sandbox.paymentMethods.revoke('none')).toThrow('No payment method none');
  });
});
