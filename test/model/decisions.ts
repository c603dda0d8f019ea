import { documentedProfile } from '../../libs/payments/src/api/service-profile.js';
import { decideUnlocked } from '../../libs/payments/src/apply/decide-unlocked.js';
import { decide } from '../../libs/payments/src/apply/decide.js';
import { nextCheckAt } from '../../libs/payments/src/apply/poll-plan.js';
import { thisMoment } from '../../libs/payments/src/common/moment.js';
import { captureBody } from '../../libs/payments/src/operations/request-body.js';
import type { Change } from '../../libs/payments/src/payment/change.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { answerChange } from '../../libs/payments/src/send/answer-change.js';
import { once } from './once.js';
import { NOW, STORE_ID, objectOf, orderOf, paymentOf, rowOf } from './rows.js';
import { DUE_MINOR, type OrderRow, type PaymentRow, type SeenPayment, type Way } from './state.js';

/** The library's own decisions on the model's rows. Each is a pure function, so that each question is asked once. */

const DECIDED = { cause: 'sweep', evidence: {} } as const;
const DAY_MS = 24 * 3_600_000;
const PLAN = { now: NOW, leadTimeMs: DAY_MS, unsettledAfterMs: 30 * DAY_MS, profile: documentedProfile };
const OPTIONS = {
  holdLeadTimeMs: PLAN.leadTimeMs,
  unsettledAfterMs: PLAN.unsettledAfterMs,
  receiptLateMs: 24 * 3_600_000,
  profile: documentedProfile,
};
const STORE = Object.assign(new PaymentsStoreEntity(), { id: STORE_ID, accountId: 'account' });

/** What becomes of the payment and its order. */
export interface Made {
  readonly row: PaymentRow;
  readonly order: Omit<OrderRow, 'version' | 'told' | 'paidOf' | 'dueMinor'> | null;
  readonly succeeds: boolean;
  readonly tells: boolean;
  /** The total that order.paid is about; null: it is not raised. */
  readonly paidOf: number | null;
}

function madeOf(change: Change, before: PaymentRow): Made {
  const { after, totals, events } = change;
  const names = events.map(({ name }) => name);
  return {
    row: after === null ? before : rowOf(after, before),
    order: totals && {
      paidMinor: totals.paidMinor,
      heldMinor: totals.heldMinor,
      refundedMinor: totals.refundedMinor,
      state: totals.state,
    },
    succeeds: names.includes('payment.succeeded'),
    tells: names.includes('order.overpaid'),
    paidOf: totals !== null && names.includes('order.paid') ? totals.totalDueMinor : null,
  };
}

type Facts = readonly [world: Way, payment: number, row: PaymentRow, order: OrderRow];

function stateOf([world, payment, row, order]: Facts, askedMinor: number | null) {
  return {
    payment: paymentOf(row, payment, world),
    order: orderOf(order),
    accountId: STORE.accountId,
    isTest: false,
    askedMinor,
  };
}

/** Under the locks. */
export const decided = once((facts: Facts, askedMinor: number | null, object: SeenPayment) => {
  const { verdict, change } = decide(stateOf(facts, askedMinor), objectOf(object), DECIDED, PLAN);
  return { verdict, made: change && madeOf(change, facts[2]) };
});

/** By what was read with the claim; null: only under the locks. */
export const decidedUnlocked = once((facts: Facts, object: SeenPayment) => {
  const { receiptLateMs } = OPTIONS;
  const decision = decideUnlocked(
    stateOf(facts, null),
    objectOf(object),
    DECIDED,
    { ...PLAN, receiptLateMs },
    0,
  );
  if (decision === null) return null;
  const { change, place } = decision;
  return { made: change && madeOf(change, facts[2]), isOver: place.at === null };
});

/** By what was recorded with the request; null: only under the locks. */
export const answered = once(
  (facts: Facts, kind: 'create' | 'capture' | 'cancel', attempts: number, object: SeenPayment) => {
    const [world, payment, row, order] = facts;
    const claim = {
      operation: {
        id: 'operation',
        kind,
        idempotenceKey: 'key',
        storeId: STORE.id,
        body: kind === 'capture' ? captureBody(DUE_MINOR, 'RUB').body : '{}',
        personal: null,
        resendable: true,
        recordedAt: NOW,
      },
      payment: paymentOf(row, payment, world),
      attempts,
      earlierUnknown: false,
      begunAt: thisMoment(),
      asRecorded: { order: orderOf(order), store: STORE },
    };
    const change = answerChange(claim, objectOf(object), false, OPTIONS);
    return change && { made: madeOf(change, row), isOver: change.place?.at === null };
  },
);

/** Whether the poll plan has nothing more to look at. */
export const isOver = once((world: Way, row: PaymentRow, refundsOpen: boolean) => {
  const payment = paymentOf(row, 0, world);
  return nextCheckAt(payment, NOW, { checks: 0, refundsOpen, termMs: null }) === null;
});
