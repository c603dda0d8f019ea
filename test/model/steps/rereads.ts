import { isOnlyLookedUp, isQuiet } from '../../../libs/payments/src/operations/key-age.js';
import { isAlone } from '../../../libs/payments/src/reconcile/reading-writer.js';
import { absentFrom } from '../../../libs/payments/src/reconcile/refunds/absent-refunds.js';
import { found as foundAgain } from '../adopt.js';
import { reject } from '../create.js';
import { decidedUnlocked, isOver } from '../decisions.js';
import { apply, lockOrder, returnPlace, settleByReading, write } from '../ledger.js';
import { hasOpenWork, isUnsettled, settle } from '../operations.js';
import { lookUp } from '../receipts.js';
import { NOW, objectOf, operationOf, refundId, seenRefundOf, timeOf } from '../rows.js';
import {
  at,
  step,
  type Listed,
  type Look,
  type Reread,
  type State,
  type Step,
  type World,
} from '../state.js';
import { hasWaited } from './clock.js';
import { claim, isSwept, sendingSteps, titleOf } from './sending.js';
import { seen } from './service.js';

/** A worker's re-read: claim, end what is open, ask the service, write. */

export function* claimSteps(state: State, worker: number): Iterable<Step> {
  for (const [payment, place] of state.queue.entries()) {
    if (place === null || place.leased) continue;
    yield step(`worker ${worker + 1} claims payment ${payment}.`, state, (next) => {
      const fence = next.claims;
      next.claims += 1;
      next.queue[payment] = { ...place, fence, leased: true, wanted: false };
      at(next.workers, worker).work = begin(state, payment, fence);
    });
  }
}

function begin(state: State, payment: number, fence: number): Reread {
  const row = at(state.payments, payment);
  const heard = state.notifications.find(({ serviceId }) => serviceId === row.serviceId);
  const isOpen = hasOpenWork(state, payment);
  const refundSignals = state.queue[payment]?.refundSignals ?? 0;
  const claimed = {
    payment: { supersededAt: row.superseded ? NOW : null },
    due: { refundSignals },
    isUnsettled: isOpen,
  };
  return {
    of: 'payment',
    payment,
    fence,
    known: isAlone(claimed) ? { row: { ...row }, order: { ...state.order } } : null,
    refundSignals,
    seen: heard && heard.count > heard.handled ? heard.count : 0,
    todo: isOpen
      ? state.operations.flatMap((one, index) => (one.payment === payment && isUnsettled(one) ? [index] : []))
      : [],
    sending: null,
    look: null,
    asked: 0,
    object: null,
    isOffered: false,
    listed: null,
  };
}

function workOf(state: State, worker: number): Reread {
  const { work } = at(state.workers, worker);
  if (work?.of !== 'payment') throw new Error('It re-reads.');
  return work;
}

export function* rereadSteps(world: World, state: State, worker: number, work: Reread): Iterable<Step> {
  const name = `worker ${worker + 1}`;
  const { payment, todo, look, object } = work;
  const next = (words: string, change: (next: State, work: Reread) => void): Step =>
    step(`${name} ${words}.`, state, (made) => change(made, workOf(made, worker)));
  const drop = (made: State) => void (at(made.workers, worker).work = null);
  if (work.sending) {
    yield* sendingSteps(world, state, { name, of: (of) => workOf(of, worker) });
    return;
  }
  if (look) {
    const title = titleOf(state, look.operation);
    yield next(
      look.found ? `writes what the list says of ${title}` : `closes ${title} as never received`,
      (made, self) => {
        self.look = null;
        close(world, made, look);
      },
    );
    return;
  }
  // Before each request the lease is made longer, if it is still its own.
  const isMine = state.queue[payment]?.fence === work.fence;
  const isLate = !isMine && !world.without.has('lease fence');
  const [operation, ...rest] = todo;
  if (operation !== undefined) {
    if (isLate) yield next('finds its payment taken over, and stops', drop);
    else yield resolve(world, state, worker, operation, rest);
    return;
  }
  if (object === null) {
    const { serviceId } = at(state.payments, payment);
    if (serviceId === null) {
      yield next(`finds no answer to the create of payment ${payment} yet`, (made) => {
        drop(made);
        if (!isMine && !world.without.has('lease fence')) return;
        lockOrder(made);
        const over = isOver(world.way, at(made.payments, payment), false);
        returnPlace(world, made, payment, { isOver: over, answeredSignals: 0 });
      });
      return;
    }
    if (isLate) yield next('finds its payment taken over, and stops', drop);
    else {
      const believed = state.notifications.find((one) => one.serviceId === serviceId && work.seen > 0);
      const isBelieved = world.without.has('re-read before belief') && believed;
      const found = seen(state, serviceId);
      const status = isBelieved ? believed.says : found.status;
      yield next(
        `${isBelieved ? 'believes that' : 'reads:'} payment ${payment} is ${status}`,
        (_made, self) => {
          self.object = { ...found, status };
        },
      );
    }
    return;
  }
  const { serviceId } = at(state.payments, payment);
  if (!work.isOffered) {
    yield next(`writes that payment ${payment} is ${object.status}`, (made, self) => {
      self.isOffered = true;
      if (offer(world, made, self, object)) drop(made);
      else if (!asksForList(made, self) && writeLocked(world, made, { ...self, listed: NO_LIST })) drop(made);
      else if (!asksForList(made, self)) drop(made);
    });
    return;
  }
  if (work.listed === null) {
    if (isLate) yield next('finds its payment taken over, and stops', drop);
    else if (serviceId !== null)
      yield next(
        `lists the refunds${world.way.receipts ? ' and receipts' : ''} of payment ${payment}`,
        (made, self) => {
          self.listed = list(world, made, self, serviceId);
        },
      );
    return;
  }
  yield next(`writes what it read of payment ${payment}`, (made, self) => {
    writeLocked(world, made, self);
    drop(made);
  });
}

const NO_LIST: Listed = { signals: 0, refunds: null, lost: [], receipts: [] };

/** Sends an operation, or looks its payment up, or leaves it. */
function resolve(
  world: World,
  state: State,
  worker: number,
  operation: number,
  rest: readonly number[],
): Step {
  const name = `worker ${worker + 1}`;
  const title = titleOf(state, operation);
  const row = at(state.operations, operation);
  const said = { text: '' };
  const made = step('', state, (next) => {
    const self = workOf(next, worker);
    self.todo = rest;
    if (isSwept(next, operation)) {
      const claimed = claim(world, next, operation, 'sweep');
      if (typeof claimed !== 'string') self.sending = claimed;
      said.text =
        typeof claimed === 'string' ? `leaves ${title}, which is ${claimed}` : `is to send ${title} again`;
      return;
    }
    const isOld = world.without.has('quiet before never received') || isQuiet(timeOf(row.lastSent), NOW);
    const isWaitedOut = row.kind === 'create' && isUnsettled(row) && hasWaited(world, next, operation);
    if (!isWaitedOut || !isOld) {
      said.text = `leaves ${title} for now`;
      return;
    }
    const { tryNumber, changed } = at(next.payments, row.payment);
    const listed = next.service.payments.map((_, id) => seen(next, id));
    const ofTry = listed.filter((one) => !one.isOthers && one.mark === tryNumber - 1);
    const found = ofTry.find((one) => one.changed === changed) ?? null;
    const isSeen = !world.without.has('another request under its key');
    const other = isSeen ? (ofTry.find((one) => one.changed !== changed) ?? null) : null;
    self.look = { operation, attempts: row.attempts, found, other };
    said.text = `looks through the list for payment ${row.payment}: it is ${found ? 'there' : 'not there'}`;
  });
  return { ...made, story: `${name} ${said.text}.` };
}

/** What a list says of a create whose answer never came. */
function close(world: World, next: State, { operation, attempts, found, other }: Look): void {
  const row = at(next.operations, operation);
  lockOrder(next);
  const isNewest = row.attempts === attempts || world.without.has('newest attempt before never received');
  if (!isNewest || at(next.payments, row.payment).status !== 'submitting') return;
  if (found === null) {
    reject(world, next, row.payment);
    settle(next, operation, 'refused');
    if (other === null) return;
    row.refusedBy = 'service_key_reused';
    foundAgain(world, next, other);
    return;
  }
  const { verdict } = apply(world, next, row.payment, found, null);
  if (verdict.kind !== 'anomaly') settle(next, operation, 'confirmed');
}

/** Writes what it read without locks; false: it has to be decided again. */
function offer(world: World, next: State, work: Reread, object: NonNullable<Reread['object']>): boolean {
  const { payment, known, fence } = work;
  if (known === null) return false;
  const { row, order } = known;
  const decision = decidedUnlocked([world.way, payment, row, order], object);
  if (decision === null) return false;
  const isMine = next.queue[payment]?.fence === fence || world.without.has('lease fence');
  const isCurrent = next.order.version === order.version || world.without.has('version check');
  if (!isMine || (decision.made && !isCurrent)) return false;
  if (decision.made) write(world, next, payment, decision.made);
  answer(next, work);
  returnPlace(world, next, payment, { isOver: decision.isOver, answeredSignals: 0 });
  return true;
}

/** Writes it under the locks; false: another worker has taken over. */
function writeLocked(world: World, next: State, work: Reread): boolean {
  const { payment, fence, object, listed, asked } = work;
  if (object === null) return false;
  lockOrder(next);
  if (next.queue[payment]?.fence !== fence && !world.without.has('lease fence')) return false;
  const applied = apply(world, next, payment, object, listed);
  const fits = applied.verdict.kind === 'move' || applied.verdict.kind === 'unchanged';
  if (fits) settleByReading(world, next, payment, asked);
  answer(next, work);
  returnPlace(world, next, payment, {
    isOver: applied.isOver,
    answeredSignals: fits ? (listed?.signals ?? 0) : 0,
  });
  return true;
}

/** The notifications that were there before the service was asked are answered. */
function answer(next: State, { payment, seen: count }: Reread): void {
  const { serviceId } = at(next.payments, payment);
  const row = next.notifications.find((one) => one.serviceId === serviceId);
  if (!row || count === 0) return;
  row.handled = Math.max(row.handled, count);
  row.isReady = row.count > row.handled && (row.step === 'look_up' || row.isReady);
  row.step = 'hand_over';
}

function asksForList(
  { refunds, operations, payments }: State,
  { payment, object, refundSignals }: Reread,
): boolean {
  if (object?.status !== 'succeeded') return false;
  const unsure = operations.some(
    (one) =>
      one.payment === payment &&
      (one.refund !== null || one.receipt !== null) &&
      isUnsettled(one) &&
      isOnlyLookedUp(operationOf(one), NOW),
  );
  const isPending = refunds.some((one) => one.payment === payment && one.status === 'pending');
  return (
    object.refundedMinor !== at(payments, payment).refundedMinor || refundSignals > 0 || isPending || unsure
  );
}

function list(
  world: World,
  state: State,
  { payment, object, refundSignals }: Reread,
  serviceId: number,
): Listed {
  const refunds = state.service.refunds.flatMap((row, id) =>
    row.payment === serviceId ? [{ id, ...row }] : [],
  );
  const row = at(state.payments, payment);
  const quiet = state.operations.flatMap((one) => {
    const { payment: of, refund, attempts, lastSent } = one;
    const isSure = of !== payment || refund === null || !isUnsettled(one);
    if (isSure || !isOnlyLookedUp(operationOf(one), NOW)) return [];
    const isCertain = world.without.has('quiet before lost refund') || isQuiet(timeOf(lastSent), NOW);
    const { refundKey } = at(state.refunds, refund);
    return isCertain ? [{ refundId: refundId(refundKey, row, refund), attempts, refund }] : [];
  });
  const { refundedMinor } = object ? objectOf(object) : { refundedMinor: 0 };
  const lost = absentFrom(
    refunds.map((refund) => seenRefundOf(refund, row, true)),
    { refundedMinor },
    quiet,
  );
  return {
    signals: refundSignals,
    refunds,
    lost: quiet.filter((sent) => lost.some((one) => one.refundId === sent.refundId)),
    receipts: lookUp(world, state, payment),
  };
}
