import { documentedProfile } from '../../libs/payments/src/api/service-profile.js';
import { decideAlone } from '../../libs/payments/src/apply/decide-alone.js';
import { decideReading } from '../../libs/payments/src/apply/decide-reading.js';
import { nextCheckAt } from '../../libs/payments/src/apply/poll-plan.js';
import { thisMoment } from '../../libs/payments/src/common/moment.js';
import { captureBody } from '../../libs/payments/src/operations/request-body.js';
import type { Change } from '../../libs/payments/src/payment/change.js';
import { changeTo, draftOf } from '../../libs/payments/src/payment/draft.js';
import { returned } from '../../libs/payments/src/payment/planned.js';
import type { State } from '../../libs/payments/src/payment/state.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { answerChange } from '../../libs/payments/src/send/answer-change.js';
import { queuedRow, stateOf } from '../support/state.js';
import { once } from './once.js';
import { NOW, STORE_ID, objectOf, operationOf, orderOf, paymentOf, rowOf } from './rows.js';
import { DUE_MINOR, type OrderRow, type PaymentRow, type SeenPayment, type Way } from './state.js';

/** The library's own decisions on the model's rows. Each is a pure function, so that each question is asked once. */

const DECIDED = { cause: 'sweep', evidence: {} } as const;
const DAY_MS = 24 * 3_600_000;
const PLAN = { holdLeadTimeMs: DAY_MS, unsettledAfterMs: 30 * DAY_MS, profile: documentedProfile };
const OPTIONS = {
  holdLeadTimeMs: PLAN.holdLeadTimeMs,
  unsettledAfterMs: PLAN.unsettledAfterMs,
  receiptLateMs: 24 * 3_600_000,
  profile: documentedProfile,
};
const STORE = Object.assign(new PaymentsStoreEntity(), { id: STORE_ID, accountId: 'account' });

const QUEUED = queuedRow({ readyAt: NOW, checks: 0 });

/** Nothing of it is open but what is named. */
const stateWith = (known: Pick<State, 'payment' | 'order'>, operations: State['operations'] = []): State =>
  stateOf(known.payment, { ...known, operations, queued: QUEUED, now: NOW, databaseNow: NOW });

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

const KNOWN = { accountId: STORE.accountId, isTest: false };
const FACTS = { ...KNOWN, isKept: false, mustWait: false, isTold: false, fiscalization: null };

/** A capture of this sum may have taken effect; null: none. */
function stateAt([world, payment, row, order]: Facts, askedMinor: number | null): State {
  const known = { payment: paymentOf(row, payment, world), order: orderOf(order) };
  if (askedMinor === null) return stateWith(known);
  const sent = { recorded: 0, firstSent: 0, lastSent: 0, refusedBy: null } as const;
  const capture = operationOf({ kind: 'capture', outcome: 'unknown', attempts: 1, ...sent });
  const body = captureBody(askedMinor, 'RUB');
  return stateWith(known, [Object.assign(capture, body)]);
}

const isNew = ({ after, events }: Change) => after !== null || events.length > 0;

/** Under the locks. */
export const decided = once((facts: Facts, askedMinor: number | null, object: SeenPayment) => {
  const state = stateAt(facts, askedMinor);
  const reading = { object: objectOf(object), ...DECIDED };
  const { verdict, draft } = decideReading(draftOf(state), reading, FACTS, {
    ...PLAN,
    receiptLateMs: DAY_MS,
  });
  const change = changeTo(draft, state, DECIDED.cause);
  return { verdict, made: isNew(change) ? madeOf(change, facts[2]) : null };
});

/** By what was read with the claim; null: only under the locks. */
export const decidedUnlocked = once((facts: Facts, object: SeenPayment) => {
  const { receiptLateMs } = OPTIONS;
  const { payment, order } = stateAt(facts, null);
  const decision = decideAlone(
    { now: NOW, payment, order, queued: QUEUED },
    objectOf(object),
    DECIDED,
    KNOWN,
    { ...PLAN, receiptLateMs },
  );
  if (decision === null) return null;
  const { state, draft, plan } = decision;
  const change = changeTo(returned(draft, plan, QUEUED.checks), state, DECIDED.cause);
  return { made: isNew(change) ? madeOf(change, facts[2]) : null, isOver: change.place?.at === null };
});

/** By what was recorded with the request; null: only under the locks. */
export const answered = once(
  (facts: Facts, kind: 'create' | 'capture' | 'cancel', attempts: number, object: SeenPayment) => {
    const [world, payment, row, order] = facts;
    const known = { payment: paymentOf(row, payment, world), order: orderOf(order) };
    const sent = {
      kind,
      outcome: 'unknown',
      attempts,
      recorded: 0,
      firstSent: 0,
      lastSent: 0,
      refusedBy: null,
    } as const;
    const claim = {
      operation: {
        id: 'operation',
        kind,
        refundId: null,
        receiptId: null,
        idempotenceKey: 'key',
        storeId: STORE.id,
        body: kind === 'capture' ? captureBody(DUE_MINOR, 'RUB').body : '{}',
        personal: null,
        resendable: true,
        recordedAt: NOW,
      },
      payment: known.payment,
      attempts,
      earlierUnknown: false,
      begunAt: thisMoment(),
      asRecorded: {
        order: known.order,
        store: STORE,
        state: stateWith(known, [operationOf(sent)]),
      },
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
