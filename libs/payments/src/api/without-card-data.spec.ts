import { withoutCardData } from './without-card-data.js';

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
    expect(withoutCardData(body, sent(data))).toEqual({ ...body, description: kept });
  });

  it('of any other request is kept as it is', () => {
    const body = { code: 'invalid_request', description: 'Refund sum exceeded: 9731' };
    for (const request of [undefined, '{}', sent({ type: 'bank_card' }), sent({ type: 'wallet' })])
      expect(withoutCardData(body, request)).toBe(body);
    expect(withoutCardData('<html>', sent({ type: 'bank_card', card }))).toBe('<html>');
  });
});
