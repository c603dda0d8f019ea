import type { ObjectList } from '../api/object-list.js';
import {
  headerReading,
  likelyOffset,
  provenSpan,
  searchWindow,
  widened,
  type ClockReadings,
  type Span,
} from './search-window.js';

/** A window that is off by no more than this is not requested again: readings of a clock vary by seconds. */
const SLACK_MS = 60_000;

/** The object of a search, in a list of the service's that can be narrowed to a time of creation. */
export interface Search<Listed, Found> {
  /** When it happened, by our clock. */
  readonly ours: Span;
  /** How far beyond that it is searched for; minutes at least. */
  readonly marginMs: number;
  /** true: the search must prove an absence; the list is only narrowed as far as the service's clock is proven. */
  readonly proof: boolean;
  /** After this many pages the search is cut short. */
  readonly maxPages: number;
  /** In a time of the service's clock; null: in all of it. */
  readonly list: (theirs: Span | null) => ObjectList<Listed>;
  /** Examines a page, maybe for the second time; a result ends the search. `nextCursor`: where the next page begins. */
  readonly see: (items: readonly Listed[], nextCursor: string | null) => Promise<Found | null>;
}

export type SearchEnd<Found> =
  | { readonly kind: 'found'; readonly found: Found }
  /** All of the time was seen. */
  | { readonly kind: 'absent' }
  /** More pages than it may take. */
  | { readonly kind: 'cut' };

/**
 * Finds in a list, which goes by the service's clock, what happened at a time of ours. `readings`: what is known of that clock. The
 * `Date` of its first answer reveals more, and if the window was not the right one, the search begins again with the one that is.
 */
export async function searchList<Listed, Found>(
  search: Search<Listed, Found>,
  readings: ClockReadings,
  now: () => Promise<Date>,
): Promise<SearchEnd<Found>> {
  const theirs = windowOf(search, readings);
  const asked = await now();
  let pages = 0;
  for await (const { items, nextCursor, date } of search.list(theirs).pages()) {
    const found = await search.see(items, nextCursor);
    if (found !== null) return { kind: 'found', found };
    pages += 1;
    if (pages === 1 && date !== null && readings.header === null) {
      const known = { ...readings, header: headerReading({ from: asked, to: await now() }, date) };
      const wanted = windowOf(search, known);
      const narrower = theirs === null && wanted !== null && nextCursor !== null;
      if (narrower || !covers(theirs, wanted)) return searchList(search, known, now);
    }
    if (nextCursor !== null && pages >= search.maxPages) return { kind: 'cut' };
  }
  return { kind: 'absent' };
}

function windowOf<Listed, Found>(
  { ours, marginMs, proof }: Search<Listed, Found>,
  readings: ClockReadings,
): Span | null {
  if (proof) {
    const span = provenSpan(ours, readings);
    return span && widened(span, marginMs);
  }
  const offset = likelyOffset(readings);
  return offset && searchWindow(ours, offset, marginMs);
}

/** Whether a request for the first window has covered the second, within the margin; null: all time. */
function covers(asked: Span | null, wanted: Span | null): boolean {
  if (asked === null || wanted === null) return asked === null;
  const missing = [asked.from.getTime() - wanted.from.getTime(), wanted.to.getTime() - asked.to.getTime()];
  return missing.every((ms) => ms <= SLACK_MS);
}
