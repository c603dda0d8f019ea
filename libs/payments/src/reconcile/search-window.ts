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
  readonly shown: Date;
}

/** Its timestamp on a payment of ours while that was being made: from the very clock that lists go by. */
export interface Stamp extends ClockReading {
  /** Whether that was before what is searched, or after it; null: neither is known. */
  readonly made: 'before' | 'after' | null;
}

/** All that is known of the service's clock around some time of ours. */
export interface ClockReadings {
  readonly stamps: readonly Stamp[];
  /** The `Date` of its answers; any proxy in between may have written it. */
  readonly header: ClockReading | null;
}

/** The service's clock may step by this much between two readings, and back, without either showing it. */
export const UNSEEN_STEP_MS = 15 * 60_000;

/** A `Date` is cut off to whole seconds. */
const SECOND_MS = 1_000;

export function stampReading(ours: Span, stamp: Date, cutOffMs = 0): ClockReading {
  const shownMs = stamp.getTime();
  return {
    ours,
    shown: stamp,
    minMs: shownMs - ours.to.getTime(),
    maxMs: shownMs + cutOffMs - ours.from.getTime(),
  };
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
 * Good enough to draw conclusions from an absence (G16): what its clock showed before and after, and where that of ours would have it in
 * between. Null unless all readings agree, since otherwise one of the clocks was set at an unknown time. The service's own readings bound
 * it, since ours may have been set and set right again without a reading in between. The header is one after it, unless there are stamps.
 */
export function provenSpan(ours: Span, { stamps, header }: ClockReadings): Span | null {
  const before = stamps.filter(({ made }) => made === 'before');
  const stampedAfter = stamps.filter(({ made }) => made === 'after');
  const after =
    stampedAfter.length === 0 && header !== null && header.ours.to >= ours.to ? [header] : stampedAfter;
  const readings = [...stamps, ...after];
  const offset = offsetOf(readings);
  if (offset === null || before.length === 0 || after.length === 0 || !agree(readings)) return null;
  const span = searchWindow(ours, offset, 0);
  return {
    from: new Date(Math.min(span.from.getTime(), Math.max(...shown(before)))),
    to: new Date(Math.max(span.to.getTime(), Math.min(...shown(after)))),
  };
}

/** The time of the service's clock that corresponds to this time of ours, give or take `marginMs`. */
export function searchWindow(ours: Span, { minMs, maxMs }: Offset, marginMs: number): Span {
  return widened(
    { from: new Date(ours.from.getTime() + minMs), to: new Date(ours.to.getTime() + maxMs) },
    marginMs,
  );
}

export function widened({ from, to }: Span, byMs: number): Span {
  return { from: new Date(from.getTime() - byMs), to: new Date(to.getTime() + byMs) };
}

function shown(readings: readonly ClockReading[]): number[] {
  return readings.map((one) => one.shown.getTime());
}

function agree(readings: readonly Offset[]): boolean {
  const [minMs, maxMs] = [readings.map((one) => one.minMs), readings.map((one) => one.maxMs)];
  return Math.max(...minMs) <= Math.min(...maxMs) + UNSEEN_STEP_MS;
}
