/** From one moment to another, of one clock. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** What the service's clock showed at some moment while ours went from one time to another. */
export interface ClockReading {
  readonly ours: Span;
  readonly theirs: Span;
}

/** All that is known of the service's clock around some time of ours. */
export interface ClockReadings {
  /** Its timestamps on payments of ours while they were being made: from the very clock that lists go by. */
  readonly stamps: readonly ClockReading[];
  /** The `Date` of its answers; any proxy in between may have written it. */
  readonly header: ClockReading | null;
}

/** By how much the service's clock is ahead of ours, at least and at most. */
export interface Offset {
  readonly minMs: number;
  readonly maxMs: number;
}

/** A clock may step by this much between two readings, and back, without either showing it. */
export const UNSEEN_STEP_MS = 15 * 60_000;

/** A `Date` is cut off to whole seconds. */
const SECOND_MS = 1_000;

export function stampReading(ours: Span, stampedAt: Date): ClockReading {
  return { ours, theirs: { from: stampedAt, to: stampedAt } };
}

export function headerReading(ours: Span, date: Date): ClockReading {
  return { ours, theirs: { from: date, to: new Date(date.getTime() + SECOND_MS) } };
}

/** The range that all these readings leave possible; null without readings. */
export function offsetOf(readings: readonly ClockReading[]): Offset | null {
  if (readings.length === 0) return null;
  return {
    minMs: Math.min(...readings.map(({ ours, theirs }) => theirs.from.getTime() - ours.to.getTime())),
    maxMs: Math.max(...readings.map(({ ours, theirs }) => theirs.to.getTime() - ours.from.getTime())),
  };
}

/** Good enough to look for something again and again: all readings together. */
export function likelyOffset({ stamps, header }: ClockReadings): Offset | null {
  return offsetOf([...stamps, ...(header ? [header] : [])]);
}

/**
 * Good enough to draw conclusions from an absence (G16): read before `ours` and after it. A header counts as a reading after it
 * only if the stamps before agree: otherwise either it is wrong, or the clock was set at an unknown time.
 */
export function provenOffset(ours: Span, { stamps, header }: ClockReadings): Offset | null {
  const before = stamps.filter((reading) => reading.ours.from <= ours.from);
  const after = stamps.filter((reading) => reading.ours.to >= ours.to);
  if (before.length === 0) return null;
  if (after.length > 0) return offsetOf([...before, ...after]);
  if (header === null || header.ours.to < ours.to) return null;
  return before.every((stamp) => agree(stamp, header)) ? offsetOf([...before, header]) : null;
}

/** The time of the service's clock that corresponds to this time of ours, give or take `marginMs`. */
export function searchWindow(ours: Span, { minMs, maxMs }: Offset, marginMs: number): Span {
  return {
    from: new Date(ours.from.getTime() + minMs - marginMs),
    to: new Date(ours.to.getTime() + maxMs + marginMs),
  };
}

function agree(one: ClockReading, other: ClockReading): boolean {
  const [a, b] = [offsetOf([one]), offsetOf([other])];
  if (a === null || b === null) return false;
  return a.minMs <= b.maxMs + UNSEEN_STEP_MS && b.minMs <= a.maxMs + UNSEEN_STEP_MS;
}
