import type { Part, Size } from './scopes.js';

/** How far each part of the protocol is searched. */

const CALM: Size = { faults: 0, workers: 1, calls: 1 };
const ONE: Size = { ...CALM, faults: 1 };
const TWO: Size = { ...ONE, workers: 2 };

/** So far in a few seconds; test/deep/model.spec.ts goes further. */
export const sizes: readonly (readonly [Part, Size])[] = [
  ['charging', CALM],
  ['charging as a clock jumps', { ...CALM, isAlone: true }],
  ['refunding', { faults: 1, workers: 1, calls: 2, isAlone: true }],
  ['refunded outside', { ...CALM, faults: 1, workers: 2 }],
  ['notifying', { ...CALM, faults: 1, workers: 2 }],
  ['notified early', CALM],
  ['asked for while read', { ...CALM, faults: 1 }],
  ['forgotten refund', { ...CALM, isAlone: true }],
  ['forgotten hold', CALM],
  ['forgotten total', CALM],
  ['effect outside', { ...CALM, faults: 1, workers: 2 }],
  ['forgotten run', CALM],
  ['sending a receipt', { ...CALM, faults: 1 }],
  ['forgotten with its receipt', CALM],
];

/** Two callers and two workers; where a fault beside them is too much for one search, one of them is left out. */
export const deepSizes: readonly (readonly [Part, Size])[] = [
  ['charging', TWO],
  ['charging', { ...ONE, calls: 2 }],
  ['replacing', ONE],
  ['replacing', { ...TWO, faults: 0 }],
  ['capturing', TWO],
  ['refunding', { ...CALM, calls: 2 }],
  ['refunding', TWO],
  ['refunded outside', { ...TWO, faults: 3 }],
  ['notifying', { ...TWO, faults: 3 }],
  ['notified early', TWO],
  ['asked for while read', TWO],
  ['forgotten and asked again', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten charge', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten refund', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten and replaced', { ...ONE, faults: 0 }],
  ['forgotten hold', ONE],
  ['effect outside', { ...TWO, faults: 3 }],
  ['forgotten effect', { ...ONE, faults: 0 }],
  ['forgotten run', { ...TWO, faults: 0 }],
  ['sending a receipt', { ...TWO, faults: 2 }],
  ['forgotten receipt', { ...TWO, faults: 0 }],
  ['forgotten with its receipt', ONE],
  ['forgotten settlement', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['beside another database', { ...ONE, faults: 0 }],
];

/** Whether a search goes at least that far. */
export function isSearched(part: Part, least: Size): boolean {
  return [...sizes, ...deepSizes].some(([searched, size]) => searched === part && reaches(size, least));
}

function reaches(size: Size, least: Size): boolean {
  const { faults, workers, calls, isAlone = false } = size;
  return (
    faults >= least.faults &&
    workers >= least.workers &&
    calls >= least.calls &&
    (!isAlone || least.isAlone === true)
  );
}
