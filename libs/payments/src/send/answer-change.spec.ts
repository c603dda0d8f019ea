import {
  heldRow,
  later,
  NOW,
  objectOf,
  operationRow,
  paidRow,
  paymentRow,
  queuedRow,
  refundObject,
  refundRow,
  stateOf,
  TERMS,
} from '../../../../test/support/state.js';
import { thisMoment } from '../common/moment.js';
import type { SendClaim } from '../operations/send-claim.js';
import type { State } from '../payment/state.js';
import type { OperationRow, PaymentRow } from '../schema/rows.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { answerChange, refundAnswerChange } from './answer-change.js';

const store = Object.assign(new PaymentsStoreEntity(), { id: paymentRow().storeId, accountId: '100500' });
const began = () => {
  const { monotonicMs, wallMs } = thisMoment();
  return { monotonicMs: monotonicMs - 4_000, wallMs: wallMs - 4_000 };
};
const claimOf = (
  payment: PaymentRow,
  operation: OperationRow,
  state: Partial<State> | null = {},
): SendClaim & { readonly asRecorded: object } => {
  const recorded = stateOf(payment, { operations: [operation], ...state });
  const { order } = recorded;
  return {
    operation,
    payment,
    attempts: 2,
    earlierUnknown: false,
    begunAt: began(),
    asRecorded: { order, store, ...(state !== null && { state: recorded }) },
  };
};
/** As whoever takes it over claims it. */
const { asRecorded: _left, ...unrecorded } = claimOf(paymentRow(), operationRow());
const create = operationRow({ id: 'create', recordedAt: NOW });
/** A moment that is so long after the recording as the claim is old. */
const afterFourSeconds = (date: Date | undefined | null) => {
  const ms = (date?.getTime() ?? 0) - NOW.getTime();
  expect(ms).toBeGreaterThanOrEqual(4_000);
  expect(ms).toBeLessThan(60_000);
};

describe('the answer to a create, capture or cancel, where nothing came between', () => {
  it('moves the payment, confirms the operation and plans the next look', () => {
    const change = answerChange(
      claimOf(paymentRow({ status: 'submitting' }), create, null),
      objectOf(),
      false,
      TERMS,
    );
    expect(change).toMatchObject({
      after: { status: 'pending' },
      operation: { id: 'create', attempts: 2 },
      events: [{ name: 'payment.pending', cause: 'create', evidence: { attempt: 2 } }],
      place: {
        checks: 0,
        lane: 'polls',
        refundSignals: 0,
        before: { wantedAt: null, checks: 0, lane: 'polls', fence: null, isAsked: false, isTaken: false },
      },
    });
  });

  it('is decided at the time of the answer, as the database knows it', () => {
    const change = answerChange(
      claimOf(paymentRow({ status: 'submitting' }), create, null),
      objectOf(),
      false,
      TERMS,
    );
    expect(change?.isDated).toBe(true);
    afterFourSeconds(change?.place?.at);
  });

  it('keeps the requests for its refunds, and nothing else of its place', () => {
    const capture = operationRow({
      id: 'capture',
      kind: 'capture',
      recordedAt: NOW,
      body: '{"amount":{"value":"100.00","currency":"RUB"}}',
    });
    const queued = queuedRow({
      refundSignals: 2,
      checks: 9,
      lane: 'failing',
      isAsked: true,
      isTaken: true,
      wantedAt: later(1),
    });
    const claim = claimOf(heldRow(), capture, { queued });
    expect(answerChange(claim, objectOf({ status: 'succeeded' }), false, TERMS)).toMatchObject({
      after: { status: 'succeeded', capturedMinor: 10_000 },
      events: [{ name: 'payment.succeeded', cause: 'capture' }, { name: 'order.paid' }],
      place: { refundSignals: 2, lane: 'polls' },
    });
    expect(
      answerChange(
        claimOf(heldRow(), capture, { queued: null }),
        objectOf({ status: 'succeeded' }),
        false,
        TERMS,
      )?.place,
    ).toMatchObject({ refundSignals: 0 });
  });

  it.each<[string, SendClaim, Parameters<typeof objectOf>[0]]>([
    ['was not claimed as it was recorded', unrecorded, { status: 'succeeded' }],
    ['changes nothing', claimOf(paymentRow(), create), {}],
    ['does not fit', claimOf(paymentRow(), create), { status: 'succeeded', amountMinor: 1 }],
    ['is of another store', claimOf(paymentRow(), create), { status: 'succeeded', accountId: 'other' }],
  ])('is settled under the locks where it %s', (_how, claim, object) => {
    expect(answerChange(claim, objectOf(object), false, TERMS)).toBeNull();
  });

  it('is settled under the locks as the first answer of its store', () => {
    const claim = claimOf(paymentRow(), create);
    expect(answerChange(claim, objectOf({ status: 'succeeded' }), null, TERMS)).toBeNull();
  });
});

describe('the answer to a refund, where nothing came between', () => {
  const sent = refundRow();
  const operation = operationRow({ id: 'refund', kind: 'refund', refundId: sent.id, recordedAt: NOW });
  const made = { ...sent, status: 'succeeded', serviceId: 'rf-1' } as const;
  const claim = (fields: Partial<State> = {}) =>
    claimOf(paidRow({ refundReservedMinor: 3_000 }), operation, {
      refunds: [refundRow({ id: 'x' }), sent],
      ...fields,
    });

  it('moves the refund and the sums, and ends the operation by its attempt', () => {
    const answer = refundAnswerChange(claim({ refunds: [sent] }), refundObject(), TERMS);
    expect(answer?.refund).toMatchObject({ id: sent.id, status: 'succeeded', serviceId: 'rf-1' });
    afterFourSeconds(answer?.refund.updatedAt);
    expect(answer?.change).toMatchObject({
      after: { refundedMinor: 3_000, refundReservedMinor: 0 },
      operation: { id: 'refund', attempts: 2 },
      events: [{ name: 'refund.succeeded', cause: 'refund', evidence: { attempt: 2 } }],
    });
    expect(answer?.change.rows).toEqual({ refunds: { opened: [], changed: [answer?.refund] } });
  });

  it.each<[string, SendClaim, Parameters<typeof refundObject>[0]]>([
    ['has no state', claimOf(paidRow(), operation, null), {}],
    ['is of no refund', claimOf(paidRow(), operationRow({ kind: 'refund' }), { refunds: [sent] }), {}],
    ['is of a refund that there is no row of', claim({ refunds: [] }), {}],
    ['does not fit', claim(), { amountMinor: 1 }],
    ['was not claimed as it was recorded', { ...unrecorded, operation }, {}],
    ['does not fit, though the refund is known already', claim({ refunds: [made] }), { id: 'rf-2' }],
    ['says nothing of the refund', claim(), { status: 'unheard_of' }],
  ])('is settled under the locks where it %s', (_how, of, object) => {
    expect(refundAnswerChange(of, refundObject(object), TERMS)).toBeNull();
  });
});
