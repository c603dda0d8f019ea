import type { Row } from '../row.js';

/** Section 1: what the service does. */
export const whatItDoes: readonly Row[] = [
  {
    id: '1.1',
    says: 'A payment is created, the buyer confirms it, and the result is learnt by notification or by reading',
    proof: [
      'test/deep/browser/purchase.spec.ts: buys from stock and sees the order paid',
      'test/payments/notifications.spec.ts: that was lost is made up for by the sweep',
    ],
  },
  {
    id: '1.2',
    says: 'Creating takes an amount and, in the redirect scenario, a return address',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
    ],
  },
  {
    id: '1.3',
    says: "Only the merchant's server makes requests; no credentials reach a browser",
    proof: [
      'test/hosts/axios.spec.ts: never sees a request to the service, nor the secret key in it',
      'libs/payments/src/api/credentials.spec.ts: show no secret: %o',
    ],
  },
  {
    id: '1.4 shop',
    says: 'Shop credentials are sent by HTTP Basic',
    proof: [
      'libs/payments/src/api/credentials.spec.ts: of a shop are sent with HTTP Basic',
      'test/sandbox/create.spec.ts: answers 401 to %s',
    ],
  },
  {
    id: '1.4 app',
    says: 'An app acts for a store owner by an OAuth 2.0 token',
    proof: ['test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds'],
  },
  {
    id: '1.5 prefix',
    says: "A demo store's identifier starts with test_ and its payments carry test = true",
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/store.spec.ts: says that it is one, with bank card and wallet only',
      'test/sandbox/create.spec.ts: does not mark the payments of a real shop as test',
    ],
  },
  {
    id: '1.5 methods',
    says: 'In a demo store only bank card and e-wallet can be used',
    proof: [
      'test/sandbox/store.spec.ts: refuses the method %j',
      'test/sandbox/checkout-ways.spec.ts: is missing in a demo store',
    ],
  },
  {
    id: '1.5 card',
    says: 'A test card takes any CVC and any future expiry date',
    proof: [
      'test/sandbox/checkout.spec.ts: accepts a test card with the CSC %s and the expiry %s',
      'test/sandbox/checkout.spec.ts: accepts a card to the end of its month by the sandbox clock',
    ],
  },
  {
    id: '1.6 smart payment',
    says: "Without a named method the buyer picks one on the service's page",
    proof: [
      'test/sandbox/checkout-ways.spec.ts: is where choosing the wallet leads, and pays',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
    ],
  },
  {
    id: '1.6 card redirect',
    says: "A bank card is entered on the service's page",
    proof: [
      'test/sandbox/checkout.spec.ts: accepts a test card and sends the buyer back',
      'test/sandbox/checkout.spec.ts: offers only the method the merchant named',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
    ],
  },
  {
    id: '1.6 card data',
    says: "Card data entered on the merchant's side leads to a 3-D Secure address, and only if it was enabled",
    proof: [
      'test/sandbox/card-data.spec.ts: is answered pending, with the 3-D Secure page as confirmation_url',
      'test/payments/card-data.spec.ts: is accepted only if it is enabled, with a warning about PCI DSS at start',
      'libs/payments/src/api/requests/requests.spec.ts: with %s is refused if card data is not enabled',
    ],
  },
  {
    id: '1.6 wallet',
    says: 'An e-wallet payment is confirmed by redirect',
    proof: [
      'test/sandbox/checkout-ways.spec.ts: is where choosing the wallet leads, and pays',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
      'libs/payments/src/operations/request-body.spec.ts: contains %s',
    ],
  },
  {
    id: '1.6 cryptogram',
    says: "A mobile wallet's cryptogram needs no confirmation",
    proof: [
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'test/payments/card-data.spec.ts: as a cryptogram holds or takes the money at once, or is declined',
    ],
  },
  {
    id: '1.6 airline',
    says: 'Airline data goes with bank card payments only',
    proof: [
      'test/sandbox/airline.spec.ts: is refused with another method than a bank card, and accepted if the buyer chooses the method',
      'test/payments/automatic.spec.ts: is by bank card',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
    ],
  },
  {
    id: '1.7 one-stage',
    says: 'capture = true receives the money at once',
    proof: [
      'test/sandbox/checkout.spec.ts: accepts a test card and sends the buyer back',
      'test/sandbox/control.spec.ts: counts a one-stage payment as one charge and one capture',
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
    ],
  },
  {
    id: '1.7 two-stage',
    says: 'capture = false holds the money until the merchant captures it',
    proof: [
      'test/payments/finish.spec.ts: takes the whole hold',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'libs/payments/src/operations/request-body.spec.ts: contains %s',
    ],
  },
  {
    id: '1.8 term',
    says: 'A card payment nobody confirms ends after one hour',
    proof: [
      'test/sandbox/clock.spec.ts: cancels a payment nobody confirmed when its hour is over',
      'test/payments/notifications.spec.ts: of an abandoned payment ends it when its term is over',
    ],
  },
  {
    id: '1.8 hold',
    says: "A card's hold lasts seven days",
    proof: [
      'test/sandbox/clock.spec.ts: releases a hold at its expires_at',
      'test/sandbox/store.spec.ts: holds the money of a %s for %i hours',
    ],
  },
  {
    id: '1.8 capture',
    says: 'A hold is captured whole or in part',
    proof: [
      'test/payments/finish.spec.ts: captures a part, and the order shows it',
      'test/sandbox/capture-cancel.spec.ts: takes a part and gives the rest back',
    ],
  },
  {
    id: '1.8 refunds',
    says: 'A card payment is refunded whole or in part',
    proof: [
      'test/payments/refunds.spec.ts: may be partial and repeated; the last gives what is left',
      'test/sandbox/refunds.spec.ts: counts in the payment, which stays refundable until all of it is refunded',
    ],
  },
  {
    id: '1.8 recurring',
    says: 'A saved card pays again without its buyer',
    proof: [
      'test/payments/automatic.spec.ts: is saved by the first payment, and pays the next without the buyer',
      'test/sandbox/saved-methods.spec.ts: pays again without the buyer, at once or as a hold',
    ],
  },
  { id: '1.8 registry code', says: "The method's code in the service's registries, AC", proof: 'no way in' },
  {
    id: '1.9 mobile app',
    says: "The card page may offer a card network's mobile payment app, on Android, unless it was disabled",
    proof: [
      'test/sandbox/checkout-ways.spec.ts: is a button of the card form on an Android phone, and marks the card with its source',
      'test/sandbox/checkout-ways.spec.ts: is missing in the browser %j',
      'test/sandbox/checkout-ways.spec.ts: is missing if the merchant disabled it %s',
    ],
  },
  {
    id: '1.9 bank app',
    says: "The page may offer a bank's application, if the store has it",
    proof: ['test/sandbox/checkout-ways.spec.ts: is offered by a store that is not a demo store, and pays'],
  },
];
