import { printed } from '../model/print.js';
import type { Part, Size } from '../model/scopes.js';

const ONE: Size = { faults: 1, workers: 1, calls: 1 };
const TWO: Size = { ...ONE, workers: 2 };

/** Two callers and two workers; where a fault beside them is too much for one search, one of them is left out. */
const sizes: readonly (readonly [Part, Size])[] = [
  ['charging', TWO],
  ['charging', { ...ONE, calls: 2 }],
  ['replacing', ONE],
  ['replacing', { ...TWO, faults: 0 }],
  ['capturing', TWO],
  ['refunding', { ...ONE, calls: 2 }],
  ['refunding', TWO],
  ['refunded outside', { ...TWO, faults: 3 }],
  ['notifying', { ...TWO, faults: 3 }],
  ['notified early', TWO],
  ['asked for while read', TWO],
];

describe('every order of the steps of the protocol, further', () => {
  it.each(sizes)(
    'keeps each guarantee and comes to rest: %s %j',
    (part, size) => {
      expect(printed(part, size)).toBeNull();
    },
    900_000,
  );
});
