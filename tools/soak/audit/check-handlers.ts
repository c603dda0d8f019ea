import { percentile } from '../../common/percentile.js';
import { PACE } from '../pace.js';
import { HANGING_HANDLER, hangs, limits } from '../shop/settings.js';
import { late, type Finding } from './finding.js';
import type { ShopRecords } from './records.js';

export interface HandlerTimes {
  /** Deliveries in which the hanging handler hung. */
  readonly hung: number;
  /** Runs of it that hung. */
  readonly hungRuns: number;
  /** From the event to the end of a first run in the others, in business time; NaN: none. */
  readonly othersP50Ms: number;
  readonly othersP99Ms: number;
}

/** The deliveries of the handler that hangs, and how long the others took beside it. */
export function handlerTimesOf({ deliveries }: Pick<ShopRecords, 'deliveries'>): HandlerTimes {
  const hung = deliveries.filter(
    ({ handlerId, eventId }) => handlerId === HANGING_HANDLER && hangs(eventId, 1),
  );
  // A delivery that is run again has waited for itself.
  const others = deliveries.flatMap(({ handlerId, attempts, tookMs }) =>
    handlerId !== HANGING_HANDLER && attempts === 1 && tookMs !== null ? [tookMs] : [],
  );
  return {
    hung: hung.length,
    hungRuns: hung.flatMap(({ eventId, attempts }) =>
      Array.from({ length: attempts }, (_, index) => index + 1).filter((attempt) => hangs(eventId, attempt)),
    ).length,
    othersP50Ms: percentile(others, 50),
    othersP99Ms: percentile(others, 99),
  };
}

/** Half of the other deliveries are done before a run that hangs is cut off once: so they do not wait for it. */
export function checkHandlers(shop: Pick<ShopRecords, 'deliveries'>): Finding[] {
  const { othersP50Ms } = handlerTimesOf(shop);
  const deadlineMs = PACE * limits.handlerTimeoutMs;
  if (!(othersP50Ms > deadlineMs)) return [];
  const [took, deadline] = [othersP50Ms, deadlineMs].map((ms) => `${ms / 1_000} s`);
  return [
    late(`every other delivery took more than ${took}, beside a handler that is cut off after ${deadline}`),
  ];
}
