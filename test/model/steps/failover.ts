import { adopt, found } from '../adopt.js';
import { isAsKnown, look } from '../commit-mark.js';
import { want } from '../operations.js';
import { adoptReceipts, withUnknownReceipts } from '../receipts.js';
import { databaseCopy, FORGOTTEN, step, type State, type Step, type World } from '../state.js';
import { seen } from './service.js';

/** The database goes back to an earlier moment, and what the processes do about that. */

export function* failoverSteps(world: World, state: State): Iterable<Step> {
  if (state.left.failovers > 0) {
    yield* remembering(state);
    yield* failovers(world, state);
  }
  for (const [index, { knows }] of state.callers.entries()) {
    if (isAsKnown(state, knows)) continue;
    yield step(`The process of caller ${'AB'[index] ?? index} looks at the commit mark.`, state, (next) => {
      look(next, index);
    });
  }
  yield* reading(world, state);
  for (const [place, id] of state.finds.entries())
    yield step(`The payment that was found is recorded again.`, state, (next) => {
      next.finds.splice(place, 1);
      adopt(world, next, seen(next, id));
    });
}

/** A standby catches up, once; and the commit mark is counted up after that. */
function* remembering(state: State): Iterable<Step> {
  const { remembered, mark } = state;
  if (remembered === null) {
    yield step('The standby has everything up to now, and nothing after that.', state, (next) => {
      next.remembered = { rows: databaseCopy(next), isOld: false };
    });
    return;
  }
  if (mark.counter > remembered.rows.mark.counter) return;
  yield step('The processes count the commit mark up.', state, (next) => {
    next.mark = { ...mark, counter: mark.counter + 1 };
    for (const caller of next.callers) caller.knows = next.mark;
  });
}

function* failovers({ hides, without }: World, state: State): Iterable<Step> {
  const { remembered } = state;
  if (remembered === null) return;
  for (const failedOver of ['shown', 'hidden'] as const)
    for (const isRestarted of [false, true]) {
      // A backup that is days old is never taken for the same server: nobody has counted the mark up for long.
      if (failedOver === 'hidden' && (remembered.isOld || !hides)) continue;
      const server = failedOver === 'shown' ? 'another server, and shows that' : 'another server';
      const processes = isRestarted ? 'every process is started anew' : 'the processes live on';
      const { left } = state;
      const made = step(`The database goes back, on ${server}; ${processes}.`, state, (next) => {
        next.left = { ...left, failovers: left.failovers - 1 };
        Object.assign(next, databaseCopy(remembered.rows), { remembered: null, failedOver });
        next.keysGone = remembered.isOld;
        if (isRestarted) restart(next);
        else outlive(next);
        if (without.has('refund key in its mark')) forgetNames(next);
      });
      yield { ...made, isFault: true };
    }
}

/** What processes hold in their hands is about rows that may be gone. */
function outlive(next: State): void {
  const gone = (operation: number) => operation >= next.operations.length;
  for (const request of next.wire) if (gone(request.operation)) request.operation = FORGOTTEN;
  for (const { sending } of next.callers) {
    if (!sending) continue;
    // What was read with the request is of the version that the order had: decided again under the locks.
    sending.asRecorded = null;
    if (gone(sending.operation)) sending.operation = FORGOTTEN;
  }
  // The fence of a claim is a random one: a worker whose claim is forgotten has lost it.
  for (const request of next.wire) if (request.sender?.startsWith('worker')) request.sender = null;
  // A run may come late, and under a number that is another delivery's by now.
  for (const worker of next.workers) if (worker.work?.of !== 'delivery') worker.work = null;
}

function restart(next: State): void {
  for (const request of next.wire) request.sender = null;
  for (const one of next.asked) one.worker = null;
  for (const worker of next.workers) worker.work = null;
  for (const [index, caller] of next.callers.entries()) {
    Object.assign(caller, { sending: null, read: null, knows: null });
    look(next, index);
  }
  const gone = (operation: number) => operation >= next.operations.length;
  for (const request of next.wire) if (gone(request.operation)) request.operation = FORGOTTEN;
}

/** A mark with the id of a row in place of its key says nothing to the row that takes its place. */
function forgetNames(next: State): void {
  for (const refund of next.service.refunds)
    if (!next.refunds.some(({ refundKey }) => refundKey === refund.mark)) refund.isNameless = true;
}

/** The service's lists of the lost time are read; once more when what was on its way has arrived. */
function* reading(world: World, state: State): Iterable<Step> {
  const { window, wire, callers } = state;
  if (window === null) return;
  const isOnItsWay = wire.length > 0 || callers.some(({ sending }) => sending?.operation === FORGOTTEN);
  if (window === 'again' && isOnItsWay) return;
  const after = isOnItsWay ? 'again' : null;
  const { receipts } = world.way;
  const isReceipted = receipts || state.service.receipts.length > 0;
  if (window === 'listed') {
    if (unknownRefunds(state).length === 0)
      yield step('Each refund of the lists is known.', state, (next) => {
        next.window = isReceipted ? 'receipts' : after;
      });
    return;
  }
  const readReceipts = (next: State) => {
    for (const payment of withUnknownReceipts(next)) adoptReceipts(world, next, payment);
  };
  if (window === 'receipts') {
    yield step("The service's receipts of the lost time are read.", state, (next) => {
      readReceipts(next);
      next.window = after;
    });
    return;
  }
  const once = window === 'again' ? ' once more' : '';
  yield step(`The service's lists of the lost time are read${once}.`, state, (next) => {
    for (const id of next.service.payments.keys()) {
      const object = seen(next, id);
      found(world, next, object);
      const payment = next.payments.findIndex(({ serviceId }) => serviceId === id);
      if (payment !== -1 && next.payments[payment]?.status !== object.status) want(next, payment);
    }
    const unknown = unknownRefunds(next);
    for (const payment of unknown) want(next, payment, 1);
    if (window === 'again') readReceipts(next);
    const then = isReceipted ? 'receipts' : after;
    next.window = window === 'again' ? null : unknown.length > 0 ? 'listed' : then;
  });
}

/** Payments with a refund at the service that has no row here. */
function unknownRefunds({ service, payments, refunds }: State): number[] {
  return [...service.refunds.entries()].flatMap(([id, { payment: of }]) => {
    const payment = payments.findIndex(({ serviceId }) => serviceId === of);
    const isKnown = refunds.some((row) => row.payment === payment && row.serviceId === id);
    return payment === -1 || isKnown ? [] : [payment];
  });
}
