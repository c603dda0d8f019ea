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

  it('has no more of a text than the longest one has, and no half of a card number at its end', () => {
    const kept = keptOf('payment', {
      description: 'd'.repeat(60_000),
      status: `${'s'.repeat(500)} 4242 4242 4242 4242`,
      created_at: '2'.repeat(60_000),
      payment_method: { title: `${'t'.repeat(511)}😀`, phone: '7'.repeat(60_000) },
    });
    expect(kept).toEqual({
      description: 'd'.repeat(512),
      status: 's'.repeat(500),
      payment_method: { title: 't'.repeat(511) },
    });
  });

  it('has as many entries of metadata as there can be, none longer than it can be', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`${at}-`.padEnd(60, 'k'), 'v'.repeat(600)]),
    );
    const kept = keptOf('payment', { metadata })['metadata'];
    const expected = Array.from({ length: 16 }, (_, at) => [`${at}-`.padEnd(32, 'k'), 'v'.repeat(512)]);
    expect(kept).toEqual(Object.fromEntries(expected));
  });

  it('has no unknown field, none of another kind, and none that is inherited', () => {
    const object = { status: ['paid'], amount: 'much', metadata: [], csc: '123', paid: true };
    expect(keptOf('payment', Object.assign(Object.create({ id: 'p-1' }), object))).toEqual({ paid: true });
  });
});
