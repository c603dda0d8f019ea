import type { Row } from '../row.js';

/** Section 5: authentication. */
export const authentication: readonly Row[] = [
  {
    id: '5.1.1',
    says: 'Basic credentials: shop identifier and secret key',
    proof: [
      'libs/payments/src/api/credentials.spec.ts: of a shop are sent with HTTP Basic',
      'test/sandbox/create.spec.ts: answers 401 to %s',
    ],
  },
  {
    id: '5.1.2',
    says: 'A demo store has an identifier and key of its own',
    proof: ['test/sandbox/store.spec.ts: says that it is one, with bank card and wallet only'],
  },
  {
    id: '5.1.3',
    says: "Real payments need the real store's",
    proof: [
      'test/sandbox/create.spec.ts: does not mark the payments of a real shop as test',
      'test/sandbox/store.spec.ts: has every method, and its payments are no tests',
    ],
  },
  {
    id: '5.2 owner',
    says: 'Only a user with the Owner role can grant rights',
    proof: [
      'test/sandbox/oauth.spec.ts: by nobody but its owner',
      'test/sandbox/oauth-pages.spec.ts: has nothing to grant for a user who owns no store',
    ],
  },
  {
    id: '5.2 preparation',
    says: 'An app registers with its callback and permissions',
    proof: [
      'test/sandbox/oauth-control.spec.ts: registers an app, with an id and a secret of its own making',
      'test/sandbox/profile.spec.ts: follow the words of the profile %s, and no others',
    ],
  },
  {
    id: '5.2.1',
    says: 'The owner is sent to the authorization server with client_id, response_type and state',
    proof: [
      'test/partner/connect-safety.spec.ts: asks for a code with a state of at most 1024 characters that nobody can guess',
    ],
  },
  {
    id: '5.2.2',
    says: 'The owner grants and selects a store; code and state come back',
    proof: ['test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds'],
  },
  {
    id: '5.2.3',
    says: 'A refusal comes back as access_denied',
    proof: ['test/partner/connect.spec.ts: is not connected if its owner refuses'],
  },
  {
    id: '5.2.4',
    says: 'The code is exchanged within five minutes',
    proof: ['test/partner/connect-safety.spec.ts: a code that is too old leads to a fresh start, once'],
  },
  {
    id: '5.2.5',
    says: 'The token lives five years',
    proof: [
      'test/deep/keep-alive.spec.ts: is warned before its token ends, once, and again for the next token',
    ],
  },
  {
    id: '5.2.6',
    says: 'The token goes into the Authorization header instead of shop credentials',
    proof: [
      'libs/payments/src/api/credentials.spec.ts: of an app are sent as a Bearer token',
      'test/sandbox/bearer.spec.ts: opens every endpoint that shop credentials open, on the same store',
    ],
  },
  {
    id: '5.2 token kept',
    says: 'The token belongs to the app only',
    proof: [
      'test/partner/connect-safety.spec.ts: neither code nor token nor state appears in a row, a log, an error or an address',
    ],
  },
  {
    id: '5.2 permissions',
    says: 'Only what was asked at registration may be sent',
    proof: [
      'test/partner/rules.spec.ts: a call is refused if the app was not registered with its permission',
      'test/sandbox/profile.spec.ts: of the profile yookassa are named by the refusal, and reading needs its own',
    ],
  },
  {
    id: '5.2 store first',
    says: 'Store information is read before the first payment',
    proof: [
      'test/partner/connect-safety.spec.ts: the store is read before anything else is done with the token',
    ],
  },
  {
    id: '5.2 webhooks',
    says: 'Webhooks are made per token',
    proof: [
      'test/deep/keep-alive.spec.ts: are one for each payment and refund event, at an address that nobody can guess',
    ],
  },
];
