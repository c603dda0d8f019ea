import type { Row } from '../row.js';

/** Section 4: endpoints. */
export const endpoints: readonly Row[] = [
  {
    id: '4 GET me',
    says: 'Store information, by Bearer token',
    proof: [
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
      'test/api/sandbox.spec.ts: reads the store with a token alone',
    ],
  },
  {
    id: '4 POST payments',
    says: 'Creates a payment',
    proof: [
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
      'test/api/sandbox.spec.ts: creates a payment and reads it',
    ],
  },
  {
    id: '4 POST capture',
    says: 'Captures under the path the interface shows',
    proof: [
      'test/sandbox/capture-cancel.spec.ts: takes all of it by %s',
      'test/api/answers.spec.ts: include its capture path',
    ],
  },
  {
    id: '4 POST webhooks',
    says: 'Subscribes, by Bearer token',
    proof: [
      'test/api/endpoints.spec.ts: %s is refused before sending with shop credentials, because it needs a token',
      'test/api/sandbox.spec.ts: creates, lists and deletes webhooks with a token',
    ],
  },
  {
    id: '4 authorize',
    says: "The owner's consent",
    proof: [
      'test/partner/connect-safety.spec.ts: asks for a code with a state of at most 1024 characters that nobody can guess',
      'test/partner/connect.spec.ts: is not connected if its owner refuses',
    ],
  },
  {
    id: '4 token',
    says: 'Exchanges a code for a token',
    proof: [
      'test/partner/connect.spec.ts: is paid, notified at its own address, and its payment succeeds',
      'test/partner/connect-safety.spec.ts: an authorization server that %s leads the owner back with the reason, its code sent once',
    ],
  },
  {
    id: '4 json',
    says: 'Bodies are JSON with its content type',
    proof: [
      'libs/payments/src/api/transport.spec.ts: carries body, key and credentials exactly as given',
      'test/sandbox/create.spec.ts: answers 405 and 415 without a body',
      'test/sandbox/create.spec.ts: answers 400 to a body that is not JSON',
    ],
  },
  {
    id: '4 key',
    says: 'Every POST carries an Idempotence-Key',
    proof: [
      'test/sandbox/idempotence.spec.ts: is refused if it is %s',
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
    ],
  },
  {
    id: '4 base',
    says: 'Every path is under the base address',
    proof: [
      'test/api/endpoints.spec.ts: %s sends the request of section 4 and returns the answer',
      'test/api/sandbox.spec.ts: creates a payment and reads it',
    ],
  },
  {
    id: '4 gap read',
    says: 'Reading and listing payments',
    proof: [
      'test/api/sandbox.spec.ts: creates a payment and reads it',
      'test/api/sandbox.spec.ts: lists payments over all pages, and continues from a cursor',
      'test/sandbox/list.spec.ts: shows ten, newest first, and the rest by the cursor',
    ],
  },
  {
    id: '4 gap webhooks',
    says: 'Listing and deleting webhooks',
    proof: [
      'test/api/sandbox.spec.ts: creates, lists and deletes webhooks with a token',
      'test/sandbox/webhooks.spec.ts: are created, listed and deleted',
    ],
  },
  {
    id: '4 gap cancel',
    says: 'Canceling a payment',
    proof: [
      'test/api/sandbox.spec.ts: cancels a hold',
      'test/sandbox/capture-cancel.spec.ts: releases it by %s',
    ],
  },
  {
    id: '4 gap refunds',
    says: 'Creating, reading and listing refunds',
    proof: [
      'test/api/sandbox.spec.ts: refunds in parts, reads a refund and lists a payment’s refunds',
      'test/sandbox/refund-list.spec.ts: is read page by page',
    ],
  },
  {
    id: '4 gap capture answer',
    says: 'A capture answers with the payment',
    proof: [
      'test/sandbox/capture-cancel.spec.ts: takes all of it by %s',
      'test/api/sandbox.spec.ts: captures the whole hold, or a part of it',
    ],
  },
  {
    id: '4 gap commissions',
    says: 'Commissions are named as a permission; there is no endpoint to ask for them',
    proof: 'no way in',
  },
];
