import type { Row } from './row.js';

/** Every row and rule of the service interface, section by section. */
export const interfaceRows: readonly Row[] = [
  {
    id: '1.1',
    says: 'A payment is created, the buyer confirms it, and the result is learnt by notification or by reading',
    proof: [
      { file: 'test/browser/purchase.spec.ts', title: 'buys from stock and sees the order paid' },
      { file: 'test/payments/notifications.spec.ts', title: 'that was lost is made up for by the sweep' },
    ],
  },
  {
    id: '1.2',
    says: 'Creating takes an amount and, in the redirect scenario, a return address',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      {
        file: 'libs/payments/src/operations/request-body.spec.ts',
        title: 'says what the interface asks for, and nothing of ours but the payment id',
      },
    ],
  },
  {
    id: '1.3',
    says: "Requests are made by the merchant's server alone; nothing of the credentials reaches a browser",
    proof: [
      {
        file: 'test/hosts/axios.spec.ts',
        title: 'never sees a request to the service, nor the secret key in it',
      },
      { file: 'libs/payments/src/api/credentials.spec.ts', title: 'show no secret: %o' },
    ],
  },
  {
    id: '1.4 shop',
    says: 'Shop credentials are sent by HTTP Basic',
    proof: [
      { file: 'libs/payments/src/api/credentials.spec.ts', title: 'of a shop are sent with HTTP Basic' },
      { file: 'test/sandbox/create.spec.ts', title: 'answers 401 to %s' },
    ],
  },
  { id: '1.4 app', says: 'An app acts for a store owner by an OAuth 2.0 token', proof: 'partnership' },
  {
    id: '1.5 prefix',
    says: "A demo store's identifier starts with test_ and its payments carry test = true",
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'tells that it is one, with bank card and wallet only' },
      { file: 'test/sandbox/create.spec.ts', title: 'does not mark the payments of a real shop as test' },
    ],
  },
  {
    id: '1.5 methods',
    says: 'In a demo store only bank card and e-wallet can be used',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'refuses the method %j' },
      { file: 'test/sandbox/checkout-ways.spec.ts', title: 'is not there in a demo store' },
    ],
  },
  {
    id: '1.5 card',
    says: 'A test card takes any CVC and any future expiry date',
    proof: [
      {
        file: 'test/sandbox/checkout.spec.ts',
        title: 'takes a card to the end of its month by the sandbox clock',
      },
      { file: 'test/sandbox/checkout.spec.ts', title: 'takes a test card and sends the buyer back' },
    ],
  },
  {
    id: '1.6 smart payment',
    says: "Without a named method the buyer picks one on the service's page",
    proof: [
      { file: 'test/sandbox/checkout-ways.spec.ts', title: 'is where choosing the wallet leads, and pays' },
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '1.6 card redirect',
    says: "A bank card is entered on the service's page",
    proof: [
      { file: 'test/sandbox/checkout.spec.ts', title: 'takes a test card and sends the buyer back' },
      { file: 'test/sandbox/checkout.spec.ts', title: 'offers the method the merchant named and no other' },
    ],
  },
  {
    id: '1.6 card data',
    says: "Card data entered on the merchant's side leads to a 3-D Secure address, and only where it was enabled",
    proof: [
      {
        file: 'test/sandbox/card-data.spec.ts',
        title: 'is answered pending, with the 3-D Secure page as confirmation_url',
      },
      {
        file: 'test/payments/card-data.spec.ts',
        title: 'is taken only where it is enabled, with a warning about PCI DSS at start',
      },
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with %s is refused where card data is not enabled',
      },
    ],
  },
  {
    id: '1.6 wallet',
    says: 'An e-wallet payment is confirmed by redirect',
    proof: [
      { file: 'test/sandbox/checkout-ways.spec.ts', title: 'is where choosing the wallet leads, and pays' },
    ],
  },
  {
    id: '1.6 cryptogram',
    says: "A mobile wallet's cryptogram needs no confirmation",
    proof: [
      {
        file: 'test/sandbox/cryptogram.spec.ts',
        title: 'holds the money at once for six hours, without a confirmation',
      },
      {
        file: 'test/payments/card-data.spec.ts',
        title: 'as a cryptogram holds or takes the money at once, or is declined',
      },
    ],
  },
  {
    id: '1.6 airline',
    says: 'Airline data goes with bank card payments alone',
    proof: [
      {
        file: 'test/sandbox/airline.spec.ts',
        title: 'is refused with another method than a bank card, and taken where the buyer picks',
      },
      { file: 'test/payments/automatic.spec.ts', title: 'is by bank card' },
    ],
  },
  {
    id: '1.7 one-stage',
    says: 'capture = true receives the money at once',
    proof: [
      { file: 'test/sandbox/checkout.spec.ts', title: 'takes a test card and sends the buyer back' },
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'counts a one-stage payment as one charge and one capture',
      },
    ],
  },
  {
    id: '1.7 two-stage',
    says: 'capture = false holds the money until the merchant captures it',
    proof: [
      { file: 'test/payments/finish.spec.ts', title: 'takes the whole hold' },
      { file: 'test/sandbox/create.spec.ts', title: 'holds the money where capture is omitted' },
    ],
  },
  {
    id: '1.8 term',
    says: 'A card payment nobody confirms ends after one hour',
    proof: [
      {
        file: 'test/sandbox/clock.spec.ts',
        title: 'cancels a payment nobody confirmed when its hour is over',
      },
      {
        file: 'test/payments/notifications.spec.ts',
        title: 'of an abandoned payment ends it when the term is over',
      },
    ],
  },
  {
    id: '1.8 hold',
    says: "A card's hold lasts seven days",
    proof: [
      { file: 'test/sandbox/clock.spec.ts', title: 'lets a hold go at its expires_at' },
      { file: 'test/sandbox/store.spec.ts', title: 'holds the money of a %s for %i hours' },
    ],
  },
  {
    id: '1.8 capture',
    says: 'A hold is captured whole or in part',
    proof: [
      { file: 'test/payments/finish.spec.ts', title: 'takes a part, and the order knows it' },
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'takes a part and gives the rest back' },
    ],
  },
  {
    id: '1.8 refunds',
    says: 'A card payment is refunded whole or in part',
    proof: [
      {
        file: 'test/payments/refunds.spec.ts',
        title: 'may be partial and repeated; the last gives what is left',
      },
      {
        file: 'test/sandbox/refunds.spec.ts',
        title: 'counts in the payment, which stays refundable until all of it went back',
      },
    ],
  },
  {
    id: '1.8 recurring',
    says: 'A saved card pays again without its buyer',
    proof: [
      {
        file: 'test/payments/automatic.spec.ts',
        title: 'is saved by the first payment, and pays the next without the buyer',
      },
      {
        file: 'test/sandbox/saved-methods.spec.ts',
        title: 'pays again without the buyer, at once or as a hold',
      },
    ],
  },
  { id: '1.8 registry code', says: "The method's code in the service's registries, AC", proof: 'no way in' },
  {
    id: '1.9 mobile app',
    says: "The card page may offer a card network's mobile payment app",
    proof: [
      {
        file: 'test/sandbox/checkout-ways.spec.ts',
        title: 'is a button of the card form, and marks the card with its source',
      },
    ],
  },
  {
    id: '1.9 bank app',
    says: "The page may offer a bank's application, where the store has it",
    proof: [
      {
        file: 'test/sandbox/checkout-ways.spec.ts',
        title: 'is offered by a store that is no demo store, and pays',
      },
    ],
  },
  {
    id: '2.1 id',
    says: "The payment's identifier, used in later requests",
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      {
        file: 'libs/payments/src/api/service-payment.spec.ts',
        title: 'needs no more than id, status and amount',
      },
    ],
  },
  {
    id: '2.1 status',
    says: 'pending, waiting_for_capture, succeeded or canceled',
    proof: [
      { file: 'libs/payments/src/payment/payment-status.spec.ts', title: '%s is known' },
      { file: 'libs/payments/src/payment/payment-status.spec.ts', title: '%j is none' },
    ],
  },
  {
    id: '2.1 paid',
    says: 'False while pending, true once the buyer has paid',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      { file: 'libs/payments/src/payment/payment-status.spec.ts', title: '%s is %o' },
    ],
  },
  {
    id: '2.1 amount',
    says: "The payment's amount",
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      { file: 'libs/payments/src/api/service-payment.spec.ts', title: 'is read in full' },
    ],
  },
  {
    id: '2.1 income_amount',
    says: 'What the store receives, once succeeded',
    proof: [
      { file: 'test/api/sandbox.spec.ts', title: 'captures the whole hold, or a part of it' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.1 refunded_amount',
    says: 'What was refunded so far, once succeeded',
    proof: [
      {
        file: 'test/sandbox/refunds.spec.ts',
        title: 'counts in the payment, which stays refundable until all of it went back',
      },
      { file: 'libs/payments/src/api/service-payment.spec.ts', title: 'is read in full' },
    ],
  },
  {
    id: '2.1 confirmation',
    says: 'There while the buyer must confirm',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      {
        file: 'test/payments/create.spec.ts',
        title: 'returns a pending payment with the address to send the buyer to',
      },
    ],
  },
  {
    id: '2.1 created_at',
    says: 'ISO 8601 in UTC, with milliseconds',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      { file: 'libs/payments/src/api/service-payment.spec.ts', title: 'is read in full' },
    ],
  },
  {
    id: '2.1 captured_at',
    says: 'There once succeeded',
    proof: [
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'takes all of it by %s' },
      { file: 'libs/payments/src/api/service-payment.spec.ts', title: 'is read in full' },
    ],
  },
  {
    id: '2.1 expires_at',
    says: 'The end of the hold, while held',
    proof: [
      {
        file: 'test/sandbox/cryptogram.spec.ts',
        title: 'holds the money at once for six hours, without a confirmation',
      },
      { file: 'test/sandbox/store.spec.ts', title: 'holds the money of a %s for %i hours' },
    ],
  },
  {
    id: '2.1 description',
    says: 'At most 128 characters',
    proof: [
      {
        file: 'test/sandbox/create.spec.ts',
        title: 'takes the longest description, metadata and return_url',
      },
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: '$name: $limit is taken, and what is beyond is refused',
      },
    ],
  },
  {
    id: '2.1 metadata',
    says: 'Key and value pairs, an empty object where there are none',
    proof: [
      {
        file: 'test/sandbox/create.spec.ts',
        title: 'takes the longest description, metadata and return_url',
      },
      {
        file: 'libs/payments/src/operations/request-body.spec.ts',
        title: 'puts our payment id where the profile says',
      },
    ],
  },
  {
    id: '2.1 payment_method',
    says: 'The method used',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.1 recipient',
    says: 'The store that receives the payment',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.1 refundable',
    says: 'False while pending or held, true for a succeeded card payment',
    proof: [
      {
        file: 'test/sandbox/refunds.spec.ts',
        title: 'counts in the payment, which stays refundable until all of it went back',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.1 test',
    says: 'True in a demo store',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'does not mark the payments of a real shop as test' },
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.1 authorization_details',
    says: 'There once the card is authorized',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.1 unknown',
    says: 'Fields and values we do not know are kept and break nothing',
    proof: [
      {
        file: 'libs/payments/src/api/service-payment.spec.ts',
        title: 'may have fields and values nobody knows yet: they are kept',
      },
      {
        file: 'test/api/answers.spec.ts',
        title: 'is the service’s own object, with every field and value that nobody knows yet',
      },
    ],
  },
  {
    id: '2.2 amount',
    says: 'Required in every creation',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with %j is refused, naming field and rule',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.2 capture',
    says: 'True receives at once, false holds',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'holds the money where capture is omitted' },
      {
        file: 'libs/payments/src/operations/request-body.spec.ts',
        title: 'says what the interface asks for, and nothing of ours but the payment id',
      },
    ],
  },
  {
    id: '2.2 confirmation',
    says: 'Needed in redirect scenarios: type redirect and a return address',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with %j is refused, naming field and rule',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.2 confirmation.return_url',
    says: 'Required for redirect',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with %j is refused, naming field and rule',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.2 confirmation.enforce',
    says: 'True asks for 3-D Secure',
    proof: [
      {
        file: 'test/sandbox/three-d-secure.spec.ts',
        title: 'is asked where the merchant enforces it, and marks the payment',
      },
      {
        file: 'test/sandbox/create-shapes.spec.ts',
        title: 'enforce asks for 3-D Secure, and the payment shows that it was applied',
      },
    ],
  },
  {
    id: '2.2 payment_method_data',
    says: 'Names bank_card, wallet or wallet_pay',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'takes %s' },
      { file: 'test/sandbox/checkout.spec.ts', title: 'offers the method the merchant named and no other' },
    ],
  },
  {
    id: '2.2 payment_method_data.card',
    says: 'A card with bank_card',
    proof: [
      {
        file: 'test/sandbox/card-data.spec.ts',
        title: 'is answered pending, with the 3-D Secure page as confirmation_url',
      },
      {
        file: 'test/payments/card-data.spec.ts',
        title: 'makes a payment that waits on its 3-D Secure page, then succeeds',
      },
    ],
  },
  {
    id: '2.2 payment_method_data.payment_method_token',
    says: 'The cryptogram with wallet_pay',
    proof: [
      { file: 'test/sandbox/cryptogram.spec.ts', title: 'is refused with %s' },
      {
        file: 'test/payments/card-data.spec.ts',
        title: 'as a cryptogram holds or takes the money at once, or is declined',
      },
    ],
  },
  {
    id: '2.2 description',
    says: 'At most 128 characters',
    proof: [
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: '$name: $limit is taken, and what is beyond is refused',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.2 airline',
    says: 'With bank card payments only',
    proof: [
      { file: 'test/sandbox/airline.spec.ts', title: 'takes %s' },
      {
        file: 'test/payments/automatic.spec.ts',
        title: 'tells of them at its creation, and of the ticket at its capture',
      },
    ],
  },
  {
    id: '2.2 key',
    says: 'Every creation carries an Idempotence-Key',
    proof: [
      { file: 'test/sandbox/idempotence.spec.ts', title: 'is refused where it is %s' },
      {
        file: 'libs/payments/src/api/transport.spec.ts',
        title: 'carries body, key and credentials exactly as given',
      },
    ],
  },
  {
    id: '2.3 value',
    says: 'A decimal string with two fractional digits',
    proof: [
      { file: 'libs/payments/src/payment/money.spec.ts', title: '%s is exactly %i minor units' },
      {
        file: 'libs/payments/src/payment/money.spec.ts',
        title: 'is refused with one foreign character anywhere',
      },
    ],
  },
  {
    id: '2.3 currency',
    says: 'RUB',
    proof: [
      {
        file: 'libs/payments/src/payment/money.spec.ts',
        title: 'is roubles unless another currency is named',
      },
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with %j is refused, naming field and rule',
      },
    ],
  },
  {
    id: '2.4 type',
    says: 'redirect',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.4 return_url',
    says: 'The address that was sent, again',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.4 confirmation_url',
    says: 'Where the buyer is sent: payment page or 3-D Secure page',
    proof: [
      {
        file: 'test/payments/create.spec.ts',
        title: 'returns a pending payment with the address to send the buyer to',
      },
      {
        file: 'test/sandbox/three-d-secure.spec.ts',
        title: 'leads straight to 3-D Secure, and pays after it',
      },
    ],
  },
  {
    id: '2.5 type',
    says: 'bank_card, wallet, wallet_pay or bank_app_pay',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by wallet, without a card or its authorization',
      },
      {
        file: 'test/sandbox/store.spec.ts',
        title: 'shows a bank application payment with a card, but neither its product nor its issuer',
      },
    ],
  },
  {
    id: '2.5 bank_app_pay',
    says: "A bank application's payment shows a card without product and issuer",
    proof: [
      {
        file: 'test/sandbox/store.spec.ts',
        title: 'shows a bank application payment with a card, but neither its product nor its issuer',
      },
      { file: 'libs/payments/src/payment/paid-with.spec.ts', title: 'is told as far as it is known: %s' },
    ],
  },
  {
    id: '2.5 id',
    says: "The method's identifier",
    proof: [
      { file: 'test/sandbox/saved-methods.spec.ts', title: 'comes of a paid payment that asked for it' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.5 saved',
    says: 'Whether the method is saved',
    proof: [
      {
        file: 'test/sandbox/saved-methods.spec.ts',
        title: 'does not come of a payment that did not ask, or was not paid',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.5 title',
    says: 'A title that ends, for a card, with its last four digits',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: '$number pays and shows its product and issuer' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.5 card',
    says: 'The card of card-based methods',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: '$number pays and shows its product and issuer' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 first6',
    says: 'The first six digits',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: 'can be told apart by what is kept of them' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 last4',
    says: 'The last four digits',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: 'can be told apart by what is kept of them' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 expiry_month',
    says: 'Two digits',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 expiry_year',
    says: 'Four digits',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 card_type',
    says: 'The card network',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: 'have one that pays for each network' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 card_product',
    says: "Code and name of the card's product",
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: '$number pays and shows its product and issuer' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 issuer_country',
    says: 'Two letters',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: '$number pays and shows its product and issuer' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 issuer_name',
    says: 'The issuing bank',
    proof: [
      { file: 'test/sandbox/test-cards.spec.ts', title: '$number pays and shows its product and issuer' },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.6 source',
    says: "card_app_pay where a card network's app paid, absent otherwise",
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'shows the mobile payment app as the source of a card' },
      { file: 'test/sandbox/checkout-ways.spec.ts', title: 'is no answer of a typed card' },
    ],
  },
  {
    id: '2.7 cardholder',
    says: 'The name on the card',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with the card field %j is refused, and the message tells nothing of the card',
      },
      { file: 'test/sandbox/card-data.spec.ts', title: 'needs neither the CSC nor the cardholder' },
    ],
  },
  {
    id: '2.7 csc',
    says: "The card's security code",
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with the card field %j is refused, and the message tells nothing of the card',
      },
      { file: 'test/sandbox/card-data.spec.ts', title: 'is refused with %s' },
    ],
  },
  {
    id: '2.7 expiry_month',
    says: 'Two digits',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with the card field %j is refused, and the message tells nothing of the card',
      },
      { file: 'test/sandbox/card-data.spec.ts', title: 'is refused with %s' },
    ],
  },
  {
    id: '2.7 expiry_year',
    says: 'Four digits',
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with the card field %j is refused, and the message tells nothing of the card',
      },
      { file: 'test/sandbox/card-data.spec.ts', title: 'is good to the end of its month' },
    ],
  },
  {
    id: '2.7 number',
    says: "The card's number",
    proof: [
      {
        file: 'libs/payments/src/api/requests/requests.spec.ts',
        title: 'with the card field %j is refused, and the message tells nothing of the card',
      },
      {
        file: 'test/payments/card-data.spec.ts',
        title: 'leaves no card number, csc or cryptogram in any table, log or error',
      },
    ],
  },
  {
    id: '2.8 account_id',
    says: "The store's identifier",
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.8 gateway_id',
    says: "The store's gateway",
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
    ],
  },
  {
    id: '2.9 rrn',
    says: "The authorization's reference number",
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.9 auth_code',
    says: "The authorization's code",
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.9 three_d_secure',
    says: 'Whether 3-D Secure was applied',
    proof: [
      {
        file: 'test/sandbox/three-d-secure.spec.ts',
        title: 'is asked where the merchant enforces it, and marks the payment',
      },
      {
        file: 'libs/payments/src/payment/paid-with.spec.ts',
        title: 'is read from the object as last applied',
      },
    ],
  },
  {
    id: '2.10 ticket_number',
    says: 'It or the booking reference is required',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'tells the rule of air tickets: %s' },
      { file: 'test/sandbox/airline.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.10 booking_reference',
    says: 'While there is no ticket number yet',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'tells the rule of air tickets: %s' },
      { file: 'test/sandbox/airline.spec.ts', title: 'takes %s' },
    ],
  },
  {
    id: '2.10 passengers',
    says: 'First and last names',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'names %s by its path' },
      { file: 'test/sandbox/airline.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.10 legs',
    says: 'Airports and departure date of each',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'names %s by its path' },
      { file: 'test/sandbox/airline.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '2.10 departure_date',
    says: 'A date of the shape YYYY-MM-DD',
    proof: [
      {
        file: 'test/payments/automatic.spec.ts',
        title: 'names what is wrong in %j, at its creation and at its capture',
      },
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'names %s by its path' },
    ],
  },
  {
    id: '2.10 transfer',
    says: 'A trip with a transfer has two legs',
    proof: [{ file: 'test/sandbox/airline.spec.ts', title: 'is taken with a trip of two legs' }],
  },
  {
    id: '2.10 several tickets',
    says: 'One ticket number or the booking reference is enough for several tickets',
    proof: [
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'tells the rule of air tickets: %s' },
      { file: 'test/sandbox/airline.spec.ts', title: 'takes %s' },
    ],
  },
  {
    id: '2.11 account_id',
    says: "The store's identifier",
    proof: [
      { file: 'test/api/sandbox.spec.ts', title: 'reads the store with a token alone' },
      { file: 'test/api/endpoints.spec.ts', title: '%s asks as section 4 says and gives the answer' },
    ],
  },
  {
    id: '2.11 test',
    says: 'True for a demo store',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'tells that it is one, with bank card and wallet only' },
    ],
  },
  {
    id: '2.11 fiscalization_enabled',
    says: 'Whether the store registers receipts',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'tells that it is one, with bank card and wallet only' },
    ],
  },
  {
    id: '2.11 payment_methods',
    says: 'The methods the store can use',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'has every method, and its payments are no tests' },
      { file: 'test/api/answers.spec.ts', title: 'are read as the interface’s words in the store’s methods' },
    ],
  },
  {
    id: '2.11 status',
    says: 'enabled',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'tells that it is one, with bank card and wallet only' },
    ],
  },
  {
    id: '2.12 id',
    says: 'Given by the service',
    proof: [
      { file: 'test/sandbox/webhooks.spec.ts', title: 'are created, listed and deleted' },
      { file: 'test/api/sandbox.spec.ts', title: 'creates, lists and deletes webhooks with a token' },
    ],
  },
  {
    id: '2.12 event',
    says: "The event's name",
    proof: [
      { file: 'test/sandbox/webhooks.spec.ts', title: 'refuse the event %j' },
      { file: 'test/api/sandbox.spec.ts', title: 'creates, lists and deletes webhooks with a token' },
    ],
  },
  {
    id: '2.12 url',
    says: 'The notification address',
    proof: [
      { file: 'test/sandbox/webhooks.spec.ts', title: 'take the address %s' },
      { file: 'libs/payments/src/api/requests/requests.spec.ts', title: 'may have notifications sent to %s' },
    ],
  },
  {
    id: '2.13 type',
    says: 'notification',
    proof: [
      {
        file: 'test/sandbox/notifications.spec.ts',
        title: 'carries the object as it was at the change, from a documented sender',
      },
      {
        file: 'libs/payments/src/notifications/notification-body.spec.ts',
        title: 'is read for its event and its object’s id alone',
      },
    ],
  },
  {
    id: '2.13 event',
    says: "The event's name",
    proof: [
      {
        file: 'test/sandbox/notifications.spec.ts',
        title: 'carries the object as it was at the change, from a documented sender',
      },
      { file: 'libs/payments/src/notifications/notification-body.spec.ts', title: 'may tell of %s' },
    ],
  },
  {
    id: '2.13 object',
    says: 'The object as it was at the moment of the change',
    proof: [
      {
        file: 'test/sandbox/notifications.spec.ts',
        title: 'carries the object as it was at the change, from a documented sender',
      },
      { file: 'libs/payments/src/notifications/notification-body.spec.ts', title: 'may name the object %s' },
    ],
  },
  { id: '2.14 access_token', says: 'The token', proof: 'partnership' },
  { id: '2.14 expires_in', says: 'Its lifetime', proof: 'partnership' },
  {
    id: '2.15 refunds',
    says: "The refund's fields are filled as the public service has them",
    proof: [
      { file: 'libs/payments/src/api/service-refund.spec.ts', title: 'is read in full' },
      {
        file: 'test/sandbox/refunds.spec.ts',
        title: 'succeeds at once and is answered as it can be read afterwards',
      },
    ],
  },
  {
    id: '2.15 payouts and deals',
    says: 'Their fields are filled as the public service has them',
    proof: [
      { file: 'test/sandbox/objects.spec.ts', title: 'is read pending, and announced when it succeeds' },
      { file: 'test/sandbox/objects.spec.ts', title: 'is read opened, and announced when it is closed' },
    ],
  },
  {
    id: '2.15 method types',
    says: 'A method type we do not know breaks nothing',
    proof: [
      { file: 'test/api/answers.spec.ts', title: 'are read as the interface’s words: %s' },
      { file: 'libs/payments/src/payment/paid-with.spec.ts', title: 'is told as far as it is known: %s' },
    ],
  },
  {
    id: '2.15 capture',
    says: 'What an omitted capture means is never relied on: it is always sent',
    proof: [
      {
        file: 'libs/payments/src/operations/request-body.spec.ts',
        title: 'says what the interface asks for, and nothing of ours but the payment id',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'holds the money where capture is omitted' },
    ],
  },
  {
    id: '3 redirect',
    says: 'A redirect payment starts pending, unpaid, with an address and not refundable',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers a pending payment as the interface shows it' },
      {
        file: 'test/payments/create.spec.ts',
        title: 'returns a pending payment with the address to send the buyer to',
      },
    ],
  },
  {
    id: '3 cryptogram',
    says: 'A cryptogram payment starts held: paid, with expires_at and authorization',
    proof: [
      {
        file: 'test/sandbox/cryptogram.spec.ts',
        title: 'holds the money at once for six hours, without a confirmation',
      },
    ],
  },
  {
    id: '3 confirmed',
    says: 'Confirmed with capture = true it succeeds, with captured_at, income and refunded amount',
    proof: [
      {
        file: 'test/sandbox/control.spec.ts',
        title: 'succeed pays by card, at once where the merchant asked for that',
      },
      { file: 'test/payments/notifications.spec.ts', title: 'that was lost is made up for by the sweep' },
    ],
  },
  {
    id: '3 failed',
    says: 'Declined, abandoned or failed it is canceled, and the buyer returns to return_url',
    proof: [
      {
        file: 'test/sandbox/checkout.spec.ts',
        title: 'cancels with the reason of the last try when the buyer gives up',
      },
      {
        file: 'test/browser/purchase.spec.ts',
        title: 'whose card is declined and who gives up sees the order not paid',
      },
    ],
  },
  {
    id: '3 capture',
    says: 'A capture takes the held payment on, with an amount and airline data',
    proof: [
      { file: 'test/payments/finish.spec.ts', title: 'takes the whole hold' },
      {
        file: 'test/payments/automatic.spec.ts',
        title: 'tells of them at its creation, and of the ticket at its capture',
      },
    ],
  },
  {
    id: '3.1',
    says: 'A payment is complete when it succeeded',
    proof: [
      { file: 'test/payments/notifications.spec.ts', title: 'delivered five times at once is one effect' },
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      },
    ],
  },
  {
    id: '3.2',
    says: 'Only a held payment can be captured; becoming held sends payment.waiting_for_capture',
    proof: [
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'is refused while pending, and a second time' },
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      },
    ],
  },
  {
    id: '3.3',
    says: 'The hold ends after seven days, the payment term after an hour',
    proof: [
      { file: 'test/sandbox/clock.spec.ts', title: 'lets a hold go at its expires_at' },
      {
        file: 'test/sandbox/clock.spec.ts',
        title: 'cancels a payment nobody confirmed when its hour is over',
      },
    ],
  },
  {
    id: '3.4',
    says: 'A failed try shows an error on the page and offers another',
    proof: [
      {
        file: 'test/sandbox/checkout.spec.ts',
        title: 'shows why a try failed, offers another, and takes it',
      },
    ],
  },
  {
    id: '3 states',
    says: 'Refund succeeded, payout succeeded and canceled, deal closed, payment method active',
    proof: [
      { file: 'libs/payments/src/refunds/refund-status.spec.ts', title: 'moves these ways and no other' },
      { file: 'test/sandbox/objects.spec.ts', title: 'is announced when it is canceled, with its reason' },
      { file: 'test/sandbox/objects.spec.ts', title: 'is read opened, and announced when it is closed' },
    ],
  },
  {
    id: '3 out of hold',
    says: 'The ways out of a hold are filled: captured or canceled, for good',
    proof: [
      {
        file: 'libs/payments/src/payment/payment-status.spec.ts',
        title: 'allows exactly the documented moves',
      },
      { file: 'test/payments/finish.spec.ts', title: 'lets the whole hold go' },
    ],
  },
  {
    id: '4 GET me',
    says: 'Store information, by Bearer token',
    proof: [
      { file: 'test/api/endpoints.spec.ts', title: '%s asks as section 4 says and gives the answer' },
      { file: 'test/api/sandbox.spec.ts', title: 'reads the store with a token alone' },
    ],
  },
  {
    id: '4 POST payments',
    says: 'Creates a payment',
    proof: [
      { file: 'test/api/endpoints.spec.ts', title: '%s asks as section 4 says and gives the answer' },
      { file: 'test/api/sandbox.spec.ts', title: 'creates a payment and reads it' },
    ],
  },
  {
    id: '4 POST capture',
    says: 'Captures under the path the interface shows',
    proof: [
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'takes all of it by %s' },
      { file: 'test/api/answers.spec.ts', title: 'come with its capture path' },
    ],
  },
  {
    id: '4 POST webhooks',
    says: 'Subscribes, by Bearer token',
    proof: [
      {
        file: 'test/api/endpoints.spec.ts',
        title: '%s is refused here with shop credentials: only a token will do',
      },
      { file: 'test/api/sandbox.spec.ts', title: 'creates, lists and deletes webhooks with a token' },
    ],
  },
  { id: '4 authorize', says: "The owner's consent", proof: 'partnership' },
  { id: '4 token', says: 'Exchanges a code for a token', proof: 'partnership' },
  {
    id: '4 json',
    says: 'Bodies are JSON with its content type',
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'answers 405 and 415 without a body' },
      { file: 'test/sandbox/create.spec.ts', title: 'answers 400 to a body that is not JSON' },
    ],
  },
  {
    id: '4 key',
    says: 'Every POST carries an Idempotence-Key',
    proof: [
      { file: 'test/sandbox/idempotence.spec.ts', title: 'is refused where it is %s' },
      { file: 'test/api/endpoints.spec.ts', title: '%s asks as section 4 says and gives the answer' },
    ],
  },
  {
    id: '4 gap read',
    says: 'Reading and listing payments',
    proof: [
      { file: 'test/api/sandbox.spec.ts', title: 'lists payments over all pages, and goes on from a cursor' },
      { file: 'test/sandbox/list.spec.ts', title: 'shows ten, newest first, and the rest by the cursor' },
    ],
  },
  {
    id: '4 gap webhooks',
    says: 'Listing and deleting webhooks',
    proof: [
      { file: 'test/api/sandbox.spec.ts', title: 'creates, lists and deletes webhooks with a token' },
      { file: 'test/sandbox/webhooks.spec.ts', title: 'are created, listed and deleted' },
    ],
  },
  {
    id: '4 gap cancel',
    says: 'Canceling a payment',
    proof: [
      { file: 'test/api/sandbox.spec.ts', title: 'cancels a hold' },
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'lets it go by %s' },
    ],
  },
  {
    id: '4 gap refunds',
    says: 'Creating, reading and listing refunds',
    proof: [
      {
        file: 'test/api/sandbox.spec.ts',
        title: 'refunds in parts, reads a refund and lists a payment’s refunds',
      },
      { file: 'test/sandbox/refund-list.spec.ts', title: 'is read page by page' },
    ],
  },
  {
    id: '4 gap capture answer',
    says: 'A capture answers with the payment',
    proof: [
      { file: 'test/sandbox/capture-cancel.spec.ts', title: 'takes all of it by %s' },
      { file: 'test/api/sandbox.spec.ts', title: 'captures the whole hold, or a part of it' },
    ],
  },
  {
    id: '4 gap commissions',
    says: 'Commissions are named as a permission; there is no endpoint to ask for them',
    proof: 'no way in',
  },
  {
    id: '5.1.1',
    says: 'Basic credentials: shop identifier and secret key',
    proof: [
      { file: 'libs/payments/src/api/credentials.spec.ts', title: 'of a shop are sent with HTTP Basic' },
      { file: 'test/sandbox/create.spec.ts', title: 'answers 401 to %s' },
    ],
  },
  {
    id: '5.1.2',
    says: 'A demo store has an identifier and key of its own',
    proof: [
      { file: 'test/sandbox/store.spec.ts', title: 'tells that it is one, with bank card and wallet only' },
    ],
  },
  {
    id: '5.1.3',
    says: "Real payments need the real store's",
    proof: [
      { file: 'test/sandbox/create.spec.ts', title: 'does not mark the payments of a real shop as test' },
      { file: 'test/sandbox/store.spec.ts', title: 'has every method, and its payments are no tests' },
    ],
  },
  { id: '5.2 preparation', says: 'An app registers with its callback and permissions', proof: 'partnership' },
  {
    id: '5.2.1',
    says: 'The owner is sent to the authorization server with client_id, response_type and state',
    proof: 'partnership',
  },
  {
    id: '5.2.2',
    says: 'The owner grants and selects a store; code and state come back',
    proof: 'partnership',
  },
  { id: '5.2.3', says: 'A refusal comes back as access_denied', proof: 'partnership' },
  { id: '5.2.4', says: 'The code is exchanged within five minutes', proof: 'partnership' },
  { id: '5.2.5', says: 'The token lives five years', proof: 'partnership' },
  {
    id: '5.2.6',
    says: 'The token goes into the Authorization header instead of shop credentials',
    proof: [
      { file: 'libs/payments/src/api/credentials.spec.ts', title: 'of an app are sent as a Bearer token' },
      {
        file: 'test/sandbox/bearer.spec.ts',
        title: 'opens every endpoint that shop credentials open, on the same store',
      },
    ],
  },
  { id: '5.2 token kept', says: "The token is the app's alone", proof: 'partnership' },
  { id: '5.2 permissions', says: 'Only what was asked at registration may be sent', proof: 'partnership' },
  { id: '5.2 store first', says: 'Store information is read before the first payment', proof: 'partnership' },
  { id: '5.2 webhooks', says: 'Webhooks are made per token', proof: 'partnership' },
  {
    id: '6 payment.waiting_for_capture',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      },
    ],
  },
  {
    id: '6 payment.succeeded',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      },
    ],
  },
  {
    id: '6 payment.canceled',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      },
    ],
  },
  {
    id: '6 refund.succeeded',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title:
          'refund.succeeded of a refund made in the Merchant Profile reaches its handler once, with its payment',
      },
      { file: 'test/payments/refund-outside.spec.ts', title: 'is told by its notification' },
    ],
  },
  {
    id: '6 payout.succeeded',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title: 'payout.%s reaches its handler once, with the payout as the service reads it',
      },
    ],
  },
  {
    id: '6 payout.canceled',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title: 'payout.%s reaches its handler once, with the payout as the service reads it',
      },
    ],
  },
  {
    id: '6 deal.closed',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title: 'deal.closed reaches its handler once, with the deal as the service reads it',
      },
    ],
  },
  {
    id: '6 payment_method.active',
    says: 'Told, re-read, given to handlers',
    proof: [
      {
        file: 'test/payments/object-events.spec.ts',
        title: 'payment_method.active reaches its handler once, with the method as the service reads it',
      },
    ],
  },
  {
    id: '6 by solution',
    says: 'Which events each solution has; another one fails at start',
    proof: [
      {
        file: 'libs/payments/src/notifications/events-by-solution.spec.ts',
        title: '$event with $solution: $cell',
      },
      {
        file: 'test/hosts/start.spec.ts',
        title: 'for events that %s does not have is told each, and which solutions have it',
      },
    ],
  },
  {
    id: '6 binding',
    says: "A bound method's identifier is used for later payments",
    proof: [
      {
        file: 'test/sandbox/saved-methods.spec.ts',
        title: 'is bound without a payment, announced, and pays',
      },
    ],
  },
  {
    id: '6 subscription shop',
    says: "The shop's notification address and its events",
    proof: [
      { file: 'test/sandbox/notifications.spec.ts', title: 'is not made without a subscription' },
      { file: 'test/sandbox/webhooks.spec.ts', title: 'tell of the ticked events alone' },
    ],
  },
  {
    id: '6 subscription app',
    says: 'One webhook per event, payment and refund events alone',
    proof: [
      {
        file: 'test/sandbox/webhooks.spec.ts',
        title: 'go to the webhook of their event, for objects the app made',
      },
      { file: 'test/sandbox/webhooks.spec.ts', title: 'refuse the event %j' },
    ],
  },
  {
    id: '6 own objects',
    says: 'An app hears of the objects it made alone',
    proof: [{ file: 'test/sandbox/webhooks.spec.ts', title: 'do not tell of what the shop made itself' }],
  },
  {
    id: '6 unsubscribe',
    says: 'A deleted webhook is told nothing more; webhooks can be listed',
    proof: [
      {
        file: 'test/sandbox/webhooks.spec.ts',
        title: 'are repeated like any other, until the webhook is deleted',
      },
      { file: 'test/api/sandbox.spec.ts', title: 'creates, lists and deletes webhooks with a token' },
    ],
  },
  {
    id: '6 url',
    says: 'HTTPS, port 443 or 8443',
    proof: [
      { file: 'test/sandbox/webhooks.spec.ts', title: 'take the address %s' },
      { file: 'test/sandbox/webhooks.spec.ts', title: 'refuse the address %j' },
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: 'notificationPorts: 443 and 8443 are taken, another is refused',
      },
    ],
  },
  {
    id: '6 url tls',
    says: "TLS 1.2 or higher, any certificate: the merchant's own server decides",
    proof: 'no way in',
  },
  {
    id: '6.1',
    says: 'An event sends a POST with type, event and object',
    proof: [
      {
        file: 'test/sandbox/notifications.spec.ts',
        title: 'carries the object as it was at the change, from a documented sender',
      },
    ],
  },
  {
    id: '6.2',
    says: '200 acknowledges; body and headers of the answer are ignored',
    proof: [
      {
        file: 'test/hosts/adapters.spec.ts',
        title: 'has stored a notification from %s of the list by the time it answers 200',
      },
      {
        file: 'test/hosts/settings.spec.ts',
        title: 'is answered 200 through a global interceptor that wraps every answer',
      },
    ],
  },
  {
    id: '6.3',
    says: 'Any other status is told again, for 24 hours',
    proof: [
      { file: 'test/sandbox/notifications.spec.ts', title: 'is repeated after %i, until 200' },
      {
        file: 'test/sandbox/notifications.spec.ts',
        title:
          'is repeated after 10, 42, 84, 168, 672 and 5376 seconds, the seventh pause reaching beyond 24 hours',
      },
    ],
  },
  {
    id: '6.4',
    says: 'Senders outside the documented list are refused',
    proof: [
      { file: 'test/hosts/adapters.spec.ts', title: 'answers 403 to %s and stores nothing' },
      { file: 'libs/payments/src/notifications/sender-address.spec.ts', title: '%s is the service’s' },
      { file: 'libs/payments/src/notifications/sender-address.spec.ts', title: '%j is not' },
    ],
  },
  {
    id: '6.5',
    says: 'A notification is verified by re-reading the object',
    proof: [
      {
        file: 'test/payments/notifications.spec.ts',
        title: 'that is forged by a listed sender is answered 200, re-read, and changes no status',
      },
      {
        file: 'test/hosts/notifications.spec.ts',
        title:
          'that falsely says paid is answered 200, makes one re-read and changes nothing; the true one then counts',
      },
    ],
  },
  {
    id: '6 polling',
    says: 'A payment is found without any notification',
    proof: [
      { file: 'test/payments/notifications.spec.ts', title: 'that was lost is made up for by the sweep' },
      {
        file: 'test/payments/refund-outside.spec.ts',
        title: 'is found by the watch though every notification is lost and nobody asks',
      },
    ],
  },
  { id: '7.1', says: 'A refused authorization', proof: 'partnership' },
  {
    id: '7.2',
    says: 'An expired token is answered with an error',
    proof: [
      { file: 'test/sandbox/bearer.spec.ts', title: 'is not %s' },
      {
        file: 'libs/payments/src/api/transport.spec.ts',
        title: '%s fails with a ServiceError that says so, and shows no secret',
      },
    ],
  },
  { id: '7.3', says: 'A refused code is answered with an error', proof: 'partnership' },
  {
    id: '7.4',
    says: 'A notification not answered 200 is repeated',
    proof: [{ file: 'test/sandbox/notifications.spec.ts', title: 'is repeated after %i, until 200' }],
  },
  {
    id: '7.5',
    says: 'A failed or abandoned payment ends canceled',
    proof: [
      {
        file: 'test/sandbox/checkout.spec.ts',
        title: 'cancels with the reason of the last try when the buyer gives up',
      },
      {
        file: 'test/sandbox/checkout.spec.ts',
        title: 'cancels as not confirmed when the buyer gives up without a try',
      },
    ],
  },
  {
    id: '7 gap body',
    says: 'Error bodies carry type, id, code, description and parameter',
    proof: [
      {
        file: 'libs/payments/src/api/failed-answer.spec.ts',
        title: 'tells what the service said, and under which key',
      },
      { file: 'test/sandbox/create.spec.ts', title: 'refuses %s' },
    ],
  },
  {
    id: '7 gap statuses',
    says: '400, 401, 403, 404, 405, 415, 429, 500 and 202 are each an error of their own',
    proof: [
      {
        file: 'libs/payments/src/api/failed-answer.spec.ts',
        title: 'of %i is %s: %s, may help when sent again: %s',
      },
    ],
  },
  { id: '7 gap token body', says: "The token endpoint's error body", proof: 'partnership' },
  {
    id: '8 card minimum',
    says: '1 rouble by bank card',
    proof: [
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: '$name: $limit is taken, and what is beyond is refused',
      },
      {
        file: 'test/sandbox/create.spec.ts',
        title: 'limits a bank card to 1.00 up to 350000.00, and a wallet to neither',
      },
    ],
  },
  {
    id: '8 card maximum',
    says: '350000 roubles by bank card',
    proof: [
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: '$name: $limit is taken, and what is beyond is refused',
      },
      { file: 'test/sandbox/checkout.spec.ts', title: 'takes no card beyond its limit, whatever the card' },
    ],
  },
  {
    id: '8 description',
    says: '128 characters',
    proof: [
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: '$name: $limit is taken, and what is beyond is refused',
      },
      {
        file: 'test/sandbox/create.spec.ts',
        title: 'takes the longest description, metadata and return_url',
      },
    ],
  },
  { id: '8 state', says: '1024 characters', proof: 'partnership' },
  { id: '8 code', says: '5 minutes', proof: 'partnership' },
  { id: '8 token', says: '5 years', proof: 'partnership' },
  {
    id: '8 payment term',
    says: '1 hour',
    proof: [
      {
        file: 'test/sandbox/clock.spec.ts',
        title: 'cancels a payment nobody confirmed when its hour is over',
      },
    ],
  },
  {
    id: '8 hold',
    says: '7 days',
    proof: [{ file: 'test/sandbox/store.spec.ts', title: 'holds the money of a %s for %i hours' }],
  },
  {
    id: '8 refund term',
    says: '0 to 3 days: a refund may stay pending and is polled',
    proof: [
      {
        file: 'test/payments/refunds.spec.ts',
        title: 'that the service takes its time over is polled until it is final, with no notification',
      },
    ],
  },
  {
    id: '8 redelivery',
    says: '24 hours',
    proof: [
      {
        file: 'test/sandbox/notifications.spec.ts',
        title:
          'is repeated after 10, 42, 84, 168, 672 and 5376 seconds, the seventh pause reaching beyond 24 hours',
      },
    ],
  },
  {
    id: '8 url',
    says: 'HTTPS, 443 or 8443',
    proof: [
      {
        file: 'libs/payments/src/api/limits.spec.ts',
        title: 'notificationPorts: 443 and 8443 are taken, another is refused',
      },
      { file: 'test/sandbox/webhooks.spec.ts', title: 'refuse the address %j' },
    ],
  },
  {
    id: '8 gap rates',
    says: 'Rate limits are answered 429 and waited for',
    proof: [
      {
        file: 'test/sandbox/faults.spec.ts',
        title: 'too_many_requests answers 429 as often as ordered and commits nothing',
      },
      {
        file: 'test/api/retries.spec.ts',
        title: 'that is asked to wait longer than it may take fails at once',
      },
    ],
  },
  {
    id: '8 gap other methods',
    says: 'Other methods have no limits of amount here',
    proof: [
      {
        file: 'test/sandbox/create.spec.ts',
        title: 'limits a bank card to 1.00 up to 350000.00, and a wallet to neither',
      },
    ],
  },
  {
    id: '9 v3',
    says: 'Every path carries /v3',
    proof: [{ file: 'test/api/endpoints.spec.ts', title: '%s asks as section 4 says and gives the answer' }],
  },
  { id: '9 oauth', says: "The authorization server's paths carry /oauth/v2", proof: 'partnership' },
  {
    id: '9 changes',
    says: 'Unknown fields and values break nothing',
    proof: [
      {
        file: 'test/api/answers.spec.ts',
        title: 'is the service’s own object, with every field and value that nobody knows yet',
      },
      {
        file: 'libs/payments/src/api/service-payment.spec.ts',
        title: 'may have fields and values nobody knows yet: they are kept',
      },
    ],
  },
];
