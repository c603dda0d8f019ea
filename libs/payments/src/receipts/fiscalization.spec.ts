import { mustReach, mustSuit, type Fiscalization } from './fiscalization.js';

const registeredBy = (register: Fiscalization['register']): Fiscalization => ({
  register,
  scenario: 'with_payment',
  requireReceipt: true,
});

describe('whom a receipt goes to', () => {
  it('needs an email where the service registers it, and may have a phone alone where another does', () => {
    const phone = { phone: '79001234567' };
    expect(() => mustReach(phone, registeredBy('service'))).toThrow('customer.email: is required');
    expect(() => mustReach({ ...phone, email: 'anna@example.com' }, registeredBy('service'))).not.toThrow();
    for (const other of [registeredBy('third_party'), null])
      expect(() => mustReach(phone, other)).not.toThrow();
  });
});

it('an item needs its measure where the service registers it, and none where another does', () => {
  const item = {
    description: 'Cup',
    amount: { value: '100.00', currency: 'RUB' },
    quantity: 1,
    vatCode: 11,
    paymentMode: 'full_payment',
  } as const;
  const receiptOf = (more: object) => ({
    customer: { email: 'anna@example.com' },
    items: [{ ...item, measure: 'piece' } as const, { ...item, ...more }],
  });
  expect(() => mustSuit(receiptOf({}), registeredBy('service'))).toThrow(
    'receipt.items[1].measure: is required',
  );
  expect(() => mustSuit(receiptOf({ measure: 'liter' }), registeredBy('service'))).not.toThrow();
  for (const other of [registeredBy('third_party'), null])
    expect(() => mustSuit(receiptOf({}), other)).not.toThrow();
});
