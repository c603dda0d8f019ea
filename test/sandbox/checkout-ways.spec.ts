import { canaries } from '../support/canaries.js';
import { good, onAndroid, page, submit, textOf } from './buyer-browser.js';
import { control, get, pending, started } from './support.js';

const enough = { wallet: '4100 1000 0000 0001' };
const empty = { wallet: '4100 1000 0000 0002' };

/** A store that is not a demo store has every way to pay. */
const realStore = { shopId: 'shop_100500' };

describe('the e-wallet page', () => {
  it('is where choosing the wallet leads, and pays', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect(await submit(sandbox, `${id}/pay`, { method: 'wallet' })).toMatchObject({
      status: 303,
      location: `/checkout/${id}/wallet`,
    });
    expect(sandbox.payments.get(id).status).toBe('pending');
    expect(textOf((await page(sandbox, `${id}/wallet`)).text, 'amount')).toBe('1\u00a0234,50\u00a0₽');
    expect(await submit(sandbox, `${id}/wallet`, enough)).toMatchObject({
      status: 303,
      location: 'http://shop.test/back',
    });
    expect(sandbox.payments.get(id)).toMatchObject({
      status: 'waiting_for_capture',
      payment_method: { type: 'wallet' },
    });
  });

  it.each([
    ['4100 1000 0000 0002', 'insufficient_funds', 'not enough money'],
    ['4100 1000 0000 0003', 'payment_method_limit_exceeded', 'beyond the limits'],
    ['4100 1000 0000 0004', 'identification_required', 'has to be identified'],
  ])(
    'fails with wallet %s for %s and goes back to the choice, which says why',
    async (wallet, reason, words) => {
      const sandbox = await started();
      const id = await pending(sandbox);
      expect((await submit(sandbox, `${id}/wallet`, { wallet })).location).toBe(`/checkout/${id}`);
      expect(textOf((await page(sandbox, id)).text, 'payment-error')).toContain(words);
      expect(sandbox.payments.get(id).status).toBe('pending');
      await submit(sandbox, `${id}/cancel`);
      expect(sandbox.payments.get(id).cancellation_details?.reason).toBe(reason);
    },
  );

  it('can be tried again with a card', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    await submit(sandbox, `${id}/wallet`, empty);
    expect((await submit(sandbox, `${id}/pay`, good)).status).toBe(303);
    expect(sandbox.payments.get(id)).toMatchObject({ paid: true, payment_method: { type: 'bank_card' } });
    expect(sandbox.ledger.totals(id).charges).toBe(1);
  });

  it('asks again if no wallet was chosen', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect((await submit(sandbox, `${id}/wallet`, { wallet: '1' })).location).toBe(`/checkout/${id}/wallet`);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('is missing for a payment that the merchant wants by card', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { payment_method_data: { type: 'bank_card' } });
    expect((await page(sandbox, `${id}/wallet`)).location).toBe(`/checkout/${id}`);
    expect((await submit(sandbox, `${id}/wallet`, enough)).location).toBe(`/checkout/${id}`);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it('is missing for tickets, which are paid by bank card only', async () => {
    const sandbox = await started();
    const airline = {
      booking_reference: 'IIIKRV',
      passengers: [{ first_name: 'ANNA', last_name: 'ORLOVA' }],
      legs: [{ departure_airport: 'LED', destination_airport: 'AMS', departure_date: '2030-06-20' }],
    };
    const id = await pending(sandbox, { airline });
    expect((await page(sandbox, id)).text).not.toContain('method-wallet');
    await submit(sandbox, `${id}/wallet`, enough);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });
});

describe('the bank application', () => {
  const byBankApp = { method: 'bank_app_pay' };

  it('is offered by a store that is not a demo store, and pays', async () => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    expect((await page(sandbox, id)).text).toContain('method-bank_app_pay');
    expect((await submit(sandbox, `${id}/pay`, byBankApp)).location).toBe(`/checkout/${id}/bank-app`);
    expect((await page(sandbox, `${id}/bank-app`)).text).toContain('Confirm on your phone');
    expect((await submit(sandbox, `${id}/bank-app`, { answer: 'confirm' })).location).toBe(
      'http://shop.test/back',
    );
    const { payment_method: method, test } = sandbox.payments.get(id);
    expect(test).toBe(false);
    expect(method).toMatchObject({ type: 'bank_app_pay', card: { first6: '220247', last4: '2987' } });
    for (const field of ['card_product', 'issuer_country', 'issuer_name', 'source']) {
      expect(method?.card).not.toHaveProperty(field);
    }
  });

  it.each([
    ['refuse', 'general_decline'],
    ['no-money', 'insufficient_funds'],
  ])('that answers %s fails the attempt with %s', async (answer, reason) => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    expect((await submit(sandbox, `${id}/bank-app`, { answer })).location).toBe(`/checkout/${id}`);
    await submit(sandbox, `${id}/cancel`);
    expect(sandbox.payments.get(id).cancellation_details?.reason).toBe(reason);
  });

  it('is missing in a demo store', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    expect((await page(sandbox, id, onAndroid)).text).not.toMatch(/method-bank_app_pay|card-app/);
    expect((await submit(sandbox, `${id}/pay`, byBankApp)).status).toBe(422);
    for (const path of ['bank-app', 'card-app']) {
      await submit(sandbox, `${id}/${path}`, { answer: 'confirm' }, onAndroid);
    }
    expect(sandbox.payments.get(id).status).toBe('pending');
  });
});

describe("the phone's card app", () => {
  const confirm = { answer: 'confirm' };

  it('is a button of the card form on an Android phone, and marks the card with its source', async () => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    expect((await page(sandbox, id, onAndroid)).text).toContain(`href="/checkout/${id}/card-app"`);
    expect((await page(sandbox, `${id}/card-app`, onAndroid)).text).toContain('Confirm on your phone');
    expect((await submit(sandbox, `${id}/card-app`, confirm, onAndroid)).location).toBe(
      'http://shop.test/back',
    );
    expect(sandbox.payments.get(id)).toMatchObject({
      payment_method: { type: 'bank_card', card: { source: 'card_app_pay', card_type: 'Mir' } },
      authorization_details: { three_d_secure: { applied: false } },
    });
  });

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'],
    [''],
  ])('is missing in the browser %j', async (agent) => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    const headers = { 'User-Agent': agent };
    expect((await page(sandbox, id, headers)).text).not.toContain('card-app');
    expect((await page(sandbox, `${id}/card-app`, headers)).location).toBe(`/checkout/${id}`);
    await submit(sandbox, `${id}/card-app`, confirm, headers);
    expect(sandbox.payments.get(id).status).toBe('pending');
  });

  it.each(['at start', 'later'])('is missing if the merchant disabled it %s', async (when) => {
    const sandbox = await started({ ...realStore, cardApp: when === 'later' });
    if (when === 'later') await control(sandbox, `/stores/${realStore.shopId}/change`, { cardApp: false });
    expect(sandbox.stores.list()[0]).toMatchObject({ accountId: realStore.shopId, cardApp: false });
    const id = await created(sandbox.url);
    expect((await page(sandbox, id, onAndroid)).text).not.toContain('card-app');
    await submit(sandbox, `${id}/card-app`, confirm, onAndroid);
    expect(sandbox.payments.get(id).status).toBe('pending');
    const byApp = { outcome: 'succeed', source: 'card_app_pay' } as const;
    expect(() => sandbox.payments.pay(id, byApp)).toThrow('cannot be paid through card_app_pay');
    sandbox.stores.change(realStore.shopId, { cardApp: true });
    expect(sandbox.payments.pay(id, byApp).status).toBe('waiting_for_capture');
  });

  it('cannot be the answer of a typed card', async () => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    await submit(sandbox, `${id}/pay`, good, onAndroid);
    expect(sandbox.payments.get(id).payment_method?.card).not.toHaveProperty('source');
  });

  it('that is refused allows another attempt', async () => {
    const sandbox = await started(realStore);
    const id = await created(sandbox.url);
    const refused = await submit(sandbox, `${id}/card-app`, { answer: 'refuse' }, onAndroid);
    expect(refused.location).toBe(`/checkout/${id}`);
    expect((await submit(sandbox, `${id}/card-app`, confirm, onAndroid)).status).toBe(303);
    expect(sandbox.payments.get(id).paid).toBe(true);
  });
});

describe('names in the interface', () => {
  it('do not change the page', async () => {
    const sandbox = await started({ profile: 'yookassa' });
    const id = await pending(sandbox, { payment_method_data: { type: 'yoo_money' } });
    expect((await page(sandbox, id)).text).toContain('value="wallet"');
    await submit(sandbox, `${id}/wallet`, enough);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      payment_method: { type: 'yoo_money' },
    });
  });
});

/** The id of a new payment of the store that is not a demo store. */
async function created(url: string): Promise<string> {
  const response = await fetch(`${url}/v3/payments`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${realStore.shopId}:${canaries.secretKey}`).toString('base64')}`,
      'Idempotence-Key': 'new',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      amount: { value: '10.00', currency: 'RUB' },
      confirmation: { type: 'redirect', return_url: 'http://shop.test/back' },
    }),
  });
  const { id }: { id: string } = JSON.parse(await response.text());
  return id;
}
