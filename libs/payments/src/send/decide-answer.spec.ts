import {
  draftWith,
  facts,
  heldRow,
  NOW,
  objectOf,
  operationRow,
  paidRow,
  paymentRow,
  queuedRow,
  receiptObject,
  receiptRow,
  refundObject,
  refundRow,
  TERMS,
  told,
} from '../../../../test/support/state.js';
import {
  ServiceCredentialsError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceKeyReusedError,
  ServiceRequestInvalidError,
  ServiceTooManyRequestsError,
} from '../api/service-errors.js';
import { PaymentClosedError, StoreNotConnectedError } from '../common/payments.errors.js';
import { CANCEL_BODY, captureBody } from '../operations/request-body.js';
import type { Draft } from '../payment/draft.js';
import type { AttemptResult } from './attempt.js';
import {
  decideAnswer,
  leaveUnsent,
  receiptOf,
  refundOf,
  type AnswerTerms,
  type OperationAnswer,
} from './decide-answer.js';

type Result = AttemptResult<OperationAnswer>;

const details = { request: 'create', idempotenceKey: 'key' } as const;
const failure = new ServiceFailureError('it failed', details);
const invalid = new ServiceRequestInvalidError('its amount is wrong', details);
const reused = new ServiceKeyReusedError('it has another request', details);
const asPayment = (fields: Parameters<typeof objectOf>[0]): Result => ({
  kind: 'answered',
  answer: { of: 'payment', object: objectOf(fields) },
});
const asRefund = (fields: Parameters<typeof refundObject>[0] = {}): Result => ({
  kind: 'answered',
  answer: { of: 'refund', object: refundObject(fields) },
});
const asReceipt = (fields: Parameters<typeof receiptObject>[0] = {}): Result => ({
  kind: 'answered',
  answer: { of: 'receipt', object: receiptObject(fields) },
});

const terms = (fields: Partial<AnswerTerms> = {}): AnswerTerms => ({
  ...TERMS,
  sentBy: 'caller',
  facts: facts(),
  ...fields,
});
const decide = (before: Draft, result: Result, fields: Partial<AnswerTerms> = {}) =>
  decideAnswer(before, { id: before.operations[0]?.id ?? '', attempts: 1 }, result, terms(fields));

const created = draftWith(paymentRow({ status: 'submitting', serviceId: null }), {
  operations: [operationRow()],
});
const captured = draftWith(heldRow(), {
  operations: [operationRow({ kind: 'capture', ...captureBody(10_000, 'RUB') })],
});
const canceled = draftWith(heldRow(), { operations: [operationRow({ kind: 'cancel', ...CANCEL_BODY })] });
const refund = refundRow();
const refunded = draftWith(paidRow({ refundReservedMinor: 3_000 }), {
  refunds: [refund],
  operations: [operationRow({ kind: 'refund', refundId: refund.id })],
});
const receipt = receiptRow();
const receipted = draftWith(paidRow(), {
  receipts: [receipt],
  operations: [operationRow({ kind: 'receipt', receiptId: receipt.id })],
});

const CONFIRMED = { kind: 'settled', outcome: 'confirmed', error: null };

describe('an answer that fits', () => {
  it.each<[string, Draft, Result, string[], object]>([
    ['a create', created, asPayment({}), ['payment.pending'], { payment: { status: 'pending' } }],
    [
      'a capture',
      captured,
      asPayment({ status: 'succeeded' }),
      ['payment.succeeded'],
      { payment: { status: 'succeeded', capturedMinor: 10_000 } },
    ],
    [
      'a cancel',
      canceled,
      asPayment({ status: 'canceled' }),
      ['payment.canceled'],
      { payment: { status: 'canceled' } },
    ],
    [
      'a refund',
      refunded,
      asRefund(),
      ['refund.succeeded'],
      {
        payment: { refundedMinor: 3_000, refundReservedMinor: 0 },
        refunds: [{ status: 'succeeded', serviceId: 'rf-1' }],
      },
    ],
    ['a receipt', receipted, asReceipt(), [], { receipts: [{ status: 'pending', serviceId: 'rt-1' }] }],
    [
      'a receipt at once',
      receipted,
      asReceipt({ status: 'succeeded' }),
      ['receipt.succeeded'],
      { receipts: [{ status: 'succeeded' }] },
    ],
  ])('confirms %s', (_what, before, result, names, after) => {
    const { draft, end } = decide(before, result);
    expect(end).toEqual(CONFIRMED);
    expect(told(draft)).toEqual(names);
    expect(draft).toMatchObject(after);
    expect(draft.operations).toMatchObject([
      { outcome: 'confirmed', leaseUntil: null, lastError: null, settledAt: NOW },
    ]);
  });

  it('plans when its payment is looked at, unless whoever re-reads it now does', () => {
    const hold = asPayment({ status: 'waiting_for_capture', expiresAt: heldRow().holdExpiresAt });
    expect(decide(created, hold).draft.place).toMatchObject({ checks: 0, before: { checks: 3 } });
    const taken = { ...created, queued: queuedRow({ isTaken: true }) };
    expect(decide(taken, hold).draft.place).toBeNull();
  });

  it('has the hold canceled of a payment that was given up meanwhile', () => {
    const givenUp = { ...created, payment: { ...created.payment, supersededAt: NOW } };
    const { draft } = decide(givenUp, asPayment({ status: 'waiting_for_capture' }));
    expect(draft.operations.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['create', 'confirmed'],
      ['cancel', null],
    ]);
  });
});

describe('an answer that leaves its operation open', () => {
  it.each<[string, Draft, Result]>([
    ['a capture that still shows the hold', captured, asPayment({ status: 'waiting_for_capture' })],
    ['a cancel that still shows the hold', canceled, asPayment({ status: 'waiting_for_capture' })],
  ])('is %s', (_what, before, result) => {
    const { draft, end } = decide(before, result);
    expect(end).toMatchObject({ kind: 'unknown' });
    expect(draft.operations).toMatchObject([{ outcome: 'unknown', leaseUntil: null, lastError: null }]);
    expect(told(draft)).toEqual([]);
  });

  it('is one of another payment: a person is told', () => {
    const { draft, end } = decide(captured, asPayment({ status: 'succeeded', currency: 'USD' }));
    expect(end).toMatchObject({ kind: 'unknown', error: { message: expect.stringMatching(/does not fit/) } });
    expect(draft.operations).toMatchObject([{ outcome: 'unknown', leaseUntil: null }]);
    expect(draft.events).toMatchObject([{ name: 'payment.anomaly', cause: 'capture' }]);
  });

  it('is one of another sum than was captured: a re-read says what counts', () => {
    const part = draftWith(heldRow(), {
      operations: [operationRow({ kind: 'capture', ...captureBody(6_000, 'RUB') })],
    });
    const { draft, end } = decide(part, asPayment({ status: 'succeeded' }));
    expect(end).toMatchObject({ kind: 'unclear' });
    expect(draft.payment.status).toBe('waiting_for_capture');
    expect(told(draft)).toEqual([]);
  });

  it('is a refund of another payment: a person is told', () => {
    const { draft, end } = decide(refunded, asRefund({ currency: 'USD' }));
    expect(end).toMatchObject({ kind: 'unknown' });
    expect(draft.refunds).toEqual([refund]);
    expect(draft.operations).toMatchObject([{ outcome: 'unknown', leaseUntil: null }]);
    expect(draft.events).toMatchObject([{ name: 'payment.anomaly', cause: 'refund' }]);
  });
});

describe('a refusal', () => {
  const REFUSED = { kind: 'settled', outcome: 'refused', error: invalid };
  it.each<[string, Draft, string[], object]>([
    [
      'a create',
      created,
      ['payment.rejected'],
      { payment: { status: 'rejected', updatedAt: NOW }, place: { at: null, checks: 0 } },
    ],
    ['a capture', captured, [], { payment: { status: 'waiting_for_capture' }, place: null }],
    ['a cancel', canceled, [], { payment: { status: 'waiting_for_capture' }, place: null }],
    [
      'a refund',
      refunded,
      ['refund.rejected'],
      { payment: { refundReservedMinor: 0 }, refunds: [{ status: 'rejected' }], place: null },
    ],
    [
      'a receipt',
      receipted,
      ['receipt.failed'],
      { receipts: [{ status: 'rejected' }], problems: [{ status: 'canceled', isOpen: true }], place: null },
    ],
  ])('ends %s, which its caller is told', (_what, before, names, after) => {
    const { draft, end } = decide(before, { kind: 'refused', error: invalid });
    expect(end).toEqual(REFUSED);
    expect(told(draft)).toEqual(names);
    expect(draft).toMatchObject(after);
    expect(draft.operations).toMatchObject([
      {
        outcome: 'refused',
        settledAt: NOW,
        leaseUntil: null,
        lastError: { code: 'service_request_invalid' },
      },
    ]);
  });

  it.each([
    ['a capture', captured, 'capture'],
    ['a refund', refunded, 'refund'],
    ['a receipt', receipted, 'receipt'],
  ])('of %s that the sweep sent is told to a person', (_what, before, kind) => {
    const { draft, end } = decide(before, { kind: 'refused', error: invalid }, { sentBy: 'sweep' });
    expect(end).toEqual(REFUSED);
    const reason = `the service refused the ${kind}: its amount is wrong`;
    expect(draft.events).toContainEqual(expect.objectContaining({ evidence: { reason } }));
  });

  it('of a create that the sweep sent is told by its event alone', () => {
    const { draft } = decide(created, { kind: 'refused', error: invalid }, { sentBy: 'sweep' });
    expect(told(draft)).toEqual(['payment.rejected']);
  });

  it.each([
    new ServiceCredentialsError('its key is wrong', details),
    new ServiceForbiddenError('its permission is missing', details),
  ])('of whoever asks leaves what the sweep sends to go on once that is put right: %s', (error) => {
    const { draft, end } = decide(captured, { kind: 'refused', error }, { sentBy: 'sweep' });
    expect(end).toEqual({ kind: 'unknown', error });
    expect(draft.operations).toMatchObject([
      { outcome: null, leaseUntil: null, lastError: { code: error.code } },
    ]);
    expect(told(draft)).toEqual(['payment.anomaly']);
    const { end: ofCaller } = decide(captured, { kind: 'refused', error });
    expect(ofCaller).toMatchObject({ outcome: 'refused' });
  });

  it('of the key of a refund leaves the list to say what is under that key', () => {
    const { draft, end } = decide(refunded, { kind: 'refused', error: reused });
    expect(end).toEqual({ kind: 'unclear', error: reused });
    expect(draft.operations).toMatchObject([
      { outcome: 'unknown', lastError: { code: 'service_key_reused' } },
    ]);
    expect(decide(created, { kind: 'refused', error: reused }).end).toMatchObject({ outcome: 'refused' });
  });
});

describe('an attempt without an answer', () => {
  const turnedAway = new ServiceTooManyRequestsError('too many', details);
  const unsent = new StoreNotConnectedError('store', 'disconnected');

  it.each<[string, Result, 'unknown' | null]>([
    ['may have arrived', { kind: 'unknown', error: failure }, 'unknown'],
    ['was turned away', { kind: 'deferred', error: turnedAway }, null],
  ])('that %s leaves its operation open', (_what, result, outcome) => {
    for (const before of [created, captured, refunded, receipted]) {
      const { draft, end } = decide(before, result);
      expect(end).toMatchObject({ kind: 'unknown' });
      expect(draft.operations).toMatchObject([{ outcome, leaseUntil: null, settledAt: null }]);
      expect([told(draft), draft.place]).toEqual([[], null]);
    }
  });

  it('that was not sent ends what its caller asked for, and is tried again by the sweep', () => {
    const { draft, end } = decide(refunded, { kind: 'unsent', error: unsent });
    expect(end).toEqual({ kind: 'unsent', error: unsent });
    expect(draft).toMatchObject({ refunds: [{ status: 'rejected' }], operations: [{ outcome: 'refused' }] });
    const { draft: left, end: ofSweep } = decide(
      refunded,
      { kind: 'unsent', error: unsent },
      { sentBy: 'sweep' },
    );
    expect(ofSweep).toEqual({ kind: 'unknown', error: unsent });
    expect(left.operations).toMatchObject([{ outcome: null, lastError: { code: unsent.code } }]);
  });

  it('keeps of a foreign error its name alone', () => {
    const error = new TypeError('a secret');
    const { draft } = decide(captured, { kind: 'unknown', error });
    expect(draft.operations[0]?.lastError).toEqual({ code: 'TypeError' });
    const { draft: odd } = decide(captured, { kind: 'unknown', error: 'a secret' });
    expect(odd.operations[0]?.lastError).toEqual({ code: 'unknown' });
  });
});

describe('the answer to an operation that is over, or somebody else’s', () => {
  const having = (before: Draft, fields: Parameters<typeof operationRow>[0]): Draft => ({
    ...before,
    operations: before.operations.map((operation) => ({ ...operation, ...fields })),
  });

  it('says nothing new where it was confirmed', () => {
    const before = having(captured, { outcome: 'confirmed' });
    expect(decide(before, asPayment({ status: 'succeeded' }))).toEqual({ draft: before, end: CONFIRMED });
  });

  it('is left to the sender that took over', () => {
    const before = having(captured, { attempts: 2 });
    const result = asPayment({ status: 'succeeded' });
    expect(decide(before, result)).toEqual({ draft: before, end: { kind: 'busy' } });
  });

  it('tells a person of a create that was closed as never received, and its caller that it is late', () => {
    const before = having(
      { ...created, payment: { ...created.payment, status: 'rejected' } },
      { outcome: 'refused' },
    );
    const { draft, end } = decide(before, asPayment({ status: 'pending' }));
    expect(end).toEqual({ kind: 'late', error: expect.any(PaymentClosedError) });
    expect(draft.events).toMatchObject([
      { name: 'payment.anomaly', evidence: { reason: expect.stringMatching(/^it is rejected, but/) } },
    ]);
    expect(draft.operations).toEqual(before.operations);
  });

  it('is applied where a capture or cancel was found without effect', () => {
    const before = having(captured, { outcome: 'refused' });
    const { draft, end } = decide(before, asPayment({ status: 'succeeded' }));
    expect(end).toEqual(CONFIRMED);
    expect(draft.payment).toMatchObject({ status: 'succeeded' });
    const { end: idle } = decide(before, asPayment({ status: 'waiting_for_capture' }));
    expect(idle).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['refund', refunded, asRefund(), 'rf-1'],
    ['receipt', receipted, asReceipt(), 'rt-1'],
  ] as const)('tells a person of a %s that was closed as never received', (kind, before, result, id) => {
    const closed = having(before, { outcome: 'refused' });
    const { draft, end } = decide(closed, result);
    const reason = `its ${kind} is closed as never received, but the service has it as ${id}`;
    expect(end).toMatchObject({ kind: 'unknown', error: { message: reason } });
    expect(draft.events).toContainEqual(expect.objectContaining({ evidence: { reason } }));
  });

  it('is a refusal all the same, unless it may have arrived', () => {
    const before = having(captured, { outcome: 'refused' });
    const error = invalid;
    expect(decide(before, { kind: 'refused', error })).toEqual({
      draft: before,
      end: { kind: 'settled', outcome: 'refused', error },
    });
    expect(decide(before, { kind: 'unknown', error: failure })).toEqual({
      draft: before,
      end: { kind: 'unknown', error: failure },
    });
  });
});

describe('an attempt by which nothing was sent, since its payment may be another one', () => {
  const leave = (before: Draft, isOwn: false | null, wasSent: boolean, attempts = 1) =>
    leaveUnsent(
      before,
      { id: before.operations[0]?.id ?? '', attempts },
      { isOwn, wasSent, error: failure, misfit: 'it is not its own' },
      TERMS,
    );

  it('ends what was never sent, and a person is told', () => {
    const { draft, isBusy } = leave(refunded, false, false);
    expect(isBusy).toBe(false);
    expect(draft).toMatchObject({ refunds: [{ status: 'rejected' }], operations: [{ outcome: 'refused' }] });
    expect(told(draft)).toEqual(['payment.anomaly', 'refund.rejected']);
  });

  it('leaves open what may have arrived', () => {
    const { draft } = leave(refunded, false, true);
    expect(draft.operations).toMatchObject([{ outcome: 'unknown', leaseUntil: null }]);
    expect(told(draft)).toEqual(['payment.anomaly']);
  });

  it('waits where nobody could say whose it is', () => {
    const { draft } = leave(refunded, null, false);
    expect(draft.operations).toMatchObject([{ outcome: null, leaseUntil: null }]);
    expect(told(draft)).toEqual([]);
  });

  it('is left to the sender that took over, or to what ended it', () => {
    expect(leave(refunded, false, false, 2)).toEqual({ draft: refunded, isBusy: true });
    const over = { ...refunded, operations: [operationRow({ kind: 'refund', outcome: 'confirmed' })] };
    expect(leave(over, false, false)).toEqual({ draft: over, isBusy: true });
  });
});

describe('what an answer is told with', () => {
  const eventsOf = (before: Draft, result: Result, fields: Partial<AnswerTerms> = {}) =>
    decide(before, result, fields).draft.events;

  it.each<[string, Draft, Result, string]>([
    ['a create', created, asPayment({}), 'create'],
    ['a capture', captured, asPayment({ status: 'succeeded' }), 'capture'],
    ['a refund', refunded, asRefund(), 'refund'],
  ])('of %s is its cause and its attempt', (_what, before, result, cause) => {
    expect(eventsOf(before, result)[0]).toMatchObject({ cause, evidence: { attempt: 1 } });
  });

  it('of a receipt is its cause', () => {
    expect(eventsOf(receipted, asReceipt({ status: 'succeeded' }))).toMatchObject([{ cause: 'receipt' }]);
  });

  it('that does not fit is its cause', () => {
    expect(eventsOf(refunded, asRefund({ amountMinor: 1 }))).toMatchObject([
      { name: 'payment.anomaly', cause: 'refund' },
    ]);
    expect(eventsOf(captured, asPayment({ currency: 'USD' }))).toMatchObject([
      { cause: 'capture', evidence: { serviceStatus: 'pending' } },
    ]);
  });

  it('that refuses is its cause, and the words of the service', () => {
    const refusal = { kind: 'refused', error: invalid } as const;
    expect(eventsOf(refunded, refusal)).toMatchObject([
      { name: 'refund.rejected', cause: 'refund', evidence: { code: invalid.code } },
    ]);
    expect(eventsOf(captured, refusal, { sentBy: 'sweep' })).toMatchObject([{ cause: 'capture' }]);
  });
});

describe('an operation', () => {
  it('is the one that was sent', () => {
    const other = operationRow({ id: 'other', kind: 'cancel', attempts: 7 });
    const own = operationRow({ kind: 'capture', lastError: { code: 'old' }, ...captureBody(10_000, 'RUB') });
    const before = draftWith(heldRow(), { operations: [other, own] });
    const { draft } = decideAnswer(
      before,
      { id: own.id, attempts: 1 },
      asPayment({ status: 'succeeded' }),
      terms(),
    );
    expect(draft.operations).toMatchObject([other, { id: own.id, outcome: 'confirmed', lastError: null }]);
    expect(() => decideAnswer(before, { id: 'none', attempts: 1 }, asPayment({}), terms())).toThrow(
      'There is no operation none.',
    );
  });

  it('is not over while its hold is open, and a create is', () => {
    const waiting = decide(captured, asPayment({ status: 'waiting_for_capture' }));
    expect(waiting.end).toMatchObject({
      kind: 'unknown',
      error: new Error('The capture is accepted and not done yet.'),
    });
    const known = draftWith(paymentRow(), { operations: [operationRow()] });
    expect(decide(known, asPayment({})).end).toEqual(CONFIRMED);
    const moved = draftWith(paymentRow({ capture: false }), {
      operations: [operationRow({ kind: 'capture' })],
    });
    expect(decide(moved, asPayment({ status: 'waiting_for_capture' })).end).toEqual(CONFIRMED);
  });

  it('needs to know what is known besides', () => {
    expect(() => decide(created, asPayment({}), { facts: null })).toThrow(
      'What is known besides was not read.',
    );
  });

  it('has the receipt or refund that it is of', () => {
    expect(() => receiptOf(receipted, 'none')).toThrow('There is no receipt none.');
    expect(() => refundOf(refunded, 'none')).toThrow('There is no refund none.');
    expect(receiptOf({ ...receipted, receipts: [receiptRow({ id: 'x' }), receipt] }, receipt.id)).toBe(
      receipt,
    );
    expect(refundOf({ ...refunded, refunds: [refundRow({ id: 'x' }), refund] }, refund.id)).toBe(refund);
  });
});
