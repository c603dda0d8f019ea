import { isOwnRegister } from '../stores/fiscalization.js';
import type { MethodType } from '../wire/names.js';
import type { Payment } from './payment.js';

/** What the buyer can choose on the payment page, in its order; a wallet's cryptogram comes without one. */
export const ways = [
  'bank_card',
  'wallet',
  'sbp',
  'bank_app_pay',
  'tinkoff_bank',
  'alfa_pay',
  'sber_loan',
  'sber_bnpl',
  'cash',
  'mobile_balance',
  'b2b_sberbank',
  'electronic_certificate',
] as const satisfies readonly MethodType[];
export type Way = (typeof ways)[number];

/** These say more in their request than a page asks for. */
const namedOnly: readonly Way[] = ['mobile_balance', 'b2b_sberbank', 'electronic_certificate'];

/** What the payment page offers. */
export interface Offer {
  readonly ways: readonly Way[];
  /** The card form has a button of the card-network mobile payment app. */
  readonly cardApp: boolean;
}

/**
 * The method the merchant named, else all that the store has and that can hold or save what it has to; tickets are paid by bank
 * card only. The app's button is for Android phones (according to the service interface).
 */
export function offerFor(payment: Payment, onAndroid: boolean): Offer {
  const { methodFixed, method, airline, store } = payment;
  const offered = ways
    .filter((way) => store.methods.includes(way))
    .filter((way) => (methodFixed ? way === method?.type : !namedOnly.includes(way) && suits(payment, way)))
    .filter((way) => airline === null || way === 'bank_card');
  return { ways: offered, cardApp: onAndroid && store.cardApp && offered.includes('bank_card') };
}

function suits({ capture, saving, store }: Payment, way: Way): boolean {
  const rules = store.rules[way];
  if (way === 'sber_bnpl' && store.receipts && isOwnRegister(store.receipts)) return false;
  return (capture || rules?.hold !== null) && (saving !== 'wanted' || rules?.saving !== 'none');
}
