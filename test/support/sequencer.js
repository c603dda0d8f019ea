import TestSequencer from '@jest/test-sequencer';
import { statSync } from 'node:fs';

/** What waits for servers, processes or browsers the longest, by folder. Specs beside the code take a second each. */
const LONGEST_FIRST = [
  // Minutes each, in files of a page: the last of them would run alone.
  '/test/deep/model',
  '/test/deep/interleavings',
  '/test/deep/guards',
  '/test/deep/plans',
  '/test/deep/hosts',
  '/test/deep/bench',
  '/test/deep/soak',
  '/test/deep/',
  '/test/plans/',
  '/test/guarantees/',
  '/test/payments/',
  '/test/internals/',
  '/test/partner/',
  '/test/security/',
  '/test/shop/',
  '/test/',
];

function rank(path) {
  const index = LONGEST_FIRST.findIndex((folder) => path.includes(folder));
  return index === -1 ? LONGEST_FIRST.length : index;
}

/** Begins with what takes longest, so that every core has work until the end. Jest itself goes by the sizes of files alone. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return tests
      .map((test) => ({ test, rank: rank(test.path), size: statSync(test.path).size }))
      .toSorted((a, b) => a.rank - b.rank || b.size - a.size)
      .map(({ test }) => test);
  }
}
