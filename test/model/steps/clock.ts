import { step, type State, type Step, type World } from '../state.js';
import { endRowLeases, growRows, later } from './time.js';

/**
 * The database's clock, which may jump: what is recorded is older at once and its leases are over, while requests are still on their
 * way and their senders wait. Only what a process has waited itself is time.
 */

export function* clockSteps(world: World, state: State): Iterable<Step> {
  if (!world.jumps || state.left.jumps === 0 || state.operations.length === 0) return;
  yield step("The database's clock jumps by twenty minutes.", state, (next) => {
    next.left.jumps -= 1;
    endRowLeases(next);
    growRows(next, later);
  });
}

/**
 * Whether a process has had the last attempt before its eyes for long enough, in real time; sees it now if it has not. Where no
 * clock jumps, that is what the ages say.
 */
export function hasWaited({ jumps, without }: World, next: State, operation: number): boolean {
  if (!jumps || without.has('own waiting before never received')) return true;
  const seen = next.watched.find((one) => one.operation === operation);
  if (!seen) next.watched.push({ operation, hasWaited: false });
  return seen?.hasWaited === true;
}

/** Another attempt, or its end: the waiting begins anew. */
export function watchAnew(next: State, operation: number): void {
  next.watched = next.watched.filter((one) => one.operation !== operation);
}
