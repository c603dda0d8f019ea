import type { Draft } from './draft.js';
import { hasOpenWork, openLookAt } from './open-work.js';
import { answeredPlace, earlier, returnedPlace, type Plan } from './queue.js';

/** With its place in the queue, as the worker returns it that has re-read it and has counted from so many `checks`. */
export function returned(draft: Draft, plan: Plan, checks: number): Draft {
  const { queued, now } = draft;
  if (queued === null)
    throw new Error(`Payment ${draft.payment.id} was claimed without a place in the queue.`);
  return { ...draft, place: returnedPlace(planFor(draft, plan), queued, now, checks) };
}

/** With its place in the queue, as an answer plans it. Whoever re-reads it meanwhile returns it: that worker is to see what waited for it. */
export function answered(draft: Draft, plan: Plan, isTold: boolean): Draft {
  const { queued, now, wanted } = draft;
  if (!queued?.isTaken) return { ...draft, place: answeredPlace(planFor(draft, plan), queued, now, isTold) };
  return isTold ? { ...draft, wanted: { ...wanted, at: now, isUrgent: true } } : draft;
}

/** With what is to be sent, which is looked at no later than that; what is open keeps the payment in the queue, whatever was planned. */
function planFor(draft: Draft, planned: Plan): Plan {
  const { now, wanted } = draft;
  const plan =
    planned.at === null && hasOpenWork(draft) ? { ...planned, at: openLookAt(now, planned) } : planned;
  if (wanted === null) return plan;
  return {
    ...plan,
    at: earlier(plan.at, wanted.at),
    checks: wanted.isAfresh ? 0 : plan.checks,
    ...(wanted.at <= now && { lane: 'notified' }),
    answeredSignals: (plan.answeredSignals ?? 0) - (wanted.withRefunds ? 1 : 0),
  };
}
