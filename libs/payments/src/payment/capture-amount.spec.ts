import { yookassaProfile } from '../api/yookassa-profile.js';
import { captureAmount } from './capture-amount.js';

const held = {
  status: 'waiting_for_capture',
  currency: 'RUB',
  authorizedMinor: 500_000,
  method: null,
  paymentMethodId: null,
  object: null,
} as const;
const by = (type: string) => ({ object: { payment_method: { type } } });
const rub = (value: string) => ({ value, currency: 'RUB' as const });

const capture = (fields: object, value: string) =>
  captureAmount({ ...held, ...fields }, rub(value), yookassaProfile);

describe('the amount of a capture', () => {
  it.each<[string, object, string, number]>([
    ['a part by card', by('bank_card'), '0.01', 1],
    ['the whole by mobile balance', by('mobile_balance'), '5000.00', 500_000],
    ['the least part of a credit', by('sber_loan'), '3000.00', 300_000],
    ['a part by wallet', by('wallet'), '10.00', 1_000],
    ['a part of a saved card', { ...by('bank_card'), paymentMethodId: 'pm-1' }, '10.00', 1_000],
    ['a part by a method that is not known', by('hologram'), '10.00', 1_000],
    ['a part while nobody knows the method', {}, '10.00', 1_000],
    ['a part of what is held no more', { ...by('cash'), status: 'succeeded' }, '10.00', 1_000],
  ])('may be %s', (_name, fields, value, amountMinor) => {
    expect(capture(fields, value)).toBe(amountMinor);
  });

  it.each<[string, object, string, string]>([
    ['more than is held', by('bank_card'), '5000.01', 'amount.value: must be at most the held amount'],
    ['nothing', by('bank_card'), '0.00', 'amount.value: must be above zero; to take nothing, cancel'],
    [
      'a part by cash',
      by('cash'),
      '10.00',
      'amount: must be left out: a hold by cash is captured as a whole',
    ],
    [
      'a part by mobile balance',
      { method: 'mobile_balance' },
      '10.00',
      'amount: must be left out: a hold by mobile balance is captured as a whole',
    ],
    [
      'a part by cash that was chosen on the page',
      { ...by('cash'), method: 'bank_card' },
      '10.00',
      'amount: must be left out: a hold by cash is captured as a whole',
    ],
    [
      'less than a credit gives',
      by('sber_loan'),
      '2999.99',
      'amount: must be at least 3000.00 by SberBank credit',
    ],
    [
      'a part of a saved wallet',
      { ...by('wallet'), paymentMethodId: 'pm-1' },
      '10.00',
      'amount: must be left out: a hold by wallet that was saved is captured as a whole',
    ],
  ])('may not be %s', (_name, fields, value, message) => {
    expect(() => capture(fields, value)).toThrow(message);
  });
});
