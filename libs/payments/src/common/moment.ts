/** A moment of this process, by both of its clocks: {@link elapsedMs} and {@link elapsedAtMostMs} measure from it. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function thisMoment(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** How much time has passed since, in ms: by the monotonic clock, since the other may be set meanwhile. */
export function elapsedMs({ monotonicMs }: Moment): number {
  return performance.now() - monotonicMs;
}

/**
 * How much may have passed since, in ms, for what has to end in time: as the clock says that says more. The monotonic one stands
 * still while the machine sleeps, and the other may be set back.
 */
export function elapsedAtMostMs(moment: Moment): number {
  return Math.max(elapsedMs(moment), Date.now() - moment.wallMs);
}
