import { mustReach, type Fiscalization } from './fiscalization.js';

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
