import type { PhoneApp } from './phone-page.js';
import type { Way } from './ways.js';

/** The applications of ways to pay that the public service alone has. */
export const otherApps: readonly (PhoneApp & { readonly way: Way })[] = [
  { way: 'sbp', path: 'sbp-bank', name: "bank's application" },
  { way: 'tinkoff_bank', path: 't-pay', name: 'T-Bank application' },
  { way: 'alfa_pay', path: 'alfa-pay', name: 'Alfa-Bank application' },
  { way: 'sber_loan', path: 'credit', name: 'SberBank application' },
  { way: 'sber_bnpl', path: 'instalments', name: 'SberBank application' },
  { way: 'cash', path: 'cash', name: 'terminal at the counter' },
  { way: 'mobile_balance', path: 'mobile-balance', name: 'message of the operator' },
  { way: 'b2b_sberbank', path: 'business', name: 'SberBank Business page' },
  { way: 'electronic_certificate', path: 'certificate', name: 'certificate page' },
];
