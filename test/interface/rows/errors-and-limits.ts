import type { Row } from '../row.js';

/** Sections 7 to 9: errors, limits and versioning. */
export const errorsAndLimits: readonly Row[] = [
  {
    id: '7.1',
    says: 'A refused authorization',
    proof: ['test/partner/connect.spec.ts: is not connected if its owner refuses'],
  },
  {
    id: '7.2',
    says: 'An expired token is answered with an error',
    proof: [
      'test/sandbox/bearer.spec.ts: is not %s',
      'libs/payments/src/api/transport.spec.ts: %s fails with a ServiceError that says so, and shows no secret',
    ],
  },
  {
    id: '7.3',
    says: 'A refused code is answered with an error',
    proof: [
      'test/partner/connect-safety.spec.ts: a code that is too old leads to a fresh start, once',
      'test/partner/connect-safety.spec.ts: an authorization server that %s leads the owner back with the reason, its code sent once',
    ],
  },
  {
    id: '7.4',
    says: 'A notification not answered 200 is repeated',
    proof: ['test/sandbox/notifications.spec.ts: is repeated after %i, until 200'],
  },
  {
    id: '7.5',
    says: 'A failed or abandoned payment ends canceled',
    proof: [
      'test/sandbox/checkout.spec.ts: cancels with the reason of the last attempt when the buyer gives up',
      'test/sandbox/checkout.spec.ts: cancels as declined when the buyer gives up without an attempt: no time has run out',
    ],
  },
  {
    id: '7 gap body',
    says: 'Error bodies carry type, id, code, description and parameter',
    proof: [
      'libs/payments/src/api/refusal.spec.ts: reports what the service said, and under which key',
      'test/sandbox/create.spec.ts: refuses %s',
    ],
  },
  {
    id: '7 gap statuses',
    says: '400, 401, 403, 404, 405, 415, 429, 500 and 202 each have an error of their own',
    proof: ['libs/payments/src/api/refusal.spec.ts: of %i is %s: %s, may help when sent again: %s'],
  },
  {
    id: '7 gap token body',
    says: "The token endpoint's error body",
    proof: [
      'test/partner/connect-safety.spec.ts: an authorization server that %s leads the owner back with the reason, its code sent once',
    ],
  },
  {
    id: '8 card minimum',
    says: '1 rouble by bank card',
    proof: [
      'libs/payments/src/api/limits.spec.ts: $name: $limit is accepted, and what is beyond is refused',
      'test/sandbox/create.spec.ts: limits a bank card to 1.00 up to 350000.00, and a wallet to neither',
    ],
  },
  {
    id: '8 card maximum',
    says: '350000 roubles by bank card',
    proof: [
      'libs/payments/src/api/limits.spec.ts: $name: $limit is accepted, and what is beyond is refused',
      'test/sandbox/checkout.spec.ts: accepts no card beyond its limit, whatever the card',
    ],
  },
  {
    id: '8 description',
    says: '128 characters',
    proof: [
      'libs/payments/src/api/limits.spec.ts: $name: $limit is accepted, and what is beyond is refused',
      'test/sandbox/create.spec.ts: accepts the longest description, metadata and return_url',
    ],
  },
  {
    id: '8 state',
    says: '1024 characters',
    proof: [
      'test/partner/connect-safety.spec.ts: asks for a code with a state of at most 1024 characters that nobody can guess',
    ],
  },
  {
    id: '8 code',
    says: '5 minutes',
    proof: ['test/partner/connect-safety.spec.ts: a code that is too old leads to a fresh start, once'],
  },
  {
    id: '8 token',
    says: '5 years',
    proof: [
      'test/deep/keep-alive.spec.ts: is warned before its token ends, once, and again for the next token',
    ],
  },
  {
    id: '8 payment term',
    says: '1 hour',
    proof: ['test/sandbox/clock.spec.ts: cancels a payment nobody confirmed when its hour is over'],
  },
  {
    id: '8 hold',
    says: '7 days',
    proof: ['test/sandbox/store.spec.ts: holds the money of a %s for %i hours'],
  },
  {
    id: '8 refund term',
    says: '0 to 3 days: a refund may stay pending and is polled',
    proof: [
      'test/payments/refunds.spec.ts: that the service processes slowly is polled until it is final, without a notification',
    ],
  },
  {
    id: '8 redelivery',
    says: '24 hours',
    proof: [
      'test/sandbox/notifications.spec.ts: is repeated 10, 42, 84, 168, 672, 5376 and 86016 seconds after its event, and never later than 24 hours',
    ],
  },
  {
    id: '8 url',
    says: 'HTTPS, 443 or 8443',
    proof: [
      'libs/payments/src/api/limits.spec.ts: notificationPorts: 443 and 8443 are accepted, another is refused',
      'test/sandbox/webhooks.spec.ts: refuse the address %j',
    ],
  },
  {
    id: '8 gap rates',
    says: 'Rate limits are answered 429 and waited for',
    proof: [
      'test/sandbox/faults.spec.ts: too_many_requests answers 429 as often as ordered and commits nothing',
      'test/api/retries.spec.ts: that is asked to wait longer than it may take fails at once',
    ],
  },
  {
    id: '8 gap other methods',
    says: 'Other methods have no limits of amount here',
    proof: [
      'test/sandbox/create.spec.ts: limits a bank card to 1.00 up to 350000.00, and a wallet to neither',
    ],
  },
  {
    id: '9 v3',
    says: 'Every path carries /v3',
    proof: ['test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer'],
  },
  {
    id: '9 oauth',
    says: "The authorization server's paths carry /oauth/v2",
    proof: [
      'test/partner/connect-safety.spec.ts: asks for a code with a state of at most 1024 characters that nobody can guess',
      'test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds',
    ],
  },
  {
    id: '9 changes',
    says: 'Unknown fields and values break nothing',
    proof: [
      'test/api/answers.spec.ts: is the service’s own object, with every field and value that the interface does not name',
      'libs/payments/src/api/service-payment.spec.ts: may have unknown fields and values: the values are kept',
    ],
  },
];
