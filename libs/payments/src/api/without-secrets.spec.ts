import { shopCredentials, tokenCredentials } from './credentials.js';
import { withoutSecrets } from './without-secrets.js';

const shop = shopCredentials('test_shop', 'live_Zk3vErYsEcReT');

const card = {
  number: '5555555555554444',
  csc: '9731',
  cardholder: 'ANNA P',
  expiry_month: '01',
  expiry_year: '2099',
};
const sent = (data: object) => JSON.stringify({ amount: {}, payment_method_data: data });

describe('an error body', () => {
  it.each([
    [
      'a card number',
      { type: 'bank_card', card },
      'Card 5555555555554444 is wrong',
      'Card [redacted] is wrong',
    ],
    [
      'a card number in groups of its own',
      { type: 'bank_card', card: { ...card, number: '5555555555554445' } },
      'Card 55555555-5555 4445 is wrong',
      'Card [redacted] is wrong',
    ],
    [
      'a csc and its holder',
      { type: 'bank_card', card },
      '9731 is not of ANNA P',
      '[redacted] is not of [redacted]',
    ],
    [
      'a cryptogram, itself JSON',
      { type: 'wallet_pay', payment_method_token: '{"signature":"x"}' },
      'Unreadable: {"signature":"x"}',
      'Unreadable: [redacted]',
    ],
  ])('is kept without %s that it repeats', (_name, data, description, kept) => {
    const body = { type: 'error', code: 'invalid_request', description, retry_after: 9731 };
    expect(withoutSecrets(body, sent(data), shop)).toEqual({ ...body, description: kept });
  });

  it("is kept without the token of the service's form", () => {
    const request = JSON.stringify({ payment_token: 'eyJ0/+==' });
    const description = 'No such token: eyJ0/+==';
    expect(withoutSecrets({ description }, request, shop)).toEqual({
      description: 'No such token: [redacted]',
    });
  });

  it("is kept without the buyer's contacts that it repeats", () => {
    const customer = { email: 'anna@buyer.example', phone: '79001234567' };
    const request = JSON.stringify({
      receipt: { customer, items: [] },
      payment_method_data: { phone: '79007654321' },
    });
    const description = 'Cannot reach anna@buyer.example, 79001234567 or 79007654321';
    expect(withoutSecrets({ description }, request, shop)).toEqual({
      description: 'Cannot reach [redacted], [redacted] or [redacted]',
    });
  });

  it.each([
    ['the case of an email', 'Cannot reach Anna@Buyer.EXAMPLE.', 'Cannot reach [redacted].'],
    ['a phone in groups', 'Phone +7 (900) 123-45-67 is wrong', 'Phone [redacted] is wrong'],
    ['the prefix of a phone', 'Phone 8 900 123 45 67 or 9001234567', 'Phone [redacted] or [redacted]'],
    ['a phone by another name', '44 20 7946 0958 rings', '[redacted] rings'],
    ['an address by another name', 'No mail for OTTO@buyer.example', 'No mail for [redacted]'],
    [
      "somebody's whom the request does not name",
      'Ask boss@shop.example, +49 30 1234567',
      'Ask [redacted], [redacted]',
    ],
    ['their name, encoded', 'customer=anna%40buyer.example', 'customer=[redacted]'],
  ])('is kept without contacts that it spells in another way: %s', (_how, description, kept) => {
    const request = JSON.stringify({
      receipt: { customer: { email: 'anna@buyer.example', phone: '79001234567' } },
      passenger: { 'e-mail': 'otto@buyer.example', phone_number: '442079460958' },
    });
    expect(withoutSecrets({ description }, request, shop)).toEqual({ description: kept });
  });

  it.each([
    'Payment 2419a771-000f-5000-9000-1edaf29243f2 of 1234567.89 RUB expired at 2026-11-28 06:13:14',
    'Amount 79001234.00 exceeds 350000.00',
    'Retry after 1800 s, request 20261128061314',
  ])('is kept with what is no contact: %s', (description) => {
    const request = JSON.stringify({ receipt: { customer: { phone: '79001234567' } } });
    expect(withoutSecrets({ description }, request, shop)).toEqual({ description });
  });

  it('is kept without the keys at the end of a webhook’s address', () => {
    const [secret, key] = ['s'.repeat(32), 'k'.repeat(43)];
    const url = `https://shop.example/webhooks/payments/${secret}/${key}`;
    const description = `Nobody answers at ${url}, ${encodeURIComponent(url)}`;
    const kept = withoutSecrets({ description }, JSON.stringify({ event: 'refund.succeeded', url }), shop);
    expect(JSON.stringify(kept)).not.toMatch(/s{32}|k{43}/);
    expect(kept).toMatchObject({
      description: expect.stringContaining('https://shop.example/webhooks/payments/[redacted]/[redacted]'),
    });
  });

  it('is kept without what is encoded as in an address', () => {
    const data = { type: 'bank_card', card: { ...card, number: '5555555555554445' } };
    const request = JSON.stringify({ payment_method_data: data, merchant_customer_id: 'anna@buyer.example' });
    for (const [parameter, kept] of [
      [
        'payment_method_data.card.number=5555%205555%205555%204445',
        'payment_method_data.card.number=[redacted]',
      ],
      ['number=%35555555555554445&n=1', 'number=[redacted]&n=1'],
      ['number=5555+5555+5555+4445', 'number=[redacted]'],
      ['phone=%2B49+30+1234567', 'phone=[redacted]'],
      ['merchant_customer_id=anna%40buyer.example', 'merchant_customer_id=[redacted]'],
      ['100%', '100%'],
      ['a+b', 'a+b'],
    ])
      expect(withoutSecrets({ parameter }, request, shop)).toEqual({ parameter: kept });
  });

  it("is kept without the buyer's name at the merchant", () => {
    const request = JSON.stringify({ amount: {}, merchant_customer_id: '+79001234567' });
    expect(withoutSecrets({ description: 'No customer +79001234567' }, request, shop)).toEqual({
      description: 'No customer [redacted]',
    });
  });

  it('is kept without contacts that are anywhere in it', () => {
    const request = JSON.stringify({ statements: [{ delivery_method: { email: 'anna@buyer.example' } }] });
    expect(withoutSecrets({ description: 'No such anna@buyer.example' }, request, shop)).toEqual({
      description: 'No such [redacted]',
    });
  });

  it.each([
    ['a token', tokenCredentials('AAEAAAADRw'), 'Token AAEAAAADRw is expired', 'Token [redacted] is expired'],
    ['a key', shop, 'No such key: live_Zk3vErYsEcReT', 'No such key: [redacted]'],
    [
      'a header',
      shop,
      `Bad header: Basic ${Buffer.from('test_shop:live_Zk3vErYsEcReT').toString('base64')}`,
      'Bad header: Basic [redacted]',
    ],
  ])('is kept without %s that it repeats, whatever the request', (_name, credentials, description, kept) => {
    const body = { type: 'error', code: 'invalid_credentials', description };
    expect(withoutSecrets(body, undefined, credentials)).toEqual({ ...body, description: kept });
  });

  it('of any other request is kept unchanged', () => {
    const body = { code: 'invalid_request', description: 'Refund sum exceeded: 9731' };
    for (const request of [undefined, '{}', sent({ type: 'bank_card' }), sent({ type: 'wallet' })])
      expect(withoutSecrets(body, request, shop)).toEqual(body);
    expect(withoutSecrets('<html>', sent({ type: 'bank_card', card }), shop)).toBe('<html>');
  });
});
