import { testCards, type Sandbox } from '@holdfast/sandbox';
import { control, order, post, receiver, refusal, started, type Json, type Reply } from './support.js';

const [testCard] = testCards;
const card = {
  number: testCard.number,
  expiry_month: '12',
  expiry_year: '2099',
  csc: '987',
  cardholder: 'SERGEI IVANOV',
};

const hour = 60 * 60 * 1000;

const byCard = (sandbox: Sandbox, overrides: Json = {}): Promise<Reply> =>
  post(
    sandbox,
    '/v3/payments',
    'k',
    order({ payment_method_data: { type: 'bank_card', card: { ...card, ...overrides } } }),
  );

describe('card data entered on the merchant side', () => {
  it('is answered pending, with the 3-D Secure page as confirmation_url', async () => {
    const sandbox = await started();
    const { status, body } = await byCard(sandbox);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'pending',
      paid: false,
      confirmation: {
        type: 'redirect',
        confirmation_url: `${sandbox.url}/checkout/${String(body['id'])}/3ds`,
      },
      payment_method: {
        type: 'bank_card',
        saved: false,
        card: { first6: card.number.slice(0, 6), last4: card.number.slice(-4), expiry_year: '2099' },
      },
    });
  });

  it('shows neither the number nor the CSC again, in answers, notifications or the control API', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const { body } = await byCard(sandbox);
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    await sandbox.clock.advance(0);
    const payments = await control(sandbox, '/payments', undefined, 'GET');
    const seen = JSON.stringify([body, payments.body, shop.received, sandbox.ledger.report()]);
    expect(seen).toContain('payment.waiting_for_capture');
    expect(seen).not.toContain(card.number);
    expect(seen).not.toContain(`"${card.csc}"`);
  });

  it('is repeated under its key, and refused under it with another card', async () => {
    const sandbox = await started();
    const first = await byCard(sandbox);
    expect(await byCard(sandbox)).toEqual(first);
    expect(await byCard(sandbox, { csc: '123' })).toMatchObject(refusal('Idempotence-Key'));
  });

  it('needs neither the CSC nor the cardholder', async () => {
    const sandbox = await started();
    expect((await byCard(sandbox, { csc: undefined, cardholder: undefined })).status).toBe(200);
  });

  it.each<[string, Json, string]>([
    ['no number', { number: undefined }, 'number'],
    ['a number with spaces', { number: '5555 5555 5555 4444' }, 'number'],
    ['a card that is no test card', { number: '4242424242424242' }, 'number'],
    ['no month', { expiry_month: undefined }, 'expiry_month'],
    ['a month of one digit', { expiry_month: '1' }, 'expiry_month'],
    ['month 13', { expiry_month: '13' }, 'expiry_month'],
    ['a year of two digits', { expiry_year: '99' }, 'expiry_year'],
    ['a number for the year', { expiry_year: 2099 }, 'expiry_year'],
    ['a card that has expired', { expiry_year: '2020' }, 'expiry_year'],
    ['a CSC of two digits', { csc: '12' }, 'csc'],
    ['an empty cardholder', { cardholder: '' }, 'cardholder'],
  ])('is refused with %s', async (_what, overrides, field) => {
    const sandbox = await started();
    expect(await byCard(sandbox, overrides)).toMatchObject(refusal(`payment_method_data.card.${field}`));
    expect(sandbox.payments.list()).toEqual([]);
  });

  it('is refused if card is no object, or payment_method_data is none', async () => {
    const sandbox = await started();
    const create = (key: string, data: unknown) =>
      post(sandbox, '/v3/payments', key, order({ payment_method_data: data }));
    expect(await create('k1', { type: 'bank_card', card: card.number })).toMatchObject(
      refusal('payment_method_data.card'),
    );
    expect(await create('k2', 'bank_card')).toMatchObject(refusal('payment_method_data'));
  });

  it('is valid to the end of its month', async () => {
    const sandbox = await started({ startAt: new Date('2030-05-31T23:00:00.000Z') });
    expect((await byCard(sandbox, { expiry_month: '05', expiry_year: '2030' })).status).toBe(200);
    await sandbox.clock.advance(hour);
    const late = order({
      payment_method_data: { type: 'bank_card', card: { ...card, expiry_month: '05', expiry_year: '2030' } },
    });
    expect(await post(sandbox, '/v3/payments', 'late', late)).toMatchObject(
      refusal('payment_method_data.card.expiry_year'),
    );
  });
});
