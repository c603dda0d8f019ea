import type { Guard } from './guards.js';
import { searchOf, type Part, type Size } from './scopes.js';
import type { Found } from './search.js';

/** Guards taken out, and where in the protocol that shows soonest. */
export interface Removal {
  /** Several stand in for each other: all is well as long as one of them is left. */
  readonly without: readonly Guard[];
  readonly part: Part;
  readonly size: Size;
}

const CALM: Size = { faults: 0, workers: 1, calls: 1 };
const TWICE: Size = { ...CALM, calls: 2, isAlone: true };

const removal = (without: Guard | readonly Guard[], part: Part, size: Partial<Size> = {}): Removal => ({
  without: typeof without === 'string' ? [without] : without,
  part,
  size: { ...CALM, ...size },
});

export const removals: readonly Removal[] = [
  removal('order lock', 'charging'),
  removal('one key', 'charging'),
  removal('key lifetime', 'charging'),
  removal('lease before request', 'charging'),
  removal('unknown stays unknown', 'charging', { faults: 1 }),
  removal('attempt fence', 'charging', { faults: 1 }),
  removal('quiet before never received', 'charging'),
  removal('newest attempt before never received', 'charging'),
  removal('version check', 'replacing'),
  removal('siblings under locks', 'replacing'),
  removal('status table', 'capturing'),
  removal('quiet before no effect', 'capturing', { faults: 1, isAlone: true }),
  removal('refund bound', 'refunding'),
  removal('refund key', 'refunding', TWICE),
  removal('quiet before lost refund', 'refunding', { faults: 1, isAlone: true }),
  removal('newest attempt before lost refund', 'refunding', { ...TWICE, faults: 1 }),
  removal('place with its record', 'notified early'),
  removal(['wanted keeps its place', 'signals answered as seen'], 'refunded outside'),
  removal(['wanted keeps its place', 'open work keeps its place'], 'asked for while read', { faults: 1 }),
  removal('lease fence', 'refunded outside', { faults: 1, workers: 2 }),
  removal('re-read before belief', 'notifying'),
  removal('effect with its mark', 'notifying', { faults: 1 }),
  removal('mark before run', 'notifying', { workers: 2 }),
];

export function searchWithout({ without, part, size }: Removal): Found {
  return searchOf(part, size, without);
}
