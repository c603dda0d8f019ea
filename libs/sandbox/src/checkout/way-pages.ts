import { loanOffers } from '../methods/loans.js';
import { cardInCardApp } from '../methods/test-cards.js';
import type { Form } from '../pages/form-fields.js';
import type { Page } from '../pages/page.js';
import { waitingScreen } from '../pages/waiting-screen.js';
import type { Payment } from '../payments/payment.js';
import { usedMethod } from '../payments/used-method.js';
import type { Offer, Way } from '../payments/ways.js';
import type { BuyerTries, TryResult } from './buyer-tries.js';
import { cashPage } from './cash-page.js';
import type { Visit } from './checkout-layout.js';
import { codePage } from './code-page.js';
import { creditPage } from './credit-page.js';
import { instalments } from './instalments-page.js';
import {
  alfaPay,
  answerOf,
  bankApp,
  business,
  cardApp,
  certificate,
  mobileBalance,
  phonePage,
  sbpBank,
  tPay,
  type PhoneApp,
} from './phone-page.js';
import { sberPayPage } from './sber-pay-page.js';
import { walletPage } from './wallet-page.js';
import { testWallets } from './wallets.js';

/** The page of one way to pay, under `/checkout/{id}/{path}`. */
export interface WayPage {
  readonly path: string;
  /** The choice on the payment page that leads here; null if another page does. */
  readonly way: Way | null;
  readonly isOffered: (offer: Offer, payment: Payment) => boolean;
  readonly show: (visit: Visit, form: Form) => Page;
  /** Tries to pay with the submitted form; null if its values are not on the page. */
  readonly pay: (payment: Payment, form: Form) => TryResult | null;
  /** The buyer waits here for what they do elsewhere, and is led on once it is done. */
  readonly waits?: true;
}

function on(way: Way): (offer: Offer) => boolean {
  return (offer) => offer.ways.includes(way);
}

/** What is decided elsewhere. */
function nothing(): null {
  return null;
}

/** Every way that has a page of its own; the bank card is typed on the payment page. `url`: the sandbox's own address. */
export function wayPages(tries: BuyerTries, url: string): readonly WayPage[] {
  const app = (way: Way, phone: PhoneApp, leads = true): WayPage => ({
    path: phone.path,
    way: leads ? way : null,
    isOffered: on(way),
    show: (visit) => phonePage(visit, phone),
    pay: (payment, form) => {
      const answer = answerOf(phone, form);
      return answer ? tries.byMethod(payment, usedMethod(payment, way), answer.failure) : null;
    },
  });
  const addressOf = ({ id }: Payment, { path }: PhoneApp) => `${url}/checkout/${id}/${path}`;

  return [
    {
      path: 'wallet',
      way: 'wallet',
      isOffered: on('wallet'),
      show: walletPage,
      pay: (payment, form) => {
        const wallet = testWallets.find(({ number }) => number === form['wallet']);
        const saves = form['save'] !== undefined;
        return wallet
          ? tries.byMethod(payment, usedMethod(payment, 'wallet'), wallet.failure, { saves })
          : null;
      },
    },
    {
      path: 'sbp',
      way: 'sbp',
      waits: true,
      isOffered: on('sbp'),
      show: (visit, { looks }) =>
        codePage(visit, {
          title: 'Pay by SBP',
          says: 'Scan the code with the application of your bank.',
          address: addressOf(visit.payment, sbpBank),
          link: "Open the bank's application",
          waiting: waitingScreen(looks),
        }),
      pay: nothing,
    },
    app('sbp', sbpBank, false),
    {
      path: 'sberpay',
      way: 'bank_app_pay',
      waits: true,
      // The interface knows no more of it than an application that has been opened.
      isOffered: (offer, { store }) => store.names.isPublic && on('bank_app_pay')(offer),
      show: (visit, form) => sberPayPage(visit, addressOf(visit.payment, bankApp), form),
      pay: nothing,
    },
    app('bank_app_pay', bankApp),
    app('tinkoff_bank', tPay),
    app('alfa_pay', alfaPay),
    app('sber_bnpl', instalments),
    app('mobile_balance', mobileBalance),
    app('b2b_sberbank', business),
    app('electronic_certificate', certificate),
    {
      path: 'credit',
      way: 'sber_loan',
      isOffered: on('sber_loan'),
      show: creditPage,
      pay: (payment, { loan: option, answer }) => {
        const loan = loanOffers(payment.amountMinor).find((offered) => offered.option === option);
        if (!loan || !['approve', 'suspend', 'refuse'].some((known) => known === answer)) return null;
        return answer === 'refuse'
          ? tries.byMethod(payment, usedMethod(payment, 'sber_loan'), 'loan_declined')
          : tries.byLoan(payment, loan, answer === 'suspend');
      },
    },
    {
      path: 'cash',
      way: 'cash',
      isOffered: on('cash'),
      show: cashPage,
      pay: (payment, { answer }) =>
        answer === 'paid' ? tries.byMethod(payment, usedMethod(payment, 'cash'), null) : null,
    },
    {
      path: cardApp.path,
      way: null,
      isOffered: (offer) => offer.cardApp,
      show: (visit) => phonePage(visit, cardApp),
      pay: (payment, form) => {
        const answer = answerOf(cardApp, form);
        if (!answer) return null;
        return answer.failure === null
          ? tries.byCard(payment, cardInCardApp)
          : tries.byMethod(payment, usedMethod(payment, 'bank_card', cardInCardApp), answer.failure);
      },
    },
  ];
}
