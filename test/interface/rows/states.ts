import type { Row } from '../row.js';

/** Section 3: states and transitions. */
export const states: readonly Row[] = [
  {
    id: '3 redirect',
    says: 'A redirect payment starts pending, unpaid, with an address and not refundable',
    proof: [
      'test/sandbox/create.spec.ts: answers a pending payment as the interface shows it',
      'test/api/sandbox.spec.ts: creates a payment and reads it',
      'test/payments/create.spec.ts: returns a pending payment with the address to send the buyer to',
    ],
  },
  {
    id: '3 cryptogram',
    says: 'A cryptogram payment starts held: paid, with expires_at and authorization',
    proof: [
      'test/sandbox/cryptogram.spec.ts: holds the money at once for six hours, without a confirmation',
      'test/payments/card-data.spec.ts: as a cryptogram holds or takes the money at once, or is declined',
    ],
  },
  {
    id: '3 confirmed',
    says: 'Confirmed with capture = true it succeeds, with captured_at, income and refunded amount',
    proof: [
      'test/sandbox/control.spec.ts: succeed pays by card, at once if the merchant asked for that',
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      'test/payments/notifications.spec.ts: that was lost is made up for by the sweep',
    ],
  },
  {
    id: '3 failed',
    says: 'Declined, abandoned or failed it is canceled, and the buyer returns to return_url',
    proof: [
      'test/sandbox/checkout.spec.ts: cancels with the reason of the last attempt when the buyer gives up',
      'test/sandbox/checkout.spec.ts: cancels as declined when the buyer gives up without an attempt: no time has run out',
      'test/shop/orders.spec.ts: that its buyer refused to pay %s says what is true',
      'test/sandbox/clock.spec.ts: is moved and read over HTTP, and the answer comes after the notifications of what happened',
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      'test/deep/browser/purchase.spec.ts: whose card is declined and who gives up sees the order not paid',
    ],
  },
  {
    id: '3 capture',
    says: 'A capture takes the held payment on, with an amount and airline data',
    proof: [
      'test/payments/finish.spec.ts: takes the whole hold',
      'test/payments/automatic.spec.ts: sends the tickets at its creation, and the ticket numbers at its capture',
    ],
  },
  {
    id: '3.1',
    says: 'A payment is complete when it succeeded',
    proof: [
      'test/payments/notifications.spec.ts: delivered five times at once has one effect',
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
    ],
  },
  {
    id: '3.2',
    says: 'Only a held payment can be captured; becoming held sends payment.waiting_for_capture',
    proof: [
      'test/sandbox/capture-cancel.spec.ts: is refused while pending, and a second time',
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
    ],
  },
  {
    id: '3.3',
    says: 'The hold ends after seven days, the payment term after an hour',
    proof: [
      'test/sandbox/clock.spec.ts: releases a hold at its expires_at',
      'test/sandbox/clock.spec.ts: cancels a payment nobody confirmed when its hour is over',
      'test/sandbox/store.spec.ts: holds the money of a %s for %i hours',
    ],
  },
  {
    id: '3.4',
    says: 'A failed try shows an error on the page and offers another',
    proof: ['test/sandbox/checkout.spec.ts: shows why an attempt failed, offers another, and accepts it'],
  },
  {
    id: '3 states',
    says: 'Refund succeeded, payout succeeded and canceled, deal closed, payment method active',
    proof: [
      'libs/payments/src/common/refund-status.spec.ts: moves these ways and no other',
      'test/sandbox/objects.spec.ts: is announced when it is canceled, with its reason',
      'test/sandbox/objects.spec.ts: is read opened, and announced when it is closed',
    ],
  },
  {
    id: '3 out of hold',
    says: 'The ways out of a hold are filled: captured or canceled, for good',
    proof: [
      'libs/payments/src/common/payment-status.spec.ts: allows exactly the documented moves',
      'test/payments/finish.spec.ts: releases the whole hold',
    ],
  },
];
