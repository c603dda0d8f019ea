import type { Payment } from '../payments/payment.js';

/** What the buyer can choose on the payment page. */
const ways = ['bank_card', 'wallet', 'bank_app_pay'] as const;
export type Way = (typeof ways)[number];

/** What the payment page offers. */
export interface Offer {
  readonly ways: readonly Way[];
  /** The card form has a button of the card-network mobile payment app. */
  readonly cardApp: boolean;
}

/**
 * The method the merchant named, else all that the store has; tickets are paid by bank card only. The app's button is for Android
 * phones (according to the service interface).
 */
export function offerFor({ methodFixed, method, airline, store }: Payment, onAndroid: boolean): Offer {
  const offered = ways
    .filter((way) => store.methods.includes(way))
    .filter((way) => !methodFixed || way === method?.type)
    .filter((way) => airline === null || way === 'bank_card');
  return { ways: offered, cardApp: onAndroid && store.cardApp && offered.includes('bank_card') };
}
