/** From one moment to another, of one clock. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** Between these two: a clock that was set back meanwhile shows the later one as the earlier. */
export function spanOf(one: Date, other: Date): Span {
  return one <= other ? { from: one, to: other } : { from: other, to: one };
}

/** By how much the service's clock is ahead of ours, at least and at most. */
export interface Offset {
  readonly minMs: number;
  readonly maxMs: number;
}

/** What its clock showed at some moment of this time of ours. */
export interface ClockReading extends Offset {
  readonly ours: Span;
}

/** All that is known of the service's clock around some time of ours. */
export interface ClockReadings {
  /** Its timestamps on payments of ours while they were being made: from the very clock that lists go by. */
  readonly stamps: readonly ClockReading[];
  /** The `Date` of its answers; any proxy in between may have written it. */
  readonly header: ClockReading | null;
}

/** A clock may step by this much between two readings, and back, without either showing it. */
export const UNSEEN_STEP_MS = 15 * 60_000;

/** A `Date` is cut off to whole seconds. */
const SECOND_MS = 1_000;

export function stampReading(ours: Span, stamp: Date, cutOffMs = 0): ClockReading {
  const shownMs = stamp.getTime();
  return { ours, minMs: shownMs - ours.to.getTime(), maxMs: shownMs + cutOffMs - ours.from.getTime() };
}

export function headerReading(ours: Span, date: Date): ClockReading {
  return stampReading(ours, date, SECOND_MS);
}

/** The range that all these readings leave possible; null without readings. */
export function offsetOf(readings: readonly ClockReading[]): Offset | null {
  if (readings.length === 0) return null;
  return {
    minMs: Math.min(...readings.map(({ minMs }) => minMs)),
    maxMs: Math.max(...readings.map(({ maxMs }) => maxMs)),
  };
}

/** Good enough to look for something again and again: all readings together. */
export function likelyOffset({ stamps, header }: ClockReadings): Offset | null {
  return offsetOf(header ? [...stamps, header] : stamps);
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

function agree(one: Offset, other: Offset): boolean {
  return one.minMs <= other.maxMs + UNSEEN_STEP_MS && other.minMs <= one.maxMs + UNSEEN_STEP_MS;
}
