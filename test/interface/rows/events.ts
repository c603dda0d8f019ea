import type { Row } from '../row.js';

/** Section 6: events. */
export const events: readonly Row[] = [
  {
    id: '6 payment.waiting_for_capture',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
    ],
  },
  {
    id: '6 payment.succeeded',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
    ],
  },
  {
    id: '6 payment.canceled',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payment.waiting_for_capture, payment.succeeded and payment.canceled reach their handlers once',
      'test/sandbox/notifications.spec.ts: is sent for a cancel',
    ],
  },
  {
    id: '6 refund.succeeded',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: refund.succeeded of a refund made in the Merchant Profile reaches its handler once, with its payment',
      'test/payments/refund-outside.spec.ts: is found by its notification',
    ],
  },
  {
    id: '6 payout.succeeded',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payout.%s reaches its handler once, with the payout as the service returns it',
      'test/sandbox/objects.spec.ts: is read pending, and announced when it succeeds',
    ],
  },
  {
    id: '6 payout.canceled',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payout.%s reaches its handler once, with the payout as the service returns it',
      'test/sandbox/objects.spec.ts: is announced when it is canceled, with its reason',
    ],
  },
  {
    id: '6 deal.closed',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: deal.closed reaches its handler once, with the deal as the service returns it',
      'test/sandbox/objects.spec.ts: is read opened, and announced when it is closed',
    ],
  },
  {
    id: '6 payment_method.active',
    says: 'Notified, re-read, given to handlers',
    proof: [
      'test/payments/object-events.spec.ts: payment_method.active reaches its handler once, with the method as the service returns it',
      'test/sandbox/saved-methods.spec.ts: is bound without a payment, announced, and pays',
    ],
  },
  {
    id: '6 names',
    says: '<object>.<status>, of a payment, refund, payout, deal or payment_method',
    proof: [
      'libs/payments/src/notifications/notification-body.spec.ts: may be about %s',
      'libs/payments/src/notifications/notification-body.spec.ts: is read only for its event and its object’s id',
      'libs/payments/src/options/events-by-solution.spec.ts: are eight, for five solutions',
    ],
  },
  {
    id: '6 ties',
    says: 'A payment that becomes held, succeeded or canceled, and a refund that succeeds, emit the event of that name',
    proof: [
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
      'test/sandbox/notifications.spec.ts: is sent for a cancel',
      'test/sandbox/clock.spec.ts: is moved and read over HTTP, and the answer comes after the notifications of what happened',
      'test/sandbox/refunds.spec.ts: is announced as refund.succeeded with the refund as its object',
    ],
  },
  {
    id: '6 by solution',
    says: 'Which events each solution has; another one fails at start',
    proof: [
      'libs/payments/src/options/events-by-solution.spec.ts: $event with $solution: $cell',
      'test/hosts/start.spec.ts: for events that %s does not have gets an error that names each, and the solutions that have it',
    ],
  },
  {
    id: '6 binding',
    says: "A bound method's identifier is used for later payments",
    proof: ['test/sandbox/saved-methods.spec.ts: is bound without a payment, announced, and pays'],
  },
  {
    id: '6 subscription shop',
    says: "The shop's notification address and its events",
    proof: [
      'test/sandbox/notifications.spec.ts: is not made without a subscription',
      'test/sandbox/webhooks.spec.ts: report the ticked events only',
      'test/sandbox/webhooks.spec.ts: are ticked for each store separately',
    ],
  },
  {
    id: '6 subscription app',
    says: 'One webhook per event, payment and refund events only',
    proof: [
      'test/sandbox/webhooks.spec.ts: go to the webhook of their event, for objects the app made',
      'test/sandbox/webhooks.spec.ts: refuse the event %j',
    ],
  },
  {
    id: '6 own objects',
    says: 'An app is notified only of objects it made',
    proof: ['test/sandbox/webhooks.spec.ts: do not report what the shop made itself'],
  },
  {
    id: '6 unsubscribe',
    says: 'A deleted webhook and an unticked event receive nothing more; webhooks can be listed',
    proof: [
      'test/sandbox/webhooks.spec.ts: end for an event that is unticked, repeats included, and resume for one that is ticked',
      'test/sandbox/webhooks.spec.ts: are repeated like any other, until the webhook is deleted',
      'test/api/sandbox.spec.ts: creates, lists and deletes webhooks with a token',
    ],
  },
  {
    id: '6 url',
    says: 'HTTPS, port 443 or 8443',
    proof: [
      'test/sandbox/webhooks.spec.ts: accept the address %s',
      'test/sandbox/webhooks.spec.ts: refuse the address %j',
      'test/sandbox/notifications.spec.ts: may be %s if the sandbox was started for that, and not otherwise',
      'test/sandbox/notifications.spec.ts: is refused as %s',
      'libs/payments/src/api/limits.spec.ts: notificationPorts: 443 and 8443 are accepted, another is refused',
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
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
    ],
  },
  {
    id: '6.2',
    says: '200 acknowledges; body and headers of the answer are ignored',
    proof: [
      'test/sandbox/notifications.spec.ts: is repeated after %i, until 200',
      'test/hosts/adapters.spec.ts: has stored a notification from %s of the list by the time it answers 200',
      'test/hosts/settings.spec.ts: is answered 200 through a global interceptor that wraps every answer',
    ],
  },
  {
    id: '6.3',
    says: 'Any other status is notified again, for 24 hours',
    proof: [
      'test/sandbox/notifications.spec.ts: is repeated after %i, until 200',
      'test/sandbox/notifications.spec.ts: is repeated 10, 42, 84, 168, 672, 5376 and 86016 seconds after its event, and never later than 24 hours',
    ],
  },
  {
    id: '6.4',
    says: 'Senders outside the documented list are refused',
    proof: [
      'test/hosts/adapters.spec.ts: answers 403 to %s and stores nothing',
      'libs/payments/src/notifications/door/sender-address.spec.ts: %s is the service’s',
      'libs/payments/src/notifications/door/sender-address.spec.ts: %j is not',
    ],
  },
  {
    id: '6.5',
    says: 'A notification is verified by re-reading the object',
    proof: [
      'test/payments/notifications.spec.ts: that is forged by a listed sender is answered 200, re-read, and changes no status',
      'test/hosts/notifications.spec.ts: that falsely reports a payment is answered 200, causes one re-read and changes nothing; the true one then counts',
    ],
  },
  {
    id: '6 polling',
    says: 'A payment is found without any notification',
    proof: [
      'test/payments/notifications.spec.ts: that was lost is made up for by the sweep',
      'test/payments/refund-outside.spec.ts: is found by the watch even if every notification is lost and nobody asks',
    ],
  },
];
