import { effectKey } from '../rows.js';
import { at, step, type Run, type State, type Step, type World } from '../state.js';

/** Handlers: a delivery is claimed, run and marked. */

export function* deliveryClaims(state: State, worker: number): Iterable<Step> {
  for (const [delivery, row] of state.deliveries.entries()) {
    if (row.done || row.leased) continue;
    yield step(`worker ${worker + 1} claims delivery ${delivery}.`, state, (next) => {
      const attempts = row.attempts + 1;
      Object.assign(at(next.deliveries, delivery), { attempts, leased: true });
      at(next.workers, worker).work = { of: 'delivery', delivery, attempts, hasRun: false };
    });
  }
}

export function* runSteps(world: World, state: State, worker: number, run: Run): Iterable<Step> {
  const { without } = world;
  const name = `worker ${worker + 1}`;
  const { delivery, attempts, hasRun } = run;
  if (hasRun) {
    yield step(`${name} marks delivery ${delivery} done.`, state, (next) => {
      Object.assign(at(next.deliveries, delivery), { done: true, leased: false });
      at(next.workers, worker).work = null;
    });
    return;
  }
  const row = at(state.deliveries, delivery);
  const isIts = (!row.done && row.attempts === attempts) || without.has('mark before run');
  if (!isIts) {
    yield step(`${name} finds delivery ${delivery} taken over, and runs nothing.`, state, (next) => {
      at(next.workers, worker).work = null;
    });
  } else if (without.has('effect with its mark')) {
    yield step(
      `${name} runs the handler of delivery ${delivery}, and its rows are committed.`,
      state,
      (next) => {
        at(next.deliveries, delivery).effects += 1;
        at(next.workers, worker).work = { ...run, hasRun: true };
      },
    );
  } else {
    yield step(
      `${name} runs the handler of delivery ${delivery}, and its rows are committed with its mark.`,
      state,
      (next) => {
        const made = at(next.deliveries, delivery);
        doOutside(world, next, delivery);
        Object.assign(made, { done: true, leased: false, effects: made.effects + 1 });
        at(next.workers, worker).work = null;
      },
    );
  }
}

/** Its receiver takes what has a key that it knows for the same again. */
function doOutside({ without }: World, next: State, delivery: number): void {
  const { tryNumber } = at(next.payments, at(next.deliveries, delivery).payment);
  const key = without.has('effect named by its event') ? `event ${delivery}` : effectKey(tryNumber);
  const mark = tryNumber - 1;
  const known = next.effects.find((one) => one.key === key);
  if (known === undefined) next.effects.push({ key, mark });
  else if (known.mark !== mark) next.dropped.push({ key, mark });
}
