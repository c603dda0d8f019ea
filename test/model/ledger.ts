import type { Verdict } from '../../libs/payments/src/apply/judge.js';
import { judgeRefunds } from '../../libs/payments/src/apply/refunds/judge-refunds.js';
import { isFinal } from '../../libs/payments/src/common/payment-status.js';
import { isRefundUnsettled } from '../../libs/payments/src/common/refund-status.js';
import { finishOutcome } from '../../libs/payments/src/operations/finish-outcome.js';
import { hasRoomFor } from '../../libs/payments/src/operations/found-try.js';
import { isOnlyLookedUp, isQuiet } from '../../libs/payments/src/operations/key-age.js';
import { orderEvents, totalsAfter, totalsDue } from '../../libs/payments/src/payment/order-totals.js';
import { refundSums } from '../../libs/payments/src/payment/refunds/refund-sums.js';
import { decided, isOver, type Made } from './decisions.js';
import { hasOpenWork, isUnsettled, foundOperation, keyOf, record, settle } from './operations.js';
import { applyReceipts, settleOwed } from './receipts.js';
import { NOW, indexOf, operationOf, orderOf, paymentOf, refundOf, seenRefundOf, timeOf } from './rows.js';
import {
  at,
  DUE_MINOR,
  type Age,
  type DeliveryRow,
  type Listed,
  type OperationRow,
  type PaymentRow,
  type SeenPayment,
  type ServiceRefundRow,
  type State,
  type World,
} from './state.js';

/** What transactions write. `next` is the state of after the step; each function here is a part of one transaction. */

/** Whoever locks the order makes it a new version. */
export function lockOrder(next: State): void {
  next.order.version += 1;
}

export function write(world: World, next: State, payment: number, made: Made): void {
  next.payments[payment] = { ...made.row };
  if (made.order) Object.assign(next.order, made.order, { version: next.order.version + 1 });
  if (made.tells) next.order.told = true;
  if (made.paidOf !== null) next.order.paidOf = made.paidOf;
  if (made.succeeds && world.handlers) next.deliveries.push(deliveryOf(payment, made.row, null));
}

/** A delivery that is due: to the handler of a payment's success, or of an effect that it records. */
export function deliveryOf(
  payment: number,
  { tryNumber }: Pick<PaymentRow, 'tryNumber'>,
  key: string | null,
): DeliveryRow {
  return { payment, key, mark: tryNumber - 1, fence: null, leased: false, done: false, effects: 0 };
}

/** The payment's next place in the queue, given by the worker who has it. */
export function returnPlace(
  { without }: World,
  next: State,
  payment: number,
  plan: { readonly isOver: boolean; readonly answeredSignals: number },
): void {
  const { wanted = false, refundSignals = 0 } = next.queue[payment] ?? {};
  const left =
    refundSignals - (without.has('signals answered as seen') ? refundSignals : plan.answeredSignals);
  const isOpen = !without.has('open work keeps its place') && (hasOpenWork(next, payment) || left > 0);
  const isWanted = !without.has('wanted keeps its place') && wanted;
  next.queue[payment] =
    plan.isOver && !isOpen && !isWanted
      ? null
      : { fence: null, leased: false, wanted: isWanted, refundSignals: left };
}

/** The same by an answer, which leaves the place to whoever has the payment. */
export function planPlace(world: World, next: State, payment: number, isOverNow: boolean): void {
  const place = next.queue[payment];
  const id = next.payments[payment]?.serviceId ?? null;
  const isTold = next.notifications.some(({ serviceId, step }) => serviceId === id && step === 'look_up');
  if (place?.fence !== null && place?.fence !== undefined && place.leased) {
    if (isTold) place.wanted = true;
    return;
  }
  const { wanted = false, refundSignals = 0 } = place ?? {};
  const isOpen =
    !world.without.has('open work keeps its place') && (hasOpenWork(next, payment) || refundSignals > 0);
  next.queue[payment] =
    isOverNow && !isOpen && !wanted && !isTold
      ? null
      : { fence: null, leased: false, wanted: wanted || isTold, refundSignals };
}

/** The capture or cancel that counts: in progress or confirmed. */
export function finishOf({ operations }: State, payment: number): OperationRow | undefined {
  return operations.find(
    ({ kind, payment: of, outcome }) =>
      of === payment && (kind === 'capture' || kind === 'cancel') && outcome !== 'refused',
  );
}

/** What the order owes from now on: its totals follow, and so do its events. */
export function bringTotal(next: State, dueMinor: number): void {
  const { order } = next;
  const known = orderOf(order);
  const totals = totalsDue(known, dueMinor);
  const about = { paymentId: '', cause: 'create', supersededPaid: false } as const;
  const names = orderEvents(known, totals, about).map(({ name }) => name);
  Object.assign(order, { dueMinor, state: totals.state });
  if (names.includes('order.paid')) order.paidOf = dueMinor;
  if (names.includes('order.overpaid')) order.told = true;
}

/** A hold that was given up for another payment is canceled, and not while the lists of lost time are read. */
export function letGo(world: World, next: State, payment: number): void {
  if (next.window !== null) return;
  if (at(next.payments, payment).status !== 'waiting_for_capture' || finishOf(next, payment)) return;
  record(world, next, { kind: 'cancel', payment, refund: null }, false);
}

/** Applies the service's object, and the list of its refunds if there is one, under the locks. */
export function apply(
  world: World,
  next: State,
  payment: number,
  object: SeenPayment,
  listed: Listed | null,
): { readonly verdict: Verdict; readonly isOver: boolean } {
  if (isKept(world, next, payment, object)) at(next.payments, payment).superseded = false;
  const row = at(next.payments, payment);
  const capture = next.operations.find(
    ({ kind, payment: of, outcome }) => of === payment && kind === 'capture' && outcome === 'unknown',
  );
  const isAsked = capture && object.status === 'succeeded' && row.status !== 'succeeded';
  const askedMinor = isAsked && !isOnlyLookedUp(operationOf(capture), NOW) ? DUE_MINOR : null;
  const facts = [world.way, payment, row, next.order] as const;
  const { verdict, made } = decided(facts, askedMinor, object);
  if (made) write(world, next, payment, made);
  if (verdict.kind === 'stale' && world.without.has('status table')) row.status = verdict.status;
  if (at(next.payments, payment).superseded) letGo(world, next, payment);
  const now = at(next.payments, payment);
  const isFit = verdict.kind === 'move' || verdict.kind === 'unchanged';
  applyReceipts(next, listed?.receipts ?? []);
  if (isFit && listed && now.status === 'succeeded') applyRefunds(world, next, payment, listed);
  const refundsOpen =
    now.status === 'succeeded' &&
    (next.refunds.some((refund) => refund.payment === payment && isRefundUnsettled(refund.status)) ||
      (isFit && object.refundedMinor !== at(next.payments, payment).refundedMinor) ||
      (!world.without.has('signals answered as seen') &&
        (next.queue[payment]?.refundSignals ?? 0) > (listed?.signals ?? 0)));
  settleOwed(world, next, payment);
  return { verdict, isOver: isOver(world.way, at(next.payments, payment), refundsOpen) };
}

/** Given up for one that was found again, and there is room for both. */
function isKept(world: World, { payments, order }: State, payment: number, { status }: SeenPayment): boolean {
  const row = at(payments, payment);
  const isPaid = status === 'waiting_for_capture' || status === 'succeeded';
  if (!row.superseded || !row.supersededByFind || isFinal(row.status) || !isPaid) return false;
  const all = payments.map((one, index) => paymentOf(one, index, world.way));
  return hasRoomFor(paymentOf(row, payment, world.way), orderOf(order), all);
}

/** Applies what is shown of a payment's refunds; what does not fit changes nothing. */
export function applyRefunds(world: World, next: State, payment: number, { refunds, lost }: Listed): void {
  for (const seen of refunds ?? []) takeOver(next, payment, seen);
  const fitting = applySeen(world, next, payment, refunds ?? [], true);
  for (const { refund, attempts } of lost) {
    const operation = next.operations.findIndex((one) => one.refund === refund);
    const isNewest =
      world.without.has('newest attempt before lost refund') ||
      at(next.operations, operation).attempts === attempts;
    if (at(next.refunds, refund).status !== 'submitting' || !isNewest) continue;
    rejectRefund(world, next, refund);
    settle(next, operation, 'refused');
  }
  if (fitting) sumRefunds(world, next, payment);
}

/** What was requested under a key that the service has used for a refund of ours is that refund. */
function takeOver(next: State, payment: number, seen: ServiceRefundRow): void {
  if (seen.isNameless || seen.mark === null) return;
  for (const [refund, row] of next.refunds.entries()) {
    if (row.payment !== payment || row.refundKey !== seen.mark || row.status !== 'submitting') continue;
    const sent = next.operations.find((one) => one.refund === refund);
    if (sent?.refusedBy !== 'service_key_reused') continue;
    row.amountMinor = seen.amountMinor;
  }
}

/** Whether anything fitted. */
export function applySeen(
  world: World,
  next: State,
  payment: number,
  seen: NonNullable<Listed['refunds']>,
  isListed: boolean,
): boolean {
  const row = at(next.payments, payment);
  const own = next.refunds.flatMap((refund, index) =>
    refund.payment === payment ? [{ known: refundOf(refund, row, index), index }] : [],
  );
  const { changes } = judgeRefunds(
    paymentOf(row, payment, world.way),
    own.map(({ known }) => known),
    seen.map((refund) => seenRefundOf(refund, row, isListed)),
  );
  for (const change of changes) {
    const serviceId = indexOf(change.object.id);
    if (change.kind === 'move') {
      const index = own.find(({ known }) => known.id === change.refund.id)?.index ?? -1;
      Object.assign(at(next.refunds, index), { status: change.to, serviceId });
      const sent = next.operations.findIndex((one) => one.refund === index);
      if (sent !== -1 && isUnsettled(at(next.operations, sent))) settle(next, sent, 'confirmed');
    } else if (change.kind === 'open') {
      const { amountMinor } = change.object;
      const { refundKey = null, whole = false } = change.forgotten ?? {};
      next.refunds.push({ payment, refundKey, serviceId, status: change.status, amountMinor, whole });
      if (change.forgotten === null) continue;
      const operation = { kind: 'refund', payment, refund: next.refunds.length - 1 } as const;
      next.operations.push(foundOperation(operation, keyOf(world, next, operation)));
    }
  }
  if (changes.length > 0) sumRefunds(world, next, payment);
  return changes.length > 0;
}

export function rejectRefund(world: World, next: State, refund: number): void {
  const row = at(next.refunds, refund);
  row.status = 'rejected';
  sumRefunds(world, next, row.payment);
}

/** The payment's sums follow from its refunds, and the order's totals from those. */
function sumRefunds(world: World, next: State, payment: number): void {
  const { refundedMinor } = refundSums(next.refunds.filter((refund) => refund.payment === payment));
  const row = at(next.payments, payment);
  if (row.refundedMinor === refundedMinor) return;
  const before = paymentOf(row, payment, world.way);
  row.refundedMinor = refundedMinor;
  const order = orderOf(next.order);
  const after = paymentOf(row, payment, world.way);
  const { paidMinor, heldMinor, refundedMinor: backMinor, state } = totalsAfter(order, before, after);
  Object.assign(next.order, { paidMinor, heldMinor, refundedMinor: backMinor, state });
  next.order.version += 1;
}

/** Settles captures and cancels by a re-read that began so long ago. */
export function settleByReading(world: World, next: State, payment: number, asked: Age): void {
  const { status, capturedMinor } = at(next.payments, payment);
  next.operations.forEach((operation, index) => {
    const isFinish = operation.kind === 'capture' || operation.kind === 'cancel';
    if (operation.payment !== payment || !isFinish || !isUnsettled(operation)) return;
    const askedAt = timeOf(asked);
    const { lastSentAt } = operationOf(operation);
    const reading = {
      status,
      capturedMinor,
      askedAt,
      isOver: world.without.has('quiet before no effect') || isQuiet(lastSentAt, askedAt),
    };
    const { kind } = finishOutcome(operationOf(operation), reading);
    if (kind !== 'open') settle(next, index, kind);
  });
}
