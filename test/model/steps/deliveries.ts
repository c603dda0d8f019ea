import { deliveryOf } from '../ledger.js';
import { effectKey, handlerKey } from '../rows.js';
import { at, fault, step, type Run, type State, type Step, type World } from '../state.js';

/** Deliveries: they are claimed, run and marked. A handler's run is one transaction; an effect's is none. */

/** Of a claim that was made just now. Its number names it, and `normal.ts` gives it the one that stays. */
const NEW = 1_000;

export function* deliveryClaims(state: State, worker: number): Iterable<Step> {
  for (const [delivery, row] of state.deliveries.entries()) {
    if (row.done || row.leased) continue;
    yield step(`worker ${worker + 1} claims ${titleOf(state, delivery)}.`, state, (next) => {
      Object.assign(at(next.deliveries, delivery), { fence: NEW, leased: true });
      at(next.workers, worker).work = { of: 'delivery', delivery, key: row.key, fence: NEW, at: 'claimed' };
    });
  }
}

function titleOf({ deliveries }: State, delivery: number): string {
  const row = deliveries[delivery];
  return row && row.key !== null
    ? `delivery ${delivery}, an effect of payment ${row.mark}`
    : `delivery ${delivery}`;
}

export function* runSteps(world: World, state: State, worker: number, run: Run): Iterable<Step> {
  const name = `worker ${worker + 1}`;
  const row = state.deliveries[run.delivery];
  const isIts = row !== undefined && !row.done && row.fence === run.fence;
  const does = (words: string, change: (next: State, self: Run) => void): Step =>
    step(`${name} ${words}.`, state, (next) => {
      const { work } = at(next.workers, worker);
      if (work?.of === 'delivery') change(next, work);
    });
  const drop = (next: State) => void (at(next.workers, worker).work = null);
  const runs = { world, state, run, isIts, does, drop, name };
  yield* run.key === null ? handled(runs) : done(runs);
}

interface Runs {
  readonly world: World;
  readonly state: State;
  readonly run: Run;
  /** The delivery is its claim's still. */
  readonly isIts: boolean;
  readonly does: (words: string, change: (next: State, self: Run) => void) => Step;
  readonly drop: (next: State) => void;
  readonly name: string;
}

function* handled({ world, state, run, isIts, does, drop }: Runs): Iterable<Step> {
  const { without } = world;
  const { delivery } = run;
  const handler = `the handler of delivery ${delivery}`;
  const mark = (next: State) => {
    Object.assign(at(next.deliveries, delivery), { done: true, fence: null, leased: false });
    drop(next);
  };
  if (without.has('effect with its mark') && run.at === 'half') {
    yield does(`marks delivery ${delivery} done`, mark);
    return;
  }
  if (!isIts && !(without.has('mark before run') && state.deliveries[delivery])) {
    yield does(`finds delivery ${delivery} taken over, and runs nothing`, drop);
    return;
  }
  if (without.has('effect with its mark')) {
    yield does(`runs ${handler}, and its rows are committed`, (next, self) => {
      at(next.deliveries, delivery).effects += 1;
      self.at = 'half';
    });
    return;
  }
  const isApart = world.effects && without.has('effect recorded with its handler');
  if (isApart && run.at === 'claimed') {
    yield does(`runs ${handler}, and the effect that it records is committed`, (next, self) => {
      record(world, next, delivery);
      self.at = 'half';
    });
    return;
  }
  yield does(`runs ${handler}, and its rows are committed with its mark`, (next) => {
    if (world.effects) record(world, next, delivery);
    at(next.deliveries, delivery).effects += 1;
    mark(next);
  });
}

/** Once under its key. */
function record({ without }: World, next: State, delivery: number): void {
  const { payment } = at(next.deliveries, delivery);
  const row = at(next.payments, payment);
  const isNumbered = without.has('effect named by its event');
  const key = effectKey(isNumbered ? `event ${delivery}` : handlerKey(row.tryNumber));
  if (next.deliveries.some((one) => one.key === key)) return;
  next.deliveries.push(deliveryOf(payment, row, key));
}

function* done({ world, state, run, isIts, does, drop, name }: Runs): Iterable<Step> {
  const { without } = world;
  const { delivery, key } = run;
  if (key === null || run.at === 'asked') return;
  const title = titleOf(state, delivery);
  const mark = (next: State) => {
    const row = next.deliveries[delivery];
    const isTaken = isIts || without.has('effect marked under its lease');
    if (row && row.key !== null && isTaken) Object.assign(row, { done: true, fence: null, leased: false });
  };
  const begins = run.at === 'claimed' || run.at === 'half';
  if (!begins) {
    yield does(`marks ${title} done`, (next) => {
      if (!without.has('effect marked after its run')) mark(next);
      drop(next);
    });
    return;
  }
  if (without.has('effect marked after its run') && run.at === 'claimed' && isIts) {
    yield does(`marks ${title} done before it is run`, (next, self) => {
      mark(next);
      self.at = 'half';
    });
    return;
  }
  // What it does is read as it begins; its key came with the claim.
  const row = state.deliveries[delivery];
  const mayBegin = isIts || run.at === 'half' || without.has('effect begun under its lease');
  if (row === undefined || row.key === null || !mayBegin) {
    yield does(`finds ${title} taken over, and runs nothing`, drop);
    return;
  }
  const { mark: about } = row;
  yield does(`runs ${title}`, (next, self) => {
    self.at = 'asked';
    next.asked.push({ key, mark: about, worker: name });
  });
}

/** Outside: what was asked for is done, or never arrives. Its receiver takes what has a key that it knows for the same again. */
export function* outsideSteps(state: State): Iterable<Step> {
  for (const [index, { key, mark, worker }] of state.asked.entries()) {
    const title = `The effect of payment ${mark}${worker === null ? ', for which nobody waits,' : ''}`;
    const hear = (next: State, isDone: boolean) => {
      next.asked.splice(index, 1);
      const waiting = next.workers[Number(worker?.at(-1)) - 1];
      if (waiting?.work?.of !== 'delivery') return;
      if (isDone) waiting.work.at = 'did';
      else waiting.work = null;
    };
    yield step(`${title} is done outside.`, state, (next) => {
      hear(next, true);
      const known = next.effects.find((one) => one.key === key);
      if (known === undefined) next.effects.push({ key, mark });
      else if (known.mark !== mark) next.dropped.push({ key, mark });
    });
    if (state.left.faults > 0)
      yield fault(`${title} is lost on its way outside.`, state, (next) => hear(next, false));
  }
}
