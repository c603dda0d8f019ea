import { printed } from '../model/print.js';
import type { Part, Size } from '../model/scopes.js';

const SIZE: Size = { faults: 1, workers: 1, calls: 1 };
const TWO: Size = { ...SIZE, workers: 2 };

/** Two workers where both can matter, more faults where there is room for them. */
const sizes: readonly (readonly [Part, Size])[] = [
  ['charging', { ...SIZE, calls: 2 }],
  ['charging', { ...TWO, faults: 0, isAlone: true }],
  ['replacing', SIZE],
  ['capturing', SIZE],
  ['capturing', { ...TWO, faults: 0, isAlone: true }],
  ['refunding', { ...SIZE, calls: 2 }],
  ['refunding', { ...TWO, isAlone: true }],
  ['refunded outside', { ...TWO, faults: 3 }],
  ['notifying', { ...TWO, faults: 3 }],
  ['notified early', SIZE],
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
