import type { ChosenWay } from '../orders/ways-to-pay.js';

export const wayNames: Record<ChosenWay, string> = {
  bank_card: 'Bank card',
  wallet: 'E-wallet',
  sbp: 'SBP, in your bank’s application',
  bank_app_pay: 'SberPay, by QR code',
  page: 'On the payment service’s page',
};
