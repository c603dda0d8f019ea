import { step, type Age, type DatabaseRows, type State, type Step } from '../state.js';

/** Time: leases end, requests on their way have arrived or never will, keys grow old. */

export function* timeSteps(state: State): Iterable<Step> {
  if (hasLease(state)) yield step('A minute passes, and every lease is over.', state, endLeases);
  // What is on its way arrives, or is lost, within minutes.
  if (state.wire.length > 0) return;
  const { remembered, left, service } = state;
  const ages = agesOf(state);
  if (ages.some((age) => age < 2) || hasLease(state))
    yield step('Twenty minutes pass.', state, (next) => grow(next, (age) => later(age)));
  const growsOld =
    left.failovers > 0 && remembered !== null && !remembered.isOld && service.answers.length > 0;
  if (ages.some((age) => age < 3) ? !isMissing(state) : growsOld)
    yield step('A day passes, and the service forgets its keys.', state, (next) => {
      grow(next, () => 3);
      next.service.answers = [];
      if (next.remembered) next.remembered.isOld = true;
    });
}

/** What the database has forgotten is found within a day: by its lists, its notifications or whoever asks again. */
function isMissing({ failedOver, window, service, payments, refunds, receipts }: State): boolean {
  if (failedOver === null) return false;
  return (
    window !== null ||
    service.payments.some(
      ({ isOthers }, id) => !isOthers && !payments.some(({ serviceId }) => serviceId === id),
    ) ||
    service.refunds.some((_, id) => !refunds.some(({ serviceId }) => serviceId === id)) ||
    service.receipts.some((_, id) => !receipts.some(({ serviceId }) => serviceId === id))
  );
}

export function later(age: Age): Age {
  if (age === 0) return 1;
  return age === 1 ? 2 : age;
}

function hasLease({ queue, operations, deliveries, callers, workers }: State): boolean {
  return (
    queue.some((place) => place?.leased) ||
    operations.some(({ leased }) => leased) ||
    deliveries.some(({ leased }) => leased) ||
    callers.some(({ sending }) => sending?.leased) ||
    workers.some(({ work }) => work?.of === 'payment' && work.sending?.leased)
  );
}

function endLeases(next: State): void {
  endRowLeases(next);
  if (next.remembered) endRowLeases(next.remembered.rows);
  const { callers, workers } = next;
  for (const { sending } of callers) if (sending) sending.leased = false;
  for (const { work } of workers) if (work?.of === 'payment' && work.sending) work.sending.leased = false;
}

export function endRowLeases({ queue, operations, deliveries }: DatabaseRows): void {
  for (const place of queue) if (place) place.leased = false;
  for (const operation of operations) operation.leased = false;
  for (const delivery of deliveries) delivery.leased = false;
}

/** Only of what is not over: nobody asks how old the rest is. */
function agesOf({ operations }: State): Age[] {
  return operations.flatMap(({ outcome, recorded, firstSent, lastSent }) =>
    outcome === null || outcome === 'unknown'
      ? [recorded, ...(firstSent === null ? [] : [firstSent]), ...(lastSent === null ? [] : [lastSent])]
      : [],
  );
}

function grow(next: State, older: (age: Age) => Age): void {
  endLeases(next);
  growRows(next, older);
  // Whoever has an attempt before its eyes waits too.
  for (const one of next.watched) one.hasWaited = true;
}

export function growRows(next: State, older: (age: Age) => Age): void {
  for (const operation of [...next.operations, ...(next.remembered?.rows.operations ?? [])]) {
    operation.recorded = older(operation.recorded);
    if (operation.firstSent !== null) operation.firstSent = older(operation.firstSent);
    if (operation.lastSent !== null) operation.lastSent = older(operation.lastSent);
  }
  for (const { work } of next.workers) if (work?.of === 'payment') work.asked = older(work.asked);
}
