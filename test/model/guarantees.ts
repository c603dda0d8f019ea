import { isAsKnown } from './commit-mark.js';
import { isUnsettled } from './operations.js';
import {
  at,
  DUE_MINOR,
  dueOf,
  type Body,
  type PaymentRow,
  type RefundRow,
  type ServicePaymentRow,
  type State,
  type World,
} from './state.js';

/**
 * Nothing here asks the library what is right: whoever judges by the code under test excuses its faults. What hosts and buyers did, and
 * what the service has, is compared with the rows.
 */

/** What no state may show. Each is a guarantee of ARCHITECTURE.md, as far as it is about order. */
export function faultOf(state: State): string | null {
  return (
    charges(state) ??
    releases(state) ??
    givesUp(state) ??
    toldFalsely(state) ??
    refunds(state) ??
    finals(state) ??
    operations(state) ??
    effects(state) ??
    effectsOutside(state) ??
    receipts(state) ??
    bindings(state)
  );
}

/** What no step may do. */
export function faultBetween(before: State, after: State): string | null {
  // A failover takes back whatever it takes back.
  if (before.left.failovers !== after.left.failovers) return null;
  const changed = before.payments.findIndex(
    (row, index) => isFinal(row) && after.payments[index]?.status !== row.status,
  );
  return changed === -1
    ? null
    : `payment ${changed} was ${at(before.payments, changed).status}, which is final`;
}

/** One charge for one order, unless its host gave the one before up: that is told once the money is known. */
function charges({ service, givenUp }: State): string | null {
  const charged = service.payments.filter(
    ({ mark, status, isOthers }) => isMoney(status) && !isOthers && !givenUp.includes(mark),
  );
  return charged.length > 1 ? `the order is charged ${charged.length} times` : null;
}

/** Nobody lets a hold go that its buyer has, and that its host has not given up. */
function releases({ service, givenUp }: State): string | null {
  const released = service.payments.find(
    ({ mark }) =>
      service.acted.some((key) => key.startsWith(`cancel ${mark + 1} `)) && !givenUp.includes(mark),
  );
  return released ? `the hold of payment ${released.mark} is released, and it was not given up` : null;
}

/**
 * Nothing is given up that its host has not given up: what is held would be let go, and what is paid told as too much. And what its host
 * has replaced stays given up; a failover may take that back.
 */
function givesUp({ service, payments, givenUp, failedOver }: State): string | null {
  // What the service has canceled is over, whether that is known here or not.
  const isOver = ({ serviceId }: PaymentRow) =>
    serviceId !== null && at(service.payments, serviceId).status === 'canceled';
  const wanted = payments.find(
    (row) => row.superseded && !givenUp.includes(row.tryNumber - 1) && !isOver(row),
  );
  if (wanted) return `payment ${wanted.tryNumber - 1} is given up here, and its host wants it`;
  const isReplaced = ({ tryNumber }: PaymentRow) =>
    givenUp.includes(tryNumber - 1) && payments.some((other) => other.tryNumber > tryNumber);
  const kept = payments.find(
    (row) => !row.superseded && isReplaced(row) && row.status !== 'canceled' && row.status !== 'rejected',
  );
  return kept && failedOver === null
    ? `payment ${kept.tryNumber - 1} is wanted here, and its host gave it up`
    : null;
}

/** Nobody is told of too much where nothing was paid that was given up, and all that was paid was asked for. */
function toldFalsely({ order, service, givenUp }: State): string | null {
  const paid = service.payments.filter(({ status, isOthers }) => status === 'succeeded' && !isOthers);
  const isTrue = paid.length > 1 || paid.some(({ mark }) => givenUp.includes(mark));
  return order.told && !isTrue ? 'a person is told of too much, and there is none' : null;
}

const isFinal = ({ status }: Pick<PaymentRow, 'status'>) =>
  status === 'succeeded' || status === 'canceled' || status === 'rejected';

const isOpen = ({ status }: Pick<RefundRow, 'status'>) => status === 'submitting' || status === 'pending';

const isMoney = (status: string) => status === 'succeeded' || status === 'waiting_for_capture';

function refunds({ service }: State): string | null {
  for (const [id, { amountMinor }] of service.payments.entries()) {
    const own = service.refunds.filter(({ payment }) => payment === id);
    const outside = own.filter(({ mark }) => mark === null).reduce((sum, one) => sum + one.amountMinor, 0);
    const ours = own.reduce((sum, one) => sum + one.amountMinor, 0) - outside;
    if (ours > amountMinor) return `${ours} is refunded of ${amountMinor}`;
  }
  const keys = service.refunds.flatMap(({ payment, mark }) => (mark === null ? [] : [`${payment} ${mark}`]));
  return new Set(keys).size < keys.length ? 'one refund key was refunded twice' : null;
}

/** Nothing is final that is not so at the service, and can still become so. */
function finals({ payments, refunds: rows, service, wire }: State): string | null {
  for (const [index, row] of payments.entries()) {
    const { status, serviceId, tryNumber, changed } = row;
    if (status === 'rejected') {
      const isIt = (one: { mark: number; changed: boolean }) =>
        one.mark === tryNumber - 1 && one.changed === changed;
      const isThere = service.payments.some((one) => !one.isOthers && isIt(one));
      const isComing = wire.some(({ body }) => body.kind === 'create' && isIt(body));
      if (isThere) return `payment ${index} is rejected, and the service has it`;
      if (isComing) return `payment ${index} is rejected, and its request is on its way`;
    } else if (isFinal(row)) {
      const there = serviceId === null ? null : at(service.payments, serviceId).status;
      if (there !== status) return `payment ${index} is ${status}, and at the service ${there}`;
    }
  }
  for (const [index, { status, refundKey, payment }] of rows.entries()) {
    if (refundKey === null) continue;
    const { serviceId } = at(payments, payment);
    const isThere = service.refunds.some((one) => one.payment === serviceId && one.mark === refundKey);
    if (status === 'rejected' && isThere) return `refund ${index} is rejected, and the service has made it`;
    if (status === 'succeeded' && !isThere)
      return `refund ${index} is succeeded, and the service has not made it`;
  }
  return null;
}

function operations({ operations: rows, payments, service, wire }: State): string | null {
  for (const { outcome, kind, key, refusedBy, payment } of rows) {
    // A payment is judged by its own status.
    if (outcome !== 'refused' || refusedBy === 'service_key_reused' || kind === 'create') continue;
    if (service.acted.includes(key)) return `the ${kind} is over as without effect, and it had one`;
    if (wire.some((one) => one.key === key) && !hasEnded(kind, payments[payment]?.serviceId ?? null, service))
      return `the ${kind} is over as without effect, and it is on its way`;
  }
  return null;
}

/** The hold that it was for is gone: whatever arrives late has no effect. */
function hasEnded(kind: Body['kind'], serviceId: number | null, service: State['service']): boolean {
  const isFinish = kind === 'capture' || kind === 'cancel';
  return isFinish && serviceId !== null && at(service.payments, serviceId).status !== 'waiting_for_capture';
}

function effects({ deliveries }: State): string | null {
  const counts = new Map<number, number>();
  for (const { payment, effects: made } of deliveries) counts.set(payment, (counts.get(payment) ?? 0) + made);
  for (const [payment, made] of counts)
    if (made > 1) return `the effect of payment ${payment} was made ${made} times`;
  return null;
}

/**
 * What is done outside the database is done once for each event, never taken for another's, never for a handler whose rows are not
 * there, and never left out.
 */
function effectsOutside({ effects: made, dropped, deliveries, workers, failedOver }: State): string | null {
  const [lost] = dropped;
  if (lost) return `the effect of payment ${lost.mark} outside is dropped: its key is another one's`;
  const twice = made.find(({ mark }, index) => made.findIndex((one) => one.mark === mark) !== index);
  if (twice) return `the effect of payment ${twice.mark} outside was made twice`;
  const isHandled = (mark: number) =>
    deliveries.some(({ key, mark: of, done }) => key === null && of === mark && done);
  // A failover takes rows back, and no effect.
  const early = failedOver === null && made.find(({ mark }) => !isHandled(mark));
  if (early)
    return `the effect of payment ${early.mark} is made outside, and its handler's rows are not there`;
  const isRun = (key: string) => workers.some(({ work }) => work?.of === 'delivery' && work.key === key);
  const left = deliveries.find(
    ({ key, done }) => key !== null && done && !isRun(key) && !made.some((one) => one.key === key),
  );
  return left ? `the effect of payment ${left.mark} outside is over, and was never made` : null;
}

/** Registered once for one obligation, and nobody is told that one is missing which the service has. */
function receipts({ service, payments, missing, receipts: rows }: State): string | null {
  const kinds = service.receipts.map(({ payment, isOffset }) => `${payment} ${isOffset}`);
  const twice = service.receipts.find((_, id) => kinds.indexOf(kinds[id] ?? '') !== id);
  if (twice) return `the receipt of payment ${at(service.payments, twice.payment).mark} is registered twice`;
  const told = missing.find((payment) =>
    service.receipts.some((one) => one.payment === at(payments, payment).serviceId),
  );
  if (told !== undefined)
    return `a person is told that the receipt of payment ${told} is missing, and the service has it`;
  const bound = rows.flatMap(({ serviceId }) => (serviceId === null ? [] : [serviceId]));
  const both = bound.find((id, index) => bound.indexOf(id) !== index);
  return both === undefined ? null : `a receipt of the service has two rows`;
}

/** A payment of the service is one of ours, and of this database. */
function bindings({ payments, service }: State): string | null {
  const bound = payments.flatMap(({ serviceId }) => (serviceId === null ? [] : [serviceId]));
  const others = bound.find((id) => at(service.payments, id).isOthers);
  if (others !== undefined) return "another database's payment is recorded";
  const twice = bound.find((id, index) => bound.indexOf(id) !== index);
  return twice === undefined ? null : `payment ${at(service.payments, twice).mark} has two rows`;
}

/** Nothing is pending, and nobody is at it. */
export function isQuiet(state: State): boolean {
  const {
    callers,
    workers,
    wire,
    queue,
    operations: rows,
    refunds: given,
    notifications,
    deliveries,
    window,
  } = state;
  return (
    callers.every(
      ({ sending, wishes, knows }) => sending === null && wishes.length === 0 && isAsKnown(state, knows),
    ) &&
    workers.every(({ work }) => work === null) &&
    window === null &&
    state.finds.length === 0 &&
    wire.length === 0 &&
    queue.every((place) => place === null) &&
    !rows.some((row) => isUnsettled(row)) &&
    !given.some(isOpen) &&
    notifications.every(({ isReady }) => !isReady) &&
    deliveries.every(({ done }) => done) &&
    state.asked.length === 0 &&
    state.service.refunds.every(({ notified }) => notified) &&
    !isLookedUp(state)
  );
}

/** A notification is still to find its payment among those that the database has forgotten. */
function isLookedUp({ failedOver, notifications, payments }: State): boolean {
  return (
    failedOver !== null &&
    notifications.some(
      ({ step, serviceId }) => step === 'look_up' && !payments.some((row) => row.serviceId === serviceId),
    )
  );
}

/** What must be right once nothing is pending: the books agree with the service, and what happened was told. */
export function faultAtRest(world: World, state: State): string | null {
  const { payments, service, order, deliveries } = state;
  // Where nothing shows that commits are gone, only what is asked for again is found, and what is notified.
  const isUnnoticed = state.failedOver === 'hidden' && state.mark.epoch === 0;
  for (const [id, { mark, status, refundedMinor, isOthers }] of service.payments.entries()) {
    if (isOthers) continue;
    const row = payments.find(({ serviceId }) => serviceId === id);
    if (isUnnoticed && (row === undefined || row.refundedMinor !== refundedMinor)) continue;
    if (row?.status !== status)
      return `nothing is pending, and payment ${mark} is ${row?.status ?? 'unknown'} here and ${status} at the service`;
    if (row.refundedMinor !== refundedMinor)
      return `nothing is pending, and ${refundedMinor} is refunded at the service, ${row.refundedMinor} here`;
    const made = deliveries.filter(
      ({ payment, effects: times }) => payments[payment] === row && times === 1,
    ).length;
    if (world.handlers && status === 'succeeded' && made !== 1)
      return `nothing is pending, and the effect of payment ${mark} was made ${made} times`;
    const owed = receiptFaultAtRest(world, state, id);
    if (owed !== null) return owed;
    const outside = state.effects.filter((one) => one.mark === mark).length;
    if (world.effects && status === 'succeeded' && outside !== 1)
      return `nothing is pending, and the effect of payment ${mark} outside was made ${outside} times`;
  }
  const known = service.payments.filter((_, id) => payments.some(({ serviceId }) => serviceId === id));
  const paidMinor = sumOf(known, 'succeeded');
  if (order.paidMinor !== paidMinor)
    return `nothing is pending, and the order has ${order.paidMinor} as paid instead of ${paidMinor}`;
  const heldMinor = sumOf(known, 'waiting_for_capture');
  if (order.heldMinor !== heldMinor)
    return `nothing is pending, and the order has ${order.heldMinor} as held instead of ${heldMinor}`;
  const refundedMinor = payments.reduce((sum, row) => sum + row.refundedMinor, 0);
  const dueMinor = isUnnoticed ? order.dueMinor : askedMinor(world, state);
  if (order.dueMinor !== dueMinor)
    return `nothing is pending, and the order owes ${order.dueMinor} instead of ${dueMinor}`;
  const keptMinor = paidMinor - refundedMinor;
  if (keptMinor > dueMinor && !order.told)
    return `nothing is pending, and nobody was told that ${paidMinor} is paid of ${dueMinor}`;
  if (keptMinor >= dueMinor && order.paidOf !== dueMinor && !wasMet(world, state))
    return `nothing is pending, and order.paid of ${dueMinor} was not raised`;
  return null;
}

/** What buyers paid, or have held. */
function sumOf(payments: readonly ServicePaymentRow[], status: 'succeeded' | 'waiting_for_capture'): number {
  return payments.reduce((sum, one) => (one.status === status ? sum + one.amountMinor : sum), 0);
}

/**
 * The order was paid by what an older try said is due, before a newer one said less: buyers have paid that sum, and somebody is told
 * that it is too much.
 */
function wasMet({ way }: World, { service, order: { paidOf, told } }: State): boolean {
  const own = service.payments.filter(({ isOthers }) => !isOthers);
  const isAsked = own.some((one) => dueOf(one, way) === paidOf);
  return told && paidOf !== null && isAsked && sumOf(own, 'succeeded') >= paidOf;
}

/** What the order's newest try was opened for, whoever still knows of it. */
function askedMinor({ way }: World, { service, payments }: State): number {
  const tries = [
    ...service.payments.filter(({ isOthers }) => !isOthers),
    ...payments.map(({ tryNumber, changed }) => ({ mark: tryNumber - 1, changed })),
  ];
  const newest = tries.toSorted((one, other) => one.mark - other.mark).at(-1);
  return newest ? dueOf(newest, way) : DUE_MINOR;
}

/** It is registered and known here, or a person was told. */
function receiptFaultAtRest(
  { way }: World,
  { service, payments, receipts: rows, missing }: State,
  id: number,
): string | null {
  const { mark, status } = at(service.payments, id);
  const payment = payments.findIndex(({ serviceId }) => serviceId === id);
  const isRegistered = service.receipts.some((one) => one.payment === id);
  const own = rows.filter((row) => row.payment === payment);
  const isKnown = own.some((row) => row.serviceId !== null);
  if (isRegistered !== isKnown)
    return `nothing is pending, and the receipt of payment ${mark} is not known here`;
  const isTold = missing.includes(payment) || own.some((row) => row.status === 'rejected');
  return isRegistered || isTold || status !== 'succeeded' || !way.receipts
    ? null
    : `nothing is pending, and the receipt of payment ${mark} is owed`;
}
