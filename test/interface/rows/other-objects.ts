import type { Row } from '../row.js';

/** Sections 2.11 to 2.15: store, webhook, notification, token and the gaps. */
export const otherObjects: readonly Row[] = [
  {
    id: '2.11 account_id',
    says: "The store's identifier",
    proof: [
      'test/api/sandbox.spec.ts: reads the store with a token alone',
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
    ],
  },
  {
    id: '2.11 test',
    says: 'True for a demo store',
    proof: [
      'test/sandbox/store.spec.ts: says that it is one, with bank card and wallet only',
      'test/sandbox/store.spec.ts: has every method, and its payments are no tests',
      'test/api/sandbox.spec.ts: reads the store with a token alone',
    ],
  },
  {
    id: '2.11 fiscalization_enabled',
    says: 'Whether the store registers receipts',
    proof: [
      'test/sandbox/store.spec.ts: says that it is one, with bank card and wallet only',
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
      'test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds',
      'libs/payments/src/stores/store-settings.spec.ts: whether it registers receipts is read from %s',
    ],
  },
  {
    id: '2.11 payment_methods',
    says: 'The methods the store can use',
    proof: [
      'test/sandbox/store.spec.ts: has every method, and its payments are no tests',
      'test/api/answers.spec.ts: of saved methods are read as the interface’s words',
    ],
  },
  {
    id: '2.11 status',
    says: 'enabled',
    proof: ['test/sandbox/store.spec.ts: says that it is one, with bank card and wallet only'],
  },
  {
    id: '2.12 id',
    says: 'Given by the service',
    proof: [
      'test/sandbox/webhooks.spec.ts: are created, listed and deleted',
      'test/api/sandbox.spec.ts: creates, lists and deletes webhooks with a token',
    ],
  },
  {
    id: '2.12 event',
    says: "The event's name",
    proof: [
      'test/sandbox/webhooks.spec.ts: are created, listed and deleted',
      'test/sandbox/webhooks.spec.ts: refuse the event %j',
      'libs/payments/src/api/requests/requests.spec.ts: that is a %s with %j is refused',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
    ],
  },
  {
    id: '2.12 url',
    says: 'The notification address',
    proof: [
      'test/sandbox/webhooks.spec.ts: are answered with the address as it was written',
      'test/sandbox/webhooks.spec.ts: accept the address %s',
      'test/sandbox/webhooks.spec.ts: refuse the address %j',
      'libs/payments/src/api/requests/requests.spec.ts: may have notifications sent to %s',
      'test/deep/refused-before-sent.spec.ts: that the service would refuse is refused before it is sent',
      'test/deep/refused-before-sent.spec.ts: that the service interface allows is not refused',
    ],
  },
  {
    id: '2.13 type',
    says: 'notification; required',
    proof: [
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
      'libs/payments/src/notifications/notification-body.spec.ts: is read only for its event and its object’s id',
      'libs/payments/src/notifications/notification-body.spec.ts: is not a body with %s',
    ],
  },
  {
    id: '2.13 event',
    says: "The event's name; required",
    proof: [
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
      'libs/payments/src/notifications/notification-body.spec.ts: may be about %s',
      'libs/payments/src/notifications/notification-body.spec.ts: is not a body with %s',
    ],
  },
  {
    id: '2.13 object',
    says: 'The object as it was at the moment of the change; required',
    proof: [
      'test/sandbox/notifications.spec.ts: carries the object as it was at the change, from a documented sender',
      'libs/payments/src/notifications/notification-body.spec.ts: may name the object %s',
      'libs/payments/src/notifications/notification-body.spec.ts: is not a body with %s',
    ],
  },
  {
    id: '2.14 access_token',
    says: 'The token',
    proof: ['test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds'],
  },
  {
    id: '2.14 expires_in',
    says: 'Its lifetime',
    proof: [
      'test/deep/keep-alive.spec.ts: is warned before its token ends, once, and again for the next token',
    ],
  },
  {
    id: '2.15 refunds',
    says: "The refund's fields are filled as the public service has them",
    proof: [
      'libs/payments/src/api/service-refund.spec.ts: is read in full',
      'test/sandbox/refunds.spec.ts: succeeds at once and is answered as it can be read afterwards',
    ],
  },
  {
    id: '2.15 payouts and deals',
    says: 'Their fields are filled as the public service has them',
    proof: [
      'test/sandbox/objects.spec.ts: is read pending, and announced when it succeeds',
      'test/sandbox/objects.spec.ts: is read opened, and announced when it is closed',
    ],
  },
  {
    id: '2.15 method and card types',
    says: 'A method type or card type we do not know breaks nothing',
    proof: [
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
      'test/api/answers.spec.ts: are read as the interface’s words: %s',
      'libs/payments/src/views/paid-with.spec.ts: is shown as far as it is known: %s',
    ],
  },
  {
    id: '2.15 capture',
    says: 'What an omitted capture means is never relied on: it is always sent',
    proof: [
      'libs/payments/src/operations/request-body.spec.ts: contains the fields of the interface, and nothing of ours but the payment id',
      'test/sandbox/create.spec.ts: holds the money if capture is omitted',
    ],
  },
];
