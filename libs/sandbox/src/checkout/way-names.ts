import type { Way } from '../payments/ways.js';
import type { Store } from '../stores/store.js';

/** What buyers call them. */
const wayNames: Readonly<Record<Way, string>> = {
  bank_card: 'Bank card',
  wallet: 'E-wallet',
  sbp: 'SBP',
  bank_app_pay: 'Bank application',
  tinkoff_bank: 'T-Pay',
  alfa_pay: 'Alfa Pay',
  sber_loan: 'SberBank credit',
  sber_bnpl: 'In instalments',
  cash: 'Cash',
  mobile_balance: 'Mobile balance',
  b2b_sberbank: 'SberBank Business',
  electronic_certificate: 'Electronic certificate',
};

export function wayName(way: Way, { names }: Pick<Store, 'names'>): string {
  return way === 'bank_app_pay' && names.isPublic ? 'SberPay' : wayNames[way];
}
