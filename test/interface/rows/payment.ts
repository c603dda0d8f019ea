import type { Row } from '../row.js';

/** Sections 2.1 and 2.2: a payment, and the request for one. */
export const payment: readonly Row[] = [
  {
    id: '2.1 id',
    says: "The payment's identifier, used in later requests",
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/api/sandbox.spec.ts: creates a payment and reads it',
      'libs/payments/src/api/service-payment.spec.ts: needs no more than id, status and amount',
    ],
  },
  {
    id: '2.1 status',
    says: 'pending, waiting_for_capture, succeeded or canceled',
    proof: [
      'libs/payments/src/common/payment-status.spec.ts: %s is known',
      'libs/payments/src/common/payment-status.spec.ts: %j is none',
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/capture-cancel.spec.ts: releases it by %s',
    ],
  },
  {
    id: '2.1 paid',
    says: 'False while pending, true once the buyer has paid',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/capture-cancel.spec.ts: releases it by %s',
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
    ],
  },
  {
    id: '2.1 amount',
    says: "The payment's amount",
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 income_amount',
    says: 'What the store receives, once succeeded',
    proof: [
      'test/sandbox/capture-cancel.spec.ts: takes all of it by %s',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
      'libs/payments/src/views/paid-with.spec.ts: is shown as far as it is known: %s',
    ],
  },
  {
    id: '2.1 refunded_amount',
    says: 'What was refunded so far, once succeeded',
    proof: [
      'test/sandbox/refunds.spec.ts: counts in the payment, which stays refundable until all of it is refunded',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 confirmation',
    says: 'There while the buyer must confirm',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/capture-cancel.spec.ts: takes all of it by %s',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
      'test/payments/create.spec.ts: returns a pending payment with the address to send the buyer to',
    ],
  },
  {
    id: '2.1 created_at',
    says: 'ISO 8601 in UTC, with milliseconds',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 captured_at',
    says: 'There once succeeded',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 expires_at',
    says: 'The end of the hold, while held',
    proof: [
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'test/sandbox/store.spec.ts: holds the money of a %s for %i hours',
      'test/sandbox/capture-cancel.spec.ts: takes all of it by %s',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 description',
    says: 'At most 128 characters',
    proof: [
      'test/sandbox/create.spec.ts: accepts the longest description, metadata and return_url',
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/checkout.spec.ts: shows what is paid for and how much',
      'libs/payments/src/api/limits.spec.ts: $name: $limit is accepted, and what is beyond is refused',
      'libs/payments/src/operations/request-body.spec.ts: contains %s',
    ],
  },
  {
    id: '2.1 metadata',
    says: 'Key and value pairs, an empty object if there are none',
    proof: [
      'test/sandbox/create-shapes.spec.ts: metadata comes back, and is an empty object if there is none',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
      'libs/payments/src/api/service-payment.spec.ts: needs no more than id, status and amount',
    ],
  },
  {
    id: '2.1 payment_method',
    says: 'The method used',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
    ],
  },
  {
    id: '2.1 recipient',
    says: 'The store that receives the payment',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 refundable',
    says: 'False while pending or held, true for a succeeded card payment',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/refunds.spec.ts: counts in the payment, which stays refundable until all of it is refunded',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
      'libs/payments/src/views/paid-with.spec.ts: is shown as far as it is known: %s',
    ],
  },
  {
    id: '2.1 test',
    says: 'True in a demo store',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/sandbox/create.spec.ts: does not mark the payments of a real shop as test',
      'libs/payments/src/api/service-payment.spec.ts: is read in full',
    ],
  },
  {
    id: '2.1 authorization_details',
    says: 'There once the card is authorized',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/control.spec.ts: succeed pays by wallet, without a card or its authorization',
      'libs/payments/src/views/paid-with.spec.ts: is read from the object as last applied',
      'libs/payments/src/views/paid-with.spec.ts: is shown as far as it is known: %s',
    ],
  },
  {
    id: '2.1 unknown',
    says: 'Fields and values we do not know are kept and break nothing',
    proof: [
      'libs/payments/src/api/service-payment.spec.ts: may have unknown fields and values: the values are kept',
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
    ],
  },
  {
    id: '2.2 amount',
    says: 'Required in every creation',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
    ],
  },
  {
    id: '2.2 capture',
    says: 'True receives at once, false holds',
    proof: [
      'test/sandbox/create.spec.ts: holds the money if capture is false: paid, not refundable, until its expires_at',
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
      'libs/payments/src/operations/request-body.spec.ts: contains %s',
    ],
  },
  {
    id: '2.2 confirmation',
    says: 'Needed in redirect scenarios: type redirect and a return address',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
    ],
  },
  {
    id: '2.2 confirmation.return_url',
    says: 'Required for redirect',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
    ],
  },
  {
    id: '2.2 confirmation.enforce',
    says: 'True asks for 3-D Secure',
    proof: [
      'test/sandbox/three-d-secure.spec.ts: is required if the merchant enforces it, and marks the payment',
      'test/sandbox/create-shapes.spec.ts: enforce asks for 3-D Secure, and the payment shows that it was applied',
      'libs/payments/src/operations/request-body.spec.ts: contains %s',
    ],
  },
  {
    id: '2.2 payment_method_data',
    says: 'Names bank_card, wallet or wallet_pay',
    proof: [
      'libs/payments/src/api/requests/requests.spec.ts: accepts %s',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/sandbox/checkout.spec.ts: offers only the method the merchant named',
    ],
  },
  {
    id: '2.2 payment_method_data.card',
    says: 'A card with bank_card',
    proof: [
      'test/sandbox/card-data.spec.ts: is answered pending, with the 3-D Secure page as confirmation_url',
      'test/payments/card-data.spec.ts: makes a payment that waits on its 3-D Secure page, then succeeds',
      'libs/payments/src/operations/request-body.spec.ts: by card data is recorded without it, and sent with it',
    ],
  },
  {
    id: '2.2 payment_method_data.payment_method_token',
    says: 'The cryptogram with wallet_pay',
    proof: [
      'test/sandbox/cryptogram.spec.ts: is refused with %s',
      'libs/payments/src/api/requests/requests.spec.ts: with %j is refused, naming field and rule',
      'test/payments/card-data.spec.ts: as a cryptogram holds or takes the money at once, or is declined',
    ],
  },
  {
    id: '2.2 description',
    says: 'At most 128 characters',
    proof: [
      'libs/payments/src/api/limits.spec.ts: $name: $limit is accepted, and what is beyond is refused',
      'test/sandbox/create.spec.ts: refuses %s',
      'test/sandbox/create-shapes.spec.ts: description and the names in metadata are counted in characters, beyond the 16-bit range too',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
    ],
  },
  {
    id: '2.2 airline',
    says: 'With bank card payments only',
    proof: [
      'test/sandbox/airline.spec.ts: accepts %s',
      'test/sandbox/airline.spec.ts: refuses %s',
      'test/payments/automatic.spec.ts: sends the tickets at its creation, and the ticket numbers at its capture',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
    ],
  },
  {
    id: '2.2 checked here',
    says: 'What the service would refuse in a body is refused before it is sent, and nothing that the interface allows',
    proof: [
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
    ],
  },
  {
    id: '2.2 key',
    says: 'Every creation carries an Idempotence-Key',
    proof: [
      'test/sandbox/idempotence.spec.ts: is refused if it is %s',
      'libs/payments/src/api/transport.spec.ts: carries body, key and credentials exactly as given',
    ],
  },
];
