import { printed } from '../model/print.js';
import { removals, told } from '../model/removals.js';
import { searchOf, type Part, type Size } from '../model/scopes.js';
import { deepSizes } from '../model/sizes.js';

const ONE: Size = { faults: 1, workers: 1, calls: 1 };

describe('every order of the steps of the protocol, further', () => {
  it.each(deepSizes)(
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
        "unknown stays unknown: 7 steps, payment 0 is rejected, and its request is on its way",
        "attempt fence: 7 steps, payment 0 is rejected, and its request is on its way",
        "quiet before no effect: 9 steps, the capture is over as without effect, and it is on its way",
        "newest attempt before lost refund: 14 steps, the refund is over as without effect, and it is on its way",
        "wanted keeps its place + open work keeps its place: 3 steps, from here nothing comes to rest any more",
        "lease fence: 17 steps, nothing is pending, and 200 is refunded at the service, 100 here",
        "effect with its mark: 10 steps, the effect of payment 0 was made 2 times",
        "effect begun under its lease: 11 steps, the effect of payment 1 outside was made twice",
        "effect marked under its lease: 9 steps, the effect of payment 1 outside is over, and was never made",
        "search on a used key: 11 steps, payment 0 is given up here, and its host wants it",
        "adoption under the order lock: 10 steps, payment 0 has two rows",
        "refund key in its mark: 15 steps, one refund key was refunded twice",
        "effect named by its event: 19 steps, the effect of payment 1 outside is dropped: its key is another one's",
        "another request under its key: 12 steps, nothing is pending, and payment 0 is unknown here and pending at the service",
        "never sent is what is listed: 17 steps, the receipt of payment 0 is registered twice",
        "receipts wait for the lists: 15 steps, the receipt of payment 0 is registered twice",
      ]
    `);
  });
});

/**
 * A request was on its way when the database went back, and the service refuses the next one under its key; or the same goods are asked for
 * under another key before the forgotten receipt is found. docs/failover.md says what stays open, who is told, and why it stays.
 */
const open: readonly (readonly [Part, Size, string])[] = [
  [
    'forgotten charge',
    { ...ONE, calls: 2, isAlone: true },
    'payment 0 is rejected, and its request is on its way',
  ],
  ['forgotten rest', { ...ONE, faults: 0 }, 'the refund is over as without effect, and it is on its way'],
  ['forgotten receipt', ONE, 'the receipt is over as without effect, and it is on its way'],
  ['forgotten settlement', { ...ONE, faults: 0 }, 'the receipt of payment 0 is registered twice'],
];

describe('what a failover leaves open', () => {
  it.each(open)('is this and nothing sooner: %s %j', (part, size, fault) => {
    expect(searchOf(part, size).counterexample?.fault).toBe(fault);
  });
});
