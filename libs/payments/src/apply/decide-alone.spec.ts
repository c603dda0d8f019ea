import {
  ACCOUNT_ID,
  heldRow,
  later,
  NOW,
  objectOf,
  paidRow,
  paymentRow,
  stateOf,
  TERMS,
  told,
} from '../../../../test/support/state.js';
import type { PaymentRow } from '../schema/rows.js';
import { decideAlone } from './decide-alone.js';
import type { ReadingFacts } from './decide-reading.js';

type AloneFacts = Pick<ReadingFacts, 'accountId' | 'isTest'>;

const decide = (
  payment: PaymentRow,
  object: Parameters<typeof objectOf>[0] = {},
  known: Partial<AloneFacts> = {},
  cause: 'sweep' | 'refresh' = 'sweep',
) => {
  const { order, queued } = stateOf(payment);
  const facts = { accountId: ACCOUNT_ID, isTest: false, ...known };
  return decideAlone(
    { now: NOW, payment, order, queued },
    objectOf(object),
    { cause, evidence: {} },
    facts,
    TERMS,
  );
};

describe('what an object means for a payment by its row alone', () => {
  it('is its change, and when it is looked at next', () => {
    const decision = decide(paymentRow(), { status: 'succeeded' });
    expect(decision).toMatchObject({
      movedTo: 'succeeded',
      draft: { payment: { status: 'succeeded', capturedMinor: 10_000, updatedAt: NOW } },
      plan: { at: null, checks: 0 },
    });
    expect(decision && told(decision.draft)).toEqual(['payment.succeeded']);
  });

  it('is a later look where nothing is new', () => {
    const object = objectOf().kept;
    const decision = decide(paymentRow({ object }));
    expect(decision).toMatchObject({ movedTo: null, plan: { checks: 4 } });
    expect(decision && told(decision.draft)).toEqual([]);
    expect(decide(paymentRow({ object }), {}, {}, 'refresh')).toMatchObject({ plan: { checks: 3 } });
  });

  it.each<[string, PaymentRow, Parameters<typeof objectOf>[0], Partial<AloneFacts>]>([
    ['the first answer of its store', paymentRow({ test: null }), {}, { isTest: null }],
    ['a hold that is due', heldRow({ holdDueAt: NOW }), { status: 'waiting_for_capture' }, {}],
    ['a refund made elsewhere', paidRow(), { status: 'succeeded', refundedMinor: 1 }, {}],
    [
      'a receipt that is registered',
      paidRow({ receiptStatus: 'pending' }),
      { status: 'succeeded', receiptStatus: 'succeeded' },
      {},
    ],
    ['a receipt that takes too long', paidRow({ receiptStatus: 'pending' }), { status: 'succeeded' }, {}],
    [
      'a receipt that failed before the money moved',
      paymentRow({ receiptStatus: 'canceled' }),
      { status: 'succeeded' },
      {},
    ],
    ['a receipt that follows the money', paymentRow({ receiptsAfter: true }), { status: 'succeeded' }, {}],
    [
      'a part of what has a receipt',
      heldRow({ receiptDigest: 'digest' }),
      { status: 'succeeded', amountMinor: 6_000 },
      {},
    ],
    ['an object of another payment', paymentRow(), { currency: 'USD' }, {}],
    ['a status that goes back', heldRow(), {}, {}],
  ])('takes more than that for %s', (_what, payment, object, known) => {
    expect(decide(payment, object, known)).toBeNull();
  });

  it.each<[string, PaymentRow, Parameters<typeof objectOf>[0], Partial<AloneFacts>]>([
    ['a store whose kind of money is known', paymentRow({ test: null }), {}, { isTest: false }],
    [
      'an answer that does not say which money it is',
      paymentRow({ test: null }),
      { test: null },
      { isTest: null },
    ],
    ['a hold that is not due yet', heldRow({ holdDueAt: later(1) }), { status: 'waiting_for_capture' }, {}],
    ['a refund that is known', paidRow({ refundedMinor: 1 }), { status: 'succeeded', refundedMinor: 1 }, {}],
    [
      'a receipt that is being registered',
      paidRow({ receiptStatus: 'pending', updatedAt: NOW }),
      { status: 'succeeded' },
      {},
    ],
    [
      'a receipt that failed, of money that stays',
      paidRow({ receiptStatus: 'canceled' }),
      { status: 'succeeded' },
      {},
    ],
    [
      'a payment that is not paid yet, whose receipt follows the money',
      paymentRow({ status: 'submitting', serviceId: null, receiptsAfter: true }),
      {},
      {},
    ],
    ['a part of what has no receipt', heldRow(), { status: 'succeeded', amountMinor: 6_000 }, {}],
    ['all of what has a receipt', heldRow({ receiptDigest: 'digest' }), { status: 'succeeded' }, {}],
  ])('takes no more for %s', (_what, payment, object, known) => {
    expect(decide(payment, object, known)).not.toBeNull();
  });
});

it('a payment given up stays so, whatever is known of it alone', () => {
  const decision = decide(paymentRow({ supersededAt: NOW }), { cardLast4: '4242' });
  expect(decision?.draft.payment).toMatchObject({ supersededAt: NOW, cardLast4: '4242' });
});

it('a credit is held for less than its receipt says, by its discount, and its goods are asked for once it is paid', () => {
  const lowered = { amountMinor: 9_700, discountMinor: 300, method: 'sber_loan' };
  const credit = paymentRow({ capture: false, receiptDigest: 'digest' });
  expect(decide(credit, { status: 'waiting_for_capture', ...lowered })).toMatchObject({
    movedTo: 'waiting_for_capture',
  });
  expect(decide(credit, { status: 'succeeded', ...lowered })).toBeNull();
});
