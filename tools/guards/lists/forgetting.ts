import { guardsOf, type Guard } from '../guard.js';

const spec = 'test/payments/forgotten.spec.ts';

/** What holds when the database has forgotten what was committed. */
export const forgetting: readonly Guard[] = [
  ...guardsOf('payment/locks.ts', [
    {
      id: 'create-order-lock',
      guarantee: 'G13',
      keeps: 'what a create means is decided under the lock on its order',
      text: 'ON CONFLICT (store_id, reference) DO UPDATE SET version = locked.version + 1',
      broken: 'ON CONFLICT (store_id, reference) DO UPDATE SET version = locked.version',
      spec: 'test/payments/ledger.spec.ts',
      test: 'what was decided before another create of its order',
    },
  ]),
  ...guardsOf('payment/intent-key.ts', [
    {
      id: 'key-namespace',
      guarantee: 'G19',
      keeps: 'two databases never share a key',
      text: "return derivedKey(storeId, 'payment', reference, part, tryNumber);",
      broken: "return derivedKey('payment', reference, part, tryNumber);",
      spec,
      test: 'is not mixed with what another database knows of the same orders',
    },
    {
      id: 'key-try',
      guarantee: 'G2',
      keeps: 'each try has a key of its own',
      text: 'return 1 + Math.max(0, ...earlier);',
      broken: 'return 1 + Math.min(0, ...earlier);',
      spec,
      test: 'of a second try is the second one again',
    },
    {
      id: 'key-refund',
      guarantee: 'G19',
      keeps: 'a refund asked for again is the same refund',
      text: "return derivedId(intentKey, 'refund', refundKey);",
      broken: "return derivedId(intentKey, 'refund', refundKey, Math.random());",
      spec,
      test: 'is the same one when it is asked for again',
    },
  ]),
  ...guardsOf('payment/payment-mark.ts', [
    {
      id: 'mark-verified',
      guarantee: 'G19',
      keeps: 'a mark that somebody else made is not ours',
      text: 'return paymentMark(storeId, marked) === mark ? marked : null;',
      broken: 'return marked;',
      spec,
      test: 'with a mark that somebody else made is not ours',
    },
  ]),
  ...guardsOf('payment/mark-text.ts', [
    {
      id: 'mark-digits',
      guarantee: 'G19',
      keeps: 'a mark is kept whole whatever number the reference is',
      text: ".replace(LONG_RUN, '$&~')",
      broken: '',
      spec,
      test: 'is found too',
    },
  ]),
  ...guardsOf('apply/adoption.ts', [
    {
      id: 'adopt-once',
      guarantee: 'G19',
      keeps: 'a payment that two looks find is recorded once',
      text: 'if (!isForgotten({ object, rows })) return null;',
      broken: '',
      spec,
      test: 'is recorded once, by looks that find it at the same moment',
    },
    {
      id: 'adopt-beside-open',
      guarantee: 'G19',
      keeps: 'what is found beside an open payment is watched as a replaced one',
      text: 'supersededAt: isReplaced ? now : null,',
      broken: 'supersededAt: null,',
      spec,
      test: 'beside one that is open by now is watched as if it were replaced',
    },
  ]),
  ...guardsOf('calls/create-calls.ts', [
    {
      id: 'key-reused-search',
      guarantee: 'G19',
      keeps: 'what was made under a used key is found before another payment is opened',
      text: 'if (!isAboutKey(error)) throw error;',
      broken: 'throw error;',
      spec,
      test: 'may open another one',
    },
  ]),
  ...guardsOf('operations/create-recorder.ts', [
    {
      id: 'key-reused-decided',
      guarantee: 'G19',
      keeps: 'no other try is recorded before what was made under the key of the last is found',
      text: 'if (forgotten !== null) return forgotten;',
      broken: '',
      spec,
      test: 'may open another one',
    },
  ]),
  ...guardsOf('notifications/foreign-notifications.ts', [
    {
      id: 'notified-adopted',
      guarantee: 'G19',
      keeps: 'a notification of a forgotten payment has it recorded again',
      text: 'await this.adoption.adopt(claim.storeId, [found.object]);',
      broken: '',
      spec,
      test: 'is recorded again at the first notification',
    },
  ]),
  ...guardsOf('apply/refunds/judge-refunds.ts', [
    {
      id: 'refund-adopted',
      guarantee: 'G19',
      keeps: 'a forgotten refund is ours again, under the key of its caller',
      text: 'forgotten: isKnown ? null : marked',
      broken: 'forgotten: null',
      spec,
      test: 'is ours again when it is found, whether or not anybody asks for it',
    },
  ]),
  ...guardsOf('handlers/effect-key.ts', [
    {
      id: 'effect-again',
      guarantee: 'G19',
      keeps: 'an event that is found again has the same key of its effects',
      text: "isNamedByIntent ? '' : subjectId",
      broken: 'subjectId',
      spec,
      test: 'is recorded again at the first notification',
    },
    {
      id: 'effect-other',
      guarantee: 'G19',
      keeps: 'the key of an effect never means another event',
      text: 'await occurrenceOf(manager, event)',
      broken: "''",
      spec,
      test: 'never means another event',
    },
  ]),
];
