import type { Lane, PaymentsDueEntity } from '../schema/due.entity.js';

/** A payment's place in the queue, as it was read. */
export interface Queued extends Pick<
  PaymentsDueEntity,
  'readyAt' | 'wantedAt' | 'checks' | 'refundSignals' | 'fence'
> {
  readonly lane: Lane;
  /** It is ready, or will be once its rest is over: a re-read was requested, for a reason that is not settled here. */
  readonly isAsked: boolean;
  /** A worker has it. */
  readonly isTaken: boolean;
}

/** Its next place, as whoever re-reads it, or applies an answer, plans it. */
export interface Plan {
  /** The next planned look, in business time; null: never. */
  readonly at: Date | null;
  /** Re-reads since the last change. */
  readonly checks: number;
  /** Where it queues: where it was, or among these. Default: as it is planned and was requested. */
  readonly lane?: 'kept' | 'failing' | 'notified';
  /** How long the sweep keeps away from it, whatever is requested. Default: 0. */
  readonly restMs?: number;
  /** Requests for a list of its refunds that were answered; less than zero: one more is made. Default: 0. */
  readonly answeredSignals?: number;
}

/** Its next place, with all that was requested meanwhile. */
export interface Place {
  /** null: it leaves the queue. */
  readonly at: Date | null;
  readonly checks: number;
  readonly lane: Lane;
  readonly refundSignals: number;
  readonly restMs: number;
  /** What it was decided on: whatever is requested after that has it decided again. null: it had no place. */
  readonly before: Pick<Queued, 'checks' | 'refundSignals'> | null;
}

/** The place of a payment whose own worker returns it. `checks`: those that its worker has counted from. */
export function returnedPlace(plan: Plan, queued: Queued, now: Date, checks: number): Place {
  const { wantedAt } = queued;
  return {
    // Earlier if something was requested since it was claimed.
    at: earlier(plan.at, wantedAt),
    // Polls that were begun afresh meanwhile stay so.
    checks: queued.checks === checks ? plan.checks : queued.checks,
    lane: laneOf(plan, queued, now),
    refundSignals: queued.refundSignals - (plan.answeredSignals ?? 0),
    restMs: plan.restMs ?? 0,
    before: queued,
  };
}

function laneOf({ lane }: Plan, queued: Queued, now: Date): Lane {
  const { wantedAt } = queued;
  if (lane === 'kept') return queued.lane;
  if (lane === 'notified') return lane;
  if (lane === 'failing') return wantedAt === null ? lane : 'notified';
  // What was requested for now goes first, for later as a poll.
  return wantedAt !== null && wantedAt <= now ? 'notified' : 'polls';
}

/**
 * The place that an answer plans, of a payment that nobody has. `isTold`: notifications have waited for its id, which a re-read is to
 * see (G7).
 */
export function answeredPlace(plan: Plan, queued: Queued | null, now: Date, isTold: boolean): Place {
  const { checks, lane, answeredSignals = 0, restMs = 0 } = plan;
  const refundSignals = (queued?.refundSignals ?? 0) - answeredSignals;
  const place = { checks, refundSignals, restMs, before: queued };
  // What was requested is not answered by this.
  if (queued?.isAsked)
    return { ...place, at: queued.readyAt, lane: lane === 'notified' ? lane : keptLane(queued) };
  if (isTold) return { ...place, at: now, lane: 'notified' };
  return { ...place, at: plan.at, lane: lane === 'notified' ? lane : 'polls' };
}

function keptLane({ lane }: Queued): Lane {
  return lane === 'notified' ? lane : 'polls';
}

export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
