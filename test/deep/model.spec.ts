import { printed } from '../model/print.js';
import { removals, told } from '../model/removals.js';
import { searchOf, type Part, type Size } from '../model/scopes.js';

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
  ['forgotten and asked again', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten charge', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten refund', { ...ONE, faults: 0, calls: 2, isAlone: true }],
  ['forgotten effect', { ...ONE, faults: 0 }],
  ['beside another database', { ...ONE, faults: 0 }],
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

describe('the model has teeth', () => {
  it('without a guard it finds the shortest story that breaks a guarantee, where that takes longer', () => {
    expect(removals.filter(({ isLong = false }) => isLong).map(told)).toMatchInlineSnapshot(`
      [
        "siblings under locks: 16 steps, nothing is pending, and the order has 200 as paid instead of 400",
        "newest attempt before lost refund: 14 steps, the refund is over as without effect, and it is on its way",
        "adoption under the order lock: 10 steps, payment 0 has two rows",
        "refund key in its mark: 15 steps, one refund key was refunded twice",
      ]
    `);
  });
});

/** Two requests under one key, of which the first is still on its way when the database goes back: a person is told. */
const open: readonly (readonly [Part, string])[] = [
  ['forgotten and replaced', 'nothing is pending, and payment 0 is unknown here and pending at the service'],
  ['forgotten rest', 'the refund is over as without effect, and it is on its way'],
];

describe('what a request on its way leaves open after a failover', () => {
  it.each(open)('is this and nothing sooner: %s', (part, fault) => {
    expect(searchOf(part, { ...ONE, faults: 0 }).counterexample?.fault).toBe(fault);
  });
});
