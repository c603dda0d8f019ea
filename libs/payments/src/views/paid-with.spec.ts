import { paidWith } from './paid-with.js';

const nothing = {
  paymentMethod: null,
  discount: null,
  incomeAmount: null,
  authorization: null,
  capturedAt: null,
  recipient: null,
  refundable: false,
  merchantCustomerId: null,
  invoiceId: null,
  transfers: [],
  deal: null,
};

const ofOthers = {
  phone: null,
  accountNumber: null,
  sbp: null,
  payer: null,
  loan: null,
  certificateAmount: null,
  articles: [],
};
const plain = (type: string) => ({ type, id: null, saved: false, title: null, card: null, ...ofOthers });

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
      ...nothing,
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
        ...ofOthers,
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
      { ...nothing, paymentMethod: plain('shells') },
    ],
    [
      'SBP',
      {
        payment_method: {
          type: 'sbp',
          sbp_operation_id: '1027088AE4CB48CB81287833347A8777',
          payer_bank_details: { bank_id: '100000000111', bic: '044525225' },
        },
      },
      {
        ...nothing,
        paymentMethod: {
          ...plain('sbp'),
          sbp: {
            operationId: '1027088AE4CB48CB81287833347A8777',
            bankId: '100000000111',
            bic: '044525225',
          },
        },
      },
    ],
    [
      'a credit',
      {
        payment_method: {
          type: 'sber_loan',
          loan_option: 'installments_6',
          discount_amount: { value: '150.00', currency: 'RUB' },
          suspended_until: '2030-01-01T12:01:00.123Z',
        },
      },
      {
        ...nothing,
        discount: { value: '150.00', currency: 'RUB' },
        paymentMethod: {
          ...plain('sber_loan'),
          loan: { option: 'installments_6', suspendedUntil: new Date('2030-01-01T12:01:00.123Z') },
        },
      },
    ],
    [
      'a phone',
      { payment_method: { type: 'bank_app_pay', phone: '*******4567' } },
      { ...nothing, paymentMethod: { ...plain('bank_app_pay'), phone: '*******4567' } },
    ],
    [
      'an electronic certificate',
      {
        payment_method: {
          type: 'electronic_certificate',
          electronic_certificate: { amount: { value: '90.00', currency: 'RUB' } },
        },
      },
      {
        ...nothing,
        paymentMethod: {
          ...plain('electronic_certificate'),
          certificateAmount: { value: '90.00', currency: 'RUB' },
        },
      },
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
