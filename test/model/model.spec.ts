import { readFile } from 'node:fs/promises';
import { guards } from './guards.js';
import { printed } from './print.js';
import { removals, told } from './removals.js';
import { isSearched, sizes } from './sizes.js';

describe('every order of the steps of the protocol', () => {
  it.each(sizes)('keeps each guarantee and comes to rest: %s', (part, size) => {
    expect(printed(part, size)).toBeNull();
  });
});

describe('the model has teeth', () => {
  it('and takes out each guard that is listed', () => {
    const taken = new Set<string>(removals.flatMap(({ without }) => without));
    expect(Object.keys(guards).filter((guard) => !taken.has(guard))).toEqual([]);
  });

  it('and is searched, with its guards, at least as far as each removal is', () => {
    // Without a worker nothing comes to rest.
    const further = removals.filter(({ part, size }) => size.workers > 0 && !isSearched(part, size));
    expect(further).toEqual([]);
  });

  it('and what it tells of a failover is played against the module', async () => {
    const played = removals.flatMap((one) => (one.played ? [one.played] : []));
    expect(played).toHaveLength(18);
    for (const { file, title } of played)
      expect(await readFile(new URL(`../${file}.spec.ts`, import.meta.url), 'utf8')).toContain(`'${title}'`);
  });

  it('without a guard it finds the shortest story that breaks a guarantee', () => {
    const found = removals.filter(({ isLong = false }) => !isLong).map(told);
    expect(found).toMatchInlineSnapshot(`
      [
        "order lock: 8 steps, the order is charged 2 times",
        "one key: 7 steps, the order is charged 2 times",
        "key lifetime: 7 steps, the order is charged 2 times",
        "lease before request: 6 steps, payment 0 is rejected, and its request is on its way",
        "quiet before never received: 7 steps, payment 0 is rejected, and its request is on its way",
        "own waiting before never received: 6 steps, payment 0 is rejected, and its request is on its way",
        "newest attempt before never received: 7 steps, payment 0 is rejected, and its request is on its way",
        "version check: 5 steps, payment 0 is wanted here, and its host gave it up",
        "status table: 8 steps, payment 0 was succeeded, which is final",
        "refund bound: 6 steps, 300 is refunded of 200",
        "refund key: 7 steps, one refund key was refunded twice",
        "quiet before lost refund: 12 steps, the refund is over as without effect, and it is on its way",
        "place with its record: 2 steps, from here nothing comes to rest any more",
        "wanted keeps its place + signals answered as seen: 9 steps, nothing is pending, and 200 is refunded at the service, 100 here",
        "re-read before belief: 4 steps, payment 0 is succeeded, and at the service pending",
        "mark before run: 9 steps, the effect of payment 0 was made 2 times",
        "effect recorded with its handler: 6 steps, the effect of payment 0 is made outside, and its handler's rows are not there",
        "effect marked after its run: 5 steps, the effect of payment 0 outside is over, and was never made",
        "derived keys: 7 steps, the order is charged 2 times",
        "try number: 7 steps, payment 0 is rejected, and its request is on its way",
        "forgotten found again: 5 steps, nothing is pending, and payment 0 is unknown here and pending at the service",
        "verified mark: 2 steps, another database's payment is recorded",
        "place by the number of its try: 2 steps, payment 1 is given up here, and its host wants it",
        "total of the newest try: 10 steps, nothing is pending, and the order owes 200 instead of 120",
        "quiet before lost receipt: 15 steps, the receipt is over as without effect, and it is on its way",
        "receipt key + receipts fit the money: 7 steps, the receipt of payment 0 is registered twice",
        "sent waits for its answer: 13 steps, a receipt of the service has two rows",
        "missing once the lists are read: 13 steps, a person is told that the receipt of payment 0 is missing, and the service has it",
        "creates wait for the lists: 8 steps, the order is charged 2 times",
        "refunds wait for the lists: 8 steps, one refund key was refunded twice",
      ]
    `);
  });
});
