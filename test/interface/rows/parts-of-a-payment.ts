import type { Row } from '../row.js';

/** Sections 2.3 to 2.10: what a payment is made of. */
export const partsOfAPayment: readonly Row[] = [
  {
    id: '2.3 value',
    says: 'A decimal string with two fractional digits',
    proof: [
      'libs/payments/src/common/money.spec.ts: %s is exactly %i minor units',
      'libs/payments/src/common/money.spec.ts: is refused with one foreign character anywhere',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/sandbox/create-shapes.spec.ts: thirteen whole digits are an amount, and fourteen are none',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
    ],
  },
  {
    id: '2.3 currency',
    says: 'RUB',
    proof: [
      'libs/payments/src/common/money.spec.ts: is in roubles unless another currency is named',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
    ],
  },
  {
    id: '2.4 type',
    says: 'redirect',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
    ],
  },
  {
    id: '2.4 return_url',
    says: 'The address that was sent, again',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
    ],
  },
  {
    id: '2.4 confirmation_url',
    says: 'Where the buyer is sent: payment page or 3-D Secure page',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
      'test/payments/create.spec.ts: returns a pending payment with the address to send the buyer to',
      'test/sandbox/three-d-secure.spec.ts: leads straight to 3-D Secure, and pays after it',
    ],
  },
  {
    id: '2.5 type',
    says: 'bank_card, wallet, wallet_pay or bank_app_pay',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by wallet, without a card or its authorization',
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/store.spec.ts: shows a bank application payment with a card, but neither its product nor its issuer',
      'test/api/answers.spec.ts: are read as the interface’s words: %s',
    ],
  },
  {
    id: '2.5 bank_app_pay',
    says: "A bank application's payment shows a card without product and issuer",
    proof: [
      'test/sandbox/store.spec.ts: shows a bank application payment with a card, but neither its product nor its issuer',
      'libs/payments/src/views/paid-with.spec.ts: is shown as far as it is known: %s',
    ],
  },
  {
    id: '2.5 id',
    says: "The method's identifier",
    proof: [
      'test/sandbox/saved-methods.spec.ts: comes from a paid payment that asked for it',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.5 saved',
    says: 'Whether the method is saved',
    proof: [
      'test/sandbox/saved-methods.spec.ts: comes from a paid payment that asked for it',
      'test/sandbox/saved-methods.spec.ts: does not come from a payment that did not ask, or was not paid',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.5 title',
    says: 'A title that ends, for a card, with its last four digits',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'test/sandbox/control.spec.ts: succeed pays by wallet, without a card or its authorization',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.5 card',
    says: 'The card of card-based methods',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 first6',
    says: 'The first six digits',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 last4',
    says: 'The last four digits',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 expiry_month',
    says: 'Two digits',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/checkout.spec.ts: accepts a test card with the CSC %s and the expiry %s',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 expiry_year',
    says: 'Four digits',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/checkout.spec.ts: accepts a test card with the CSC %s and the expiry %s',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 card_type',
    says: 'The card network',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'test/sandbox/test-cards.spec.ts: have one that pays for each network',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 card_product',
    says: "Code and name of the card's product",
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 issuer_country',
    says: 'Two letters',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'test/sandbox/test-cards.spec.ts: $name is a number of its network with a right check digit',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 issuer_name',
    says: 'The issuing bank',
    proof: [
      'test/sandbox/test-cards.spec.ts: $name pays and shows its product and issuer',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.6 source',
    says: "card_app_pay if a card network's app paid, absent otherwise",
    proof: [
      'test/sandbox/store.spec.ts: shows the mobile payment app as the source of a card',
      'test/sandbox/checkout-ways.spec.ts: cannot be the answer of a typed card',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
      'test/api/answers.spec.ts: are read as the interface’s words: %s',
    ],
  },
  {
    id: '2.7 cardholder',
    says: 'The name on the card',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with the card field %j is refused, and the message reveals nothing of the card',
      'test/sandbox/card-data.spec.ts: is refused with %s',
      'test/sandbox/card-data.spec.ts: needs neither the CSC nor the cardholder',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
    ],
  },
  {
    id: '2.7 csc',
    says: "The card's security code",
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with the card field %j is refused, and the message reveals nothing of the card',
      'test/sandbox/card-data.spec.ts: is refused with %s',
      'libs/payments/src/operations/request-body.spec.ts: by card data is recorded without it, and sent with it',
    ],
  },
  {
    id: '2.7 expiry_month',
    says: 'Two digits',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with the card field %j is refused, and the message reveals nothing of the card',
      'test/sandbox/card-data.spec.ts: is refused with %s',
      'libs/payments/src/operations/request-body.spec.ts: by card data is recorded without it, and sent with it',
    ],
  },
  {
    id: '2.7 expiry_year',
    says: 'Four digits',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with the card field %j is refused, and the message reveals nothing of the card',
      'test/sandbox/card-data.spec.ts: is refused with %s',
      'test/sandbox/card-data.spec.ts: is valid to the end of its month',
      'libs/payments/src/operations/request-body.spec.ts: by card data is recorded without it, and sent with it',
    ],
  },
  {
    id: '2.7 number',
    says: "The card's number",
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with the card field %j is refused, and the message reveals nothing of the card',
      'test/sandbox/card-data.spec.ts: is refused with %s',
      'libs/payments/src/operations/request-body.spec.ts: by card data is recorded without it, and sent with it',
      'test/payments/card-data.spec.ts: leaves no card number, csc or cryptogram in any table, log or error',
    ],
  },
  {
    id: '2.8 account_id',
    says: "The store's identifier",
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: does not mark the payments of a real shop as test',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
      'libs/payments/src/apply/judge.spec.ts: only an object of the same id, currency and store, and of no more money, is applied',
    ],
  },
  {
    id: '2.8 gateway_id',
    says: "The store's gateway",
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
    ],
  },
  {
    id: '2.9 rrn',
    says: "The authorization's reference number",
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.9 auth_code',
    says: "The authorization's code",
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.9 three_d_secure',
    says: 'Whether 3-D Secure was applied',
    proof: [
      'test/sandbox/three-d-secure.spec.ts: is required if the merchant enforces it, and marks the payment',
      'test/sandbox/three-d-secure.spec.ts: is not required otherwise',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.10 ticket_number',
    says: 'It or the booking reference is required',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: reports the rule of air tickets: %s',
      'test/sandbox/airline.spec.ts: refuses %s',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
    ],
  },
  {
    id: '2.10 booking_reference',
    says: 'While there is no ticket number yet',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: reports the rule of air tickets: %s',
      'test/sandbox/airline.spec.ts: accepts %s',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
    ],
  },
  {
    id: '2.10 passengers',
    says: 'First and last names',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: names %s by its path',
      'test/sandbox/airline.spec.ts: refuses %s',
    ],
  },
  {
    id: '2.10 legs',
    says: 'Airports and departure date of each',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: names %s by its path',
      'test/sandbox/airline.spec.ts: refuses %s',
    ],
  },
  {
    id: '2.10 departure_date',
    says: 'A date in the form YYYY-MM-DD',
    proof: [
      'test/payments/automatic.spec.ts: names what is wrong in %j, at its creation and at its capture',
      'libs/payments/src/api/requests/requests.spec.ts: reports the rule of air tickets: %s',
      'test/sandbox/airline.spec.ts: refuses %s',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
    ],
  },
  {
    id: '2.10 transfer',
    says: 'A trip with a transfer has two legs',
    proof: ['test/sandbox/airline.spec.ts: is accepted with a trip of two legs'],
  },
  {
    id: '2.10 several tickets',
    says: 'One ticket number or the booking reference is enough for several tickets',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: reports the rule of air tickets: %s',
      'test/sandbox/airline.spec.ts: accepts %s',
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
    ],
  },
];
