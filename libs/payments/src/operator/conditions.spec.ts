import { backlogOf, nothingWaits } from '../../../../test/support/backlog.js';
import type { Backlog, Waiting } from './backlog.js';
import { conditionsOf } from './conditions.js';

const MINUTE_MS = 60_000;

const waiting = (count: number, minutes: number): Waiting => ({
  count,
  more: false,
  oldestMs: minutes * MINUTE_MS,
});
const named = (backlog: Partial<Backlog>) =>
  conditionsOf(backlogOf(nothingWaits, backlog)).map(({ name, text }) => [name, text]);

describe('the conditions', () => {
  it('are none if nothing waits, or not for long', () => {
    expect(named({})).toEqual([]);
    expect(
      named({ operations: waiting(3, 15), payments: waiting(3, 15), deliveries: waiting(3, 15) }),
    ).toEqual([]);
    expect(named({ notifications: waiting(1, 59), unannouncedChanges: waiting(2, 59) })).toEqual([]);
  });

  it('name what is not done for too long', () => {
    expect(
      named({ operations: waiting(1, 16), payments: waiting(2, 16), deliveries: waiting(3, 16) }),
    ).toEqual([
      ['operations_stuck', '1 request without an answer for too long'],
      ['payments_stuck', '2 payments not looked at for too long'],
      ['deliveries_stuck', '3 events not handed over for too long'],
    ]);
  });

  it('name what a person has to see to, however new it is, the most urgent first', () => {
    expect(
      named({
        failingDeliveries: waiting(2, 0),
        parkedDeliveries: waiting(1, 0),
        receiptProblems: waiting(1, 0),
        flaggedHolds: waiting(2, 0),
        openIncidents: waiting(1, 0),
        waitingForOwners: waiting(1, 0),
        forgottenStores: waiting(2, 0),
        openRecoveries: waiting(1, 0),
        unreadRecoveries: waiting(2, 0),
        unannouncedChanges: waiting(3, 0),
      }),
    ).toEqual([
      ['notifications_missing', 'notifications do not arrive: polls found the last 3 changes'],
      ['recoveries_unread', '2 times of lost commits that could not be read at the service'],
      ['holds_flagged', '2 holds to decide about'],
      ['incidents_open', '1 incident that nobody has resolved'],
      ['receipts_open', '1 receipt that failed, is late or is missing'],
      ['deliveries_parked', '1 delivery given up'],
      ['deliveries_failing', '2 deliveries that fail'],
      ['recoveries_open', '1 time of commits that may be lost, still to be read at the service'],
      [
        'stores_forgotten',
        '2 connected stores that the database has forgotten, and whose notifications arrive',
      ],
      ['owners_asked', '1 payment of stores that are not connected any more'],
    ]);
  });

  it('say so where there are more than were counted', () => {
    const parkedDeliveries = { count: 1_000, more: true, oldestMs: MINUTE_MS };
    const [condition] = conditionsOf(backlogOf(nothingWaits, { parkedDeliveries }));
    expect(condition).toMatchObject({
      text: 'more than 1000 deliveries given up',
      count: 1_000,
      oldestMs: MINUTE_MS,
      remedy: expect.stringMatching(/run them again/),
    });
  });
});
