import { paidWith } from './paid-with.js';

const nothing = {
  paymentMethod: null,
  incomeAmount: null,
  authorization: null,
  capturedAt: null,
  recipient: null,
  refundable: false,
};

describe('how a payment was paid', () => {
  it('is read from the object as last applied', () => {
    expect(
      paidWith({
        income_amount: { value: '97.00', currency: 'RUB' },
        refundable: true,
        captured_at: '2030-01-01T12:01:00.123Z',
        recipient: { account_id: 'test_shop', gateway_id: '1' },
        payment_method: {
          type: 'bank_card',
          id: 'pm-1',
          saved: true,
          title: 'Bank card *4477',
          card: {
            first6: '555555',
            last4: '4477',
            expiry_month: '01',
            expiry_year: '2099',
            card_type: 'MasterCard',
            card_product: { code: 'MCS', name: 'Standard' },
            issuer_country: 'RU',
            issuer_name: 'Bank',
            source: 'card_app_pay',
          },
        },
        authorization_details: { rrn: '1', auth_code: '2', three_d_secure: { applied: false } },
      }),
    ).toEqual({
      incomeAmount: { value: '97.00', currency: 'RUB' },
      refundable: true,
      capturedAt: new Date('2030-01-01T12:01:00.123Z'),
      recipient: { accountId: 'test_shop', gatewayId: '1' },
      paymentMethod: {
        type: 'bank_card',
        id: 'pm-1',
        saved: true,
        title: 'Bank card *4477',
        card: {
          first6: '555555',
          last4: '4477',
          expiryMonth: '01',
          expiryYear: '2099',
          cardType: 'MasterCard',
          productCode: 'MCS',
          productName: 'Standard',
          issuerCountry: 'RU',
          issuerName: 'Bank',
          source: 'card_app_pay',
        },
      },
      authorization: { rrn: '1', authCode: '2', threeDSecureApplied: false },
    });
  });

  it.each<[string, object | null, object]>([
    ['no object yet', null, nothing],
    ['an object that says nothing of it', {}, nothing],
    [
      'odd values',
      {
        payment_method: 'card',
        income_amount: { value: 97 },
        authorization_details: [],
        refundable: 'yes',
        captured_at: 'soon',
        recipient: 5,
      },
      nothing,
    ],
    [
      'a method nobody knows',
      { payment_method: { type: 'shells', card: 7, saved: null } },
      { ...nothing, paymentMethod: { type: 'shells', id: null, saved: false, title: null, card: null } },
    ],
    [
      'an authorization without 3-D Secure',
      { authorization_details: { rrn: 5 } },
      { ...nothing, authorization: { rrn: null, authCode: null, threeDSecureApplied: null } },
    ],
  ])('is shown as far as it is known: %s', (_name, object, expected) => {
    expect(paidWith(object)).toEqual(expected);
  });
});
