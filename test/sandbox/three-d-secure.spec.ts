import { good, page, submit, textOf, type Shown } from './buyer-browser.js';
import { get, pending, post, started } from './support.js';

const code = { code: '123456' };
const asking = { ...good, number: '5555555555554477' };

const back = { status: 303, location: 'http://shop.test/back' };
const enforced = { confirmation: { type: 'redirect', return_url: 'http://shop.test/back', enforce: true } };
const sentCard = (number: string) => ({
  payment_method_data: {
    type: 'bank_card',
    card: { number, expiry_month: '12', expiry_year: '2039', csc: '123', cardholder: 'ANNA ORLOVA' },
  },
});

const leadsTo3ds = ({ location }: Shown, id: string) => location === `/checkout/${id}/3ds`;

describe('3-D Secure', () => {
  it('is required if the merchant enforces it, and marks the payment', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    expect(leadsTo3ds(await submit(sandbox, `${id}/pay`, good), id)).toBe(true);
    expect(sandbox.payments.get(id).status).toBe('pending');

    const { status, text } = await page(sandbox, `${id}/3ds`);
    expect(status).toBe(200);
    expect(textOf(text, 'issuer')).toBe('Sandbox Bank asks');
    expect(text).toContain('MasterCard *4444');

    expect(await submit(sandbox, `${id}/3ds`, code)).toMatchObject(back);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'waiting_for_capture',
      payment_method: { card: { last4: '4444' } },
      authorization_details: { three_d_secure: { applied: true } },
    });
  });

  it('is required by some banks though the merchant does not', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(leadsTo3ds(await submit(sandbox, `${id}/pay`, asking), id)).toBe(true);
    await submit(sandbox, `${id}/3ds`, code);
    expect(sandbox.payments.get(id).authorization_details?.three_d_secure.applied).toBe(true);
  });

  it('is not required otherwise', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(await submit(sandbox, `${id}/pay`, good)).toMatchObject(back);
    expect(sandbox.payments.get(id).authorization_details?.three_d_secure.applied).toBe(false);
  });

  it('that fails is a failed attempt: the choice says why and accepts another', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/pay`, asking);
    expect((await submit(sandbox, `${id}/3ds`, { fail: 'yes' })).location).toBe(`/checkout/${id}`);
    expect(textOf((await page(sandbox, id)).text, 'payment-error')).toContain('could not verify');
    expect(sandbox.payments.get(id).status).toBe('pending');
    expect(await submit(sandbox, `${id}/pay`, good)).toMatchObject(back);
  });

  it('that fails before the buyer gives up is the reason of the cancellation', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    await submit(sandbox, `${id}/pay`, good);
    await submit(sandbox, `${id}/3ds`, { fail: 'yes' });
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details).toEqual({
      party: 'payment_network',
      reason: '3d_secure_failed',
    });
  });

  it('asks again for a code that is wrong', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    await submit(sandbox, `${id}/pay`, good);
    const wrong = await submit(sandbox, `${id}/3ds`, { code: '000000' });
    expect(wrong.status).toBe(422);
    expect(textOf(wrong.text, 'code-error')).toContain('not the code');
    expect(await submit(sandbox, `${id}/3ds`, code)).toMatchObject(back);
  });

  it('passed does not help a card that is declined', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    await submit(sandbox, `${id}/pay`, { ...good, number: '5555555555554600' });
    expect((await submit(sandbox, `${id}/3ds`, code)).location).toBe(`/checkout/${id}`);
    expect(textOf((await page(sandbox, id)).text, 'payment-error')).toContain('not enough money');
    expect(sandbox.ledger.totals(id).charges).toBe(0);
  });

  it('is not required for the wallet', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    expect(await submit(sandbox, `${id}/wallet`, { wallet: '4100 1000 0000 0001' })).toMatchObject(back);
  });

  it('has no page before a card was typed, nor after it was used', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    expect((await page(sandbox, `${id}/3ds`)).location).toBe(`/checkout/${id}`);
    expect((await submit(sandbox, `${id}/3ds`, code)).location).toBe(`/checkout/${id}`);
    await submit(sandbox, `${id}/pay`, good);
    await submit(sandbox, `${id}/3ds`, { fail: 'yes' });
    expect((await submit(sandbox, `${id}/3ds`, code)).location).toBe(`/checkout/${id}`);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('charges once, however often its form is sent', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, enforced);
    await submit(sandbox, `${id}/pay`, good);
    await Promise.all([1, 2, 3].map(() => submit(sandbox, `${id}/3ds`, code)));
    expect(sandbox.ledger.totals(id).charges).toBe(1);
  });

  it('is passed by a buyer without a browser', async () => {
    const sandbox = await started();
    const body = sandbox.payments.pay(await pending(sandbox, enforced), { outcome: 'succeed' });
    expect(body.authorization_details?.three_d_secure.applied).toBe(true);
  });
});

describe('card data entered on the merchant’s side', () => {
  it('leads straight to 3-D Secure, and pays after it', async () => {
    const sandbox = await started();
    const { body } = await post(sandbox, '/v3/payments', 'sent', {
      amount: { value: '10.00', currency: 'RUB' },
      ...enforced,
      ...sentCard('5555555555554444'),
    });
    const id = String(body['id']);
    expect(body['confirmation']).toMatchObject({
      confirmation_url: `${sandbox.url}/checkout/${id}/3ds`,
    });
    expect(leadsTo3ds(await page(sandbox, id), id)).toBe(true);
    expect((await page(sandbox, `${id}/3ds`)).text).toContain('MasterCard *4444');
    expect(await submit(sandbox, `${id}/3ds`, code)).toMatchObject(back);
    expect(sandbox.payments.get(id)).toMatchObject({
      paid: true,
      authorization_details: { three_d_secure: { applied: true } },
    });
  });

  it.each([
    ['failed 3-D Secure', '5555555555554444', { fail: 'yes' }, '3d_secure_failed'],
    ['a card that is declined', '5555555555554600', code, 'insufficient_funds'],
  ])('ends the payment after %s: there is no form to try again with', async (_what, number, form, reason) => {
    const sandbox = await started();
    const id = await pending(sandbox, sentCard(number));
    expect(await submit(sandbox, `${id}/3ds`, form)).toMatchObject(back);
    expect(sandbox.payments.get(id)).toMatchObject({ status: 'canceled', cancellation_details: { reason } });
  });

  it('leaves no other way to pay', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, sentCard('5555555555554444'));
    expect(leadsTo3ds(await submit(sandbox, `${id}/pay`, good), id)).toBe(true);
    expect(leadsTo3ds(await submit(sandbox, `${id}/wallet`, { wallet: '4100 1000 0000 0001' }), id)).toBe(
      true,
    );
    expect(sandbox.payments.get(id).status).toBe('pending');
  });
});
