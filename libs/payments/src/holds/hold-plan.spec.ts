import * as fc from 'fast-check';
import { believableEnd, isExpiredHold, holdDueAt, holdRetryDelayMs, lastHoldTryAt } from './hold-plan.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const found = new Date('2030-01-01T00:00:00.000Z');
const after = (ms: number) => new Date(found.getTime() + ms);

describe('a hold', () => {
  it.each<[string, number, number, number]>([
    ['of seven days', 7 * DAY_MS, DAY_MS, 6 * DAY_MS],
    ['of six hours: a quarter of it is less than a day', 6 * HOUR_MS, DAY_MS, 4.5 * HOUR_MS],
    ['of two hours: likewise', 2 * HOUR_MS, DAY_MS, 1.5 * HOUR_MS],
    ['of seven days found with an hour left', HOUR_MS, DAY_MS, 0.75 * HOUR_MS],
    ['of seven days, with a lead of an hour', 7 * DAY_MS, HOUR_MS, 7 * DAY_MS - HOUR_MS],
    ['that is over already', -HOUR_MS, DAY_MS, 0],
  ])('%s is due after %3$d ms', (_name, lengthMs, leadTimeMs, dueMs) => {
    expect(holdDueAt(after(lengthMs), found, leadTimeMs)).toEqual(after(dueMs));
  });

  it('without an end is due at once', () => {
    expect(holdDueAt(null, found, DAY_MS)).toEqual(found);
  });

  it('is due before its end, after it was found, and never more than a quarter of it early', () => {
    const lengths = fc.integer({ min: 1_000, max: 30 * DAY_MS });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 60_000, max: 7 * DAY_MS }), (lengthMs, leadTimeMs) => {
        const due = holdDueAt(after(lengthMs), found, leadTimeMs).getTime() - found.getTime();
        expect(due).toBeGreaterThanOrEqual(Math.floor(lengthMs * 0.75));
        expect(due).toBeLessThan(lengthMs);
      }),
    );
  });

  it('whose policy fails is handled again after 1, 2, 4 … 30 min', () => {
    expect([1, 2, 3, 5, 6, 50].map((tries) => holdRetryDelayMs(tries) / 60_000)).toEqual([
      1, 2, 4, 16, 30, 30,
    ]);
  });
});

describe('a canceled payment', () => {
  const held = { status: 'waiting_for_capture', holdExpiresAt: found } as const;
  const canceled = (reason: string | null) => ({
    status: 'canceled',
    cancellation: reason === null ? null : { party: 'service', reason },
  });

  it.each<[string, Parameters<typeof isExpiredHold>[0], string | null, number, boolean]>([
    ['that the service let go', held, 'expired_on_capture', 0, true],
    ['that we never saw held', { status: 'pending', holdExpiresAt: null }, 'expired_on_capture', 0, true],
    ['that the merchant let go after its end', held, 'canceled_by_merchant', HOUR_MS, false],
    ['without a reason, after its end', held, null, 1, true],
    ['without a reason, before its end', held, null, -1, false],
    ['that was paid', { ...held, status: 'pending' }, null, 1, false],
    ['whose end nobody knows', { ...held, holdExpiresAt: null }, null, 1, false],
    ['that was never held', { status: 'pending', holdExpiresAt: null }, null, 1, false],
    [
      'that nobody confirmed',
      { status: 'pending', holdExpiresAt: null },
      'expired_on_confirmation',
      1,
      false,
    ],
  ])('%s was an expired hold: %5$s', (_name, before, reason, ms, expired) => {
    expect(isExpiredHold(before, canceled(reason), after(ms))).toBe(expired);
  });

  it('only: a hold that is still open is none, whatever its time', () => {
    expect(isExpiredHold(held, { status: 'waiting_for_capture', cancellation: null }, after(HOUR_MS))).toBe(
      false,
    );
  });
});

describe('the last try of a hold', () => {
  it.each([
    ['was a minute before the next after the first', 1, found, after(-60_000)],
    ['was four minutes before the next after the third', 3, found, after(-240_000)],
    ['was none where nothing was tried', 0, found, null],
    ['is not known where no other is planned', 2, null, null],
  ])('%s', (_when, holdTries, dueAt, last) => {
    expect(lastHoldTryAt({ holdTries, holdDueAt: dueAt })).toEqual(last);
  });
});

describe('the end of a hold', () => {
  it.each([
    [31 * DAY_MS, true],
    [31 * DAY_MS + 1, false],
  ])('in %d ms is believed: %p', (ms, isBelieved) => {
    expect(believableEnd(after(ms), found)).toEqual(isBelieved ? after(ms) : null);
  });
});
