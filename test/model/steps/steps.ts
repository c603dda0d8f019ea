import { at, fault, type State, type Step, type World } from '../state.js';
import { callSteps } from './calls.js';
import { clockSteps } from './clock.js';
import { deliveryClaims, outsideSteps, runSteps } from './deliveries.js';
import { failoverSteps } from './failover.js';
import { notificationSteps } from './notifications.js';
import { claimSteps, rereadSteps } from './rereads.js';
import { serviceSteps } from './service.js';
import { timeSteps } from './time.js';

/** Everything that may happen next. */
export function* stepsFrom(world: World, state: State): Iterable<Step> {
  yield* callSteps(world, state);
  yield* serviceSteps(world, state);
  yield* notificationSteps(world, state);
  yield* outsideSteps(state);
  for (const [worker, { work }] of state.workers.entries()) {
    if (work === null) {
      yield* claimSteps(state, worker);
      yield* deliveryClaims(state, worker);
    } else {
      yield* work.of === 'payment'
        ? rereadSteps(world, state, worker, work)
        : runSteps(world, state, worker, work);
      if (state.left.faults > 0)
        yield fault(`worker ${worker + 1} dies, and another process takes its place.`, state, (next) => {
          for (const request of next.wire)
            if (request.sender === `worker ${worker + 1}`) request.sender = null;
          for (const one of next.asked) if (one.worker === `worker ${worker + 1}`) one.worker = null;
          at(next.workers, worker).work = null;
        });
    }
  }
  yield* failoverSteps(world, state);
  yield* clockSteps(world, state);
  yield* timeSteps(state);
}
