import { keptOf, keptOfUnknown } from './kept-object.js';

const NUMBER = '4242424242424242';

describe('the stored part of an object', () => {
  it('has no card number in any text, whatever its name', () => {
    const method = { type: 'bank_card', title: NUMBER, card: { issuer_name: NUMBER, last4: '4242' } };
    const metadata = { [NUMBER]: 'a', note: NUMBER, count: 1 };
    expect(keptOf('payment', { description: NUMBER, metadata, payment_method: method })).toEqual({
      description: '[redacted]',
      metadata: { '[redacted]': 'a', note: '[redacted]', count: 1 },
      payment_method: {
        type: 'bank_card',
        title: '[redacted]',
        card: { issuer_name: '[redacted]', last4: '4242' },
      },
    });
  });

  it('has identifiers, addresses, amounts and times unchanged', () => {
    const object = {
      id: NUMBER,
      amount: { value: NUMBER },
      confirmation: { confirmation_url: NUMBER },
      created_at: NUMBER,
      recipient: { account_id: NUMBER },
    };
    expect(keptOf('payment', object)).toEqual(object);
    expect(keptOfUnknown({ id: NUMBER, status: 'new', card: NUMBER })).toEqual({ id: NUMBER, status: 'new' });
  });

  it('has the last four digits of a phone, and nobody else can call', () => {
    const object = { payment_method: { type: 'bank_app_pay', phone: '79001234567' } };
    const kept = keptOf('payment', object);
    expect(kept).toEqual({ payment_method: { type: 'bank_app_pay', phone: '*******4567' } });
    expect(keptOf('payment', kept)).toEqual(kept);
  });

  it('has what the public service says of its methods', () => {
    const sum = { value: '150.00', currency: 'RUB' };
    const object = {
      payment_method: {
        type: 'hologram',
        sbp_operation_id: NUMBER,
        payer_bank_details: { bank_id: NUMBER, bic: '044525225' },
        loan_option: 'loan',
        discount_amount: sum,
        suspended_until: '2030-01-01T12:00:00.000Z',
        electronic_certificate: { amount: sum, basket_id: NUMBER },
      },
    };
    expect(keptOf('payment', object)).toEqual(object);
  });

  it('has no unknown field, none of another kind, and none that is inherited', () => {
    const object = { status: ['paid'], amount: 'much', metadata: [], csc: '123', paid: true };
    expect(keptOf('payment', Object.assign(Object.create({ id: 'p-1' }), object))).toEqual({ paid: true });
  });
});
