import type { Backlog } from '@holdfast/payments';

import { troubles } from './desk.js';

const nothing = { count: 0, more: false, oldestMs: null };
const quiet: Backlog = {
  operations: nothing,
  payments: nothing,
  notifications: nothing,
  deliveries: nothing,
  parkedDeliveries: nothing,
  receiptProblems: nothing,
  flaggedHolds: nothing,
  waitingForOwners: nothing,
  unannouncedChanges: nothing,
};
const MINUTE_MS = 60_000;

const found = (backlog: Partial<Backlog>) => troubles({ notes: [], backlog: { ...quiet, ...backlog } });

describe('the payments desk', () => {
  it('reports that all is well if nothing waits, or not for long', () => {
    expect(found({})).toEqual([]);
    expect(found({ operations: { count: 3, more: false, oldestMs: 15 * MINUTE_MS } })).toEqual([]);
    expect(found({ notifications: { count: 1, more: false, oldestMs: 59 * MINUTE_MS } })).toEqual([]);
  });

  it.each(['operations', 'payments', 'deliveries'])('names %s that stay', (figure) => {
    expect(found({ [figure]: { count: 1, more: false, oldestMs: 16 * MINUTE_MS } })).toEqual([
      'work that does not get done',
    ]);
  });

  it('names what only a person can do, however new it is', () => {
    expect(
      found({
        flaggedHolds: { count: 1, more: false, oldestMs: 0 },
        parkedDeliveries: { count: 2, more: false, oldestMs: 0 },
      }),
    ).toEqual(['1 hold to decide about', '2 deliveries given up']);
    expect(found({ receiptProblems: { count: 1, more: false, oldestMs: 0 } })).toEqual([
      '1 receipt that failed, is late or is missing',
    ]);
    expect(found({ parkedDeliveries: { count: 1_000, more: true, oldestMs: 0 } })).toEqual([
      'more than 1000 deliveries given up',
    ]);
  });
});
