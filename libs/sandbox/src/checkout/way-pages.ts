import type { Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';
import { cardInCardApp } from '../payments/test-cards.js';
import { usedMethod } from '../payments/used-method.js';
import type { BuyerTries, Standing } from './buyer-tries.js';
import { otherApps } from './other-apps.js';
import { bankApp, cardApp, phoneAnswers, phonePage } from './phone-page.js';
import { walletPage } from './wallet-page.js';
import { testWallets } from './wallets.js';
import type { Offer, Way } from './ways.js';

type Form = Readonly<Partial<Record<string, string>>>;

/** The page of one way to pay, under `/checkout/{id}/{path}`. */
interface WayPage {
  readonly path: string;
  /** The choice on the payment page that leads here; null if another button does. */
  readonly way: Way | null;
  readonly isOffered: (offer: Offer) => boolean;
  readonly show: (payment: Payment) => Html;
  /** Tries to pay with the submitted form; null if its values are not on the page. */
  readonly pay: (payment: Payment, form: Form) => Standing | null;
}

/** Every way that has a page of its own; the bank card is typed on the payment page. */
export function wayPages(tries: BuyerTries): readonly WayPage[] {
  return [
    {
      path: 'wallet',
      way: 'wallet',
      isOffered: ({ ways }) => ways.includes('wallet'),
      show: walletPage,
      pay: (payment, form) => {
        const wallet = testWallets.find(({ number }) => number === form['wallet']);
        return wallet ? tries.byMethod(payment, usedMethod(payment, 'wallet'), wallet.failure) : null;
      },
    },
    {
      path: bankApp.path,
      way: 'bank_app_pay',
      isOffered: ({ ways }) => ways.includes('bank_app_pay'),
      show: (payment) => phonePage(payment, bankApp),
      pay: (payment, form) => {
        const answer = phoneAnswer(form);
        return answer ? tries.byMethod(payment, usedMethod(payment, 'bank_app_pay'), answer.failure) : null;
      },
    },
    ...otherApps.map((app): WayPage => ({
      path: app.path,
      way: app.way,
      isOffered: ({ ways }) => ways.includes(app.way),
      show: (payment) => phonePage(payment, app),
      pay: (payment, form) => {
        const answer = phoneAnswer(form);
        return answer ? tries.byMethod(payment, usedMethod(payment, app.way), answer.failure) : null;
      },
    })),
    {
      path: cardApp.path,
      way: null,
      isOffered: (offer) => offer.cardApp,
      show: (payment) => phonePage(payment, cardApp),
      pay: (payment, form) => {
        const answer = phoneAnswer(form);
        if (!answer) return null;
        return answer.failure === null
          ? tries.byCard(payment, cardInCardApp)
          : tries.byMethod(payment, usedMethod(payment, 'bank_card', cardInCardApp), answer.failure);
      },
    },
  ];
}

function phoneAnswer(form: Form): (typeof phoneAnswers)[number] | undefined {
  return phoneAnswers.find(({ value }) => value === form['answer']);
}
