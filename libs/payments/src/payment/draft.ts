import { isDeepStrictEqual } from 'node:util';
import type { Cause } from '../common/cause.js';
import { paymentFields, withFields } from '../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentRow, RefundRow } from '../schema/rows.js';
import type { Change, ChangeEvent, RowChanges, Wanted } from './change.js';
import { movesSums, orderEvents, totalsAfter, totalsDue } from './order-totals.js';
import type { Place } from './queue.js';
import { refundSums } from './refunds/refund-sums.js';
import type { State } from './state.js';

/** A state as it is to be, what is told of it, and when it is looked at. The order's totals and events {@link changeTo} makes of it. */
export interface Draft extends State {
  readonly events: readonly ChangeEvent[];
  /** When it is to be looked at because of what is to be sent; null: as it is planned. */
  readonly wanted: Wanted | null;
  /** Its next place in the queue; null: as it is. */
  readonly place: Place | null;
}

export function draftOf(state: State): Draft {
  return { ...state, events: [], wanted: null, place: null };
}

/** The rows with another one in the place of the one with its id, or with one more. */
export function withRow<Row extends { readonly id: string }>(rows: readonly Row[], row: Row): readonly Row[] {
  const isKnown = rows.some(({ id }) => id === row.id);
  return isKnown ? rows.map((one) => (one.id === row.id ? row : one)) : [...rows, row];
}

/** The change from what was read to a draft of it. */
export function changeTo(draft: Draft, before: State, cause: Cause): Change {
  const due = dueNow(draft, before, cause);
  const order = { ...before.order, ...due.totals };
  const { payment } = draft;
  const paid = totaled(
    order,
    before.payment,
    withFields(payment, { refundedMinor: before.payment.refundedMinor }),
    cause,
  );
  const refunded = totaled({ ...order, ...paid.totals }, paid.payment, payment, cause);
  const isNew = paymentFields.some((field) => !isDeepStrictEqual(payment[field], before.payment[field]));
  const rows = newRows(before, draft);
  const refunds = draft.events.findIndex(({ subject }) => subject.type === 'refund');
  const first = refunds === -1 ? draft.events.length : refunds;
  return {
    payment: before.payment,
    order: before.order,
    after: isNew ? payment : null,
    isDated: payment.updatedAt !== before.payment.updatedAt,
    totals: refunded.totals ?? paid.totals ?? due.totals,
    ...(Object.keys(rows).length > 0 && { rows }),
    // What is paid and given back by the same look was paid all the same, and is told before what was given back.
    events: [
      ...draft.events.slice(0, first),
      ...due.told,
      ...paid.told,
      ...draft.events.slice(first),
      ...refunded.told,
    ],
    ...(draft.place ? { place: draft.place } : draft.wanted && { wanted: draft.wanted }),
  };
}

/** What another sum that is due is for the order. */
function dueNow({ order: { totalDueMinor } }: Draft, { order, payment }: State, cause: Cause) {
  if (order.totalDueMinor === totalDueMinor) return { totals: null, told: [] };
  const totals = totalsDue(order, totalDueMinor);
  return {
    totals,
    told: orderEvents(order, totals, { paymentId: payment.id, cause, supersededPaid: false }),
  };
}

/** What a move of the payment is for its order. */
function totaled(order: State['order'], before: PaymentRow, payment: PaymentRow, cause: Cause) {
  if (!movesSums(before, payment)) return { payment, totals: null, told: [] };
  const isPaidNow = before.status !== 'succeeded' && payment.status === 'succeeded';
  const supersededPaid = isPaidNow && payment.supersededAt !== null;
  const totals = totalsAfter(order, before, payment);
  return {
    payment,
    totals,
    told: orderEvents(order, totals, { paymentId: payment.id, cause, supersededPaid }),
  };
}

function newRows(before: State, after: State): NonNullable<Change['rows']> {
  return {
    ...(after.refunds !== before.refunds && { refunds: rowChanges(before.refunds, after.refunds) }),
    ...(after.receipts !== before.receipts && { receipts: rowChanges(before.receipts, after.receipts) }),
    ...(after.problems !== before.problems && { problems: rowChanges(before.problems, after.problems) }),
    ...(after.operations !== before.operations && {
      operations: rowChanges(before.operations, after.operations),
    }),
  };
}

/** Nothing is to be written. */
export function isNothing({ after, totals, rows, events, wanted, place }: Change): boolean {
  const isAsItWas = after === null && totals === null && events.length === 0 && rows === undefined;
  return isAsItWas && wanted === undefined && place === undefined;
}

/** A row that was changed is another object. */
function rowChanges<Row extends { readonly id: string }>(
  before: readonly Row[],
  after: readonly Row[],
): RowChanges<Row> {
  const known = new Map(before.map((row) => [row.id, row]));
  return {
    opened: after.filter(({ id }) => !known.has(id)),
    changed: after.filter((row) => known.has(row.id) && known.get(row.id) !== row),
  };
}

/**
 * The payment with the sums of these refunds. If a refund made outside took money that a refund in flight had reserved, only what is left can
 * still be promised.
 */
export function withSumsOf(
  payment: PaymentRow,
  refunds: readonly Pick<RefundRow, 'status' | 'amountMinor'>[],
): PaymentsPaymentEntity {
  const { refundedMinor, inFlightMinor } = refundSums(refunds);
  const refundReservedMinor = Math.min(inFlightMinor, payment.capturedMinor - refundedMinor);
  return withFields(payment, { refundedMinor, refundReservedMinor });
}
