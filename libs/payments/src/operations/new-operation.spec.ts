import {
  draftWith,
  earlier,
  later,
  NOW,
  operationRow,
  paidRow,
  PAYMENT_ID,
  stateOf,
} from '../../../../test/support/state.js';
import { derivedKey } from '../common/derived.js';
import {
  endOperation,
  foundOperation,
  newOperation,
  recordOperation,
  releaseOperation,
} from './new-operation.js';
import { fingerprint } from './request-body.js';

const caller = { leaseMs: 30_000, callDeadlineMs: 10_000 };
const request = { body: '{"a":1}', personal: null };
const refund = { kind: 'refund', refundId: 'refund-1', request } as const;
const keyOf = (kind: string, refundId: string | null, receiptId: string | null) =>
  derivedKey('intent', kind, refundId, receiptId);

describe('an operation that is recorded', () => {
  it('is leased to its caller, who sends it first, by the clock of the database', () => {
    const state = stateOf(paidRow(), { databaseNow: later(3_000) });
    expect(newOperation(state, refund, caller)).toEqual({
      id: expect.any(String),
      storeId: state.payment.storeId,
      paymentId: PAYMENT_ID,
      refundId: 'refund-1',
      receiptId: null,
      kind: 'refund',
      idempotenceKey: `${keyOf('refund', 'refund-1', null)}.0`,
      body: '{"a":1}',
      personal: null,
      hasPersonal: false,
      fingerprint: fingerprint('refund', request),
      resendable: true,
      outcome: 'unknown',
      attempts: 1,
      leaseUntil: later(33_000),
      recordedAt: NOW,
      firstSentAt: NOW,
      lastSentAt: NOW,
      settledAt: null,
      lastError: null,
    });
  });

  it('was never sent where the sweep sends it', () => {
    expect(newOperation(stateOf(paidRow()), refund, null)).toMatchObject({
      outcome: null,
      attempts: 0,
      leaseUntil: null,
      recordedAt: NOW,
      firstSentAt: null,
      lastSentAt: null,
    });
  });

  it('says whether its request is about a person', () => {
    const personal = { body: '{}', personal: '{"customer":{}}' };
    expect(newOperation(stateOf(paidRow()), { ...refund, request: personal }, null)).toMatchObject({
      personal: '{"customer":{}}',
      hasPersonal: true,
    });
  });

  it('has another key than each before it of the same kind and row, and counts no other', () => {
    const before = [
      operationRow({ kind: 'refund', refundId: 'refund-1' }),
      operationRow({ kind: 'refund', refundId: 'refund-1' }),
      operationRow({ kind: 'refund', refundId: 'refund-2' }),
      operationRow({ kind: 'receipt', refundId: 'refund-1' }),
      operationRow({ kind: 'refund', refundId: 'refund-1', receiptId: 'receipt-1' }),
    ];
    const { idempotenceKey } = newOperation(stateOf(paidRow(), { operations: before }), refund, null);
    expect(idempotenceKey).toBe(`${keyOf('refund', 'refund-1', null)}.2`);
    const receipt = { kind: 'receipt', receiptId: 'receipt-1', request } as const;
    expect(newOperation(stateOf(paidRow(), { operations: before }), receipt, null)).toMatchObject({
      refundId: null,
      receiptId: 'receipt-1',
      idempotenceKey: `${keyOf('receipt', null, 'receipt-1')}.0`,
    });
  });
});

it('an operation whose object was found is over, is never sent, and has a key that no other one has', () => {
  expect(foundOperation(paidRow(), refund, NOW)).toMatchObject({
    refundId: 'refund-1',
    receiptId: null,
    idempotenceKey: `${keyOf('refund', 'refund-1', null)}.found`,
    resendable: false,
    outcome: 'confirmed',
    attempts: 1,
    leaseUntil: null,
    recordedAt: NOW,
    firstSentAt: null,
    lastSentAt: null,
    settledAt: NOW,
    lastError: null,
  });
});

describe('a payment with an operation to send', () => {
  const known = operationRow({ id: 'known' });
  const draft = draftWith(paidRow(), { operations: [known] });
  const operation = operationRow({ id: 'new', outcome: null });

  it('is looked at once the time of its caller is up', () => {
    expect(recordOperation(draft, operation, caller)).toEqual({
      ...draft,
      operations: [known, operation],
      wanted: { at: later(10_000), isUrgent: false, isAfresh: true },
    });
  });

  it('is looked at first of all where the sweep sends it, and what else was wanted stays wanted', () => {
    const wanted = { at: earlier(5), isUrgent: false, withRefunds: true };
    expect(recordOperation({ ...draft, wanted }, operation, null).wanted).toEqual({
      at: NOW,
      isUrgent: true,
      isAfresh: true,
      withRefunds: true,
    });
  });
});

describe('an operation', () => {
  const operation = operationRow({ lastError: { httpStatus: 500 } });
  const draft = draftWith(paidRow(), { operations: [operation] });

  it('that is over says since when, and keeps what was said last unless more is said', () => {
    const ended = { ...operation, outcome: 'refused', leaseUntil: null, settledAt: NOW };
    expect(endOperation(draft, operation, 'refused').operations).toEqual([ended]);
    const lastError = { httpStatus: 400 };
    expect(endOperation(draft, operation, 'refused', { lastError }).operations).toEqual([
      { ...ended, lastError },
    ]);
  });

  it.each([null, 'unknown'] as const)('that goes on as %s is free to be sent again', (outcome) => {
    expect(releaseOperation(draft, operation, outcome, { httpStatus: 429 }).operations).toEqual([
      { ...operation, outcome, leaseUntil: null, lastError: { httpStatus: 429 } },
    ]);
  });
});
