import * as fc from 'fast-check';
import { paymentStatuses, type PaymentStatus } from '../common/payment-status.js';
import { fruitlessDelayMs, nextCheckAt, nextCheckDelayMs, retryDelayMs } from './poll-plan.js';

const seconds = (delays: (number | null)[]) => delays.map((ms) => (ms === null ? null : ms / 1_000));
const first = (count: number) => Array.from({ length: count }, (_, checks) => checks);

/** Of a payment made a second ago. */
const delayMs = (status: PaymentStatus, checks: number, refundsOpen = false) =>
  nextCheckDelayMs({ status, checks, ageMs: 1_000, refundsOpen });

describe('polling', () => {
  it.each(['submitting', 'pending'] as const)(
    'of a %s payment grows like Fibonacci numbers up to 10 min',
    (status) => {
      expect(seconds(first(13).map((checks) => delayMs(status, checks)))).toEqual([
        10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 600, 600, 600,
      ]);
    },
  );

  it('of a hold grows up to an hour', () => {
    expect(seconds(first(17).map((checks) => delayMs('waiting_for_capture', checks)))).toEqual([
      10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 890, 1440, 2330, 3600, 3600, 3600, 3600,
    ]);
  });

  it.each(['succeeded', 'canceled', 'rejected'] as const)('of a %s payment ends', (status) => {
    expect(seconds(first(3).map((checks) => delayMs(status, checks)))).toEqual([null, null, null]);
  });

  it('of a succeeded payment goes on while not all is known of its refunds, up to an hour', () => {
    expect(seconds(first(16).map((checks) => delayMs('succeeded', checks, true)))).toEqual([
      10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 890, 1440, 2330, 3600, 3600, 3600,
    ]);
  });

  it('of a final payment goes on until its receipt is registered, up to an hour, and to six hours after four days', () => {
    const receiptOpen = (checks: number, ageMs: number) =>
      nextCheckDelayMs({ status: 'succeeded', checks, ageMs, receiptOpen: true });
    expect(seconds(first(16).map((checks) => receiptOpen(checks, 0)))).toEqual([
      10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 890, 1440, 2330, 3600, 3600, 3600,
    ]);
    expect(receiptOpen(40, 4 * 86_400_000 - 1)).toBe(3_600_000);
    expect(receiptOpen(40, 4 * 86_400_000)).toBe(6 * 3_600_000);
  });

  it.each([
    ['which ends before the next look would come', 55 * 60_000, 310_000],
    ['which ends this second', 3_600_000 - 1, 10_001],
    ['which is over', 3_600_000, 60_000],
    ['which was over ten minutes ago', 3_600_000 + 600_000, 600_000],
  ])('is dense around the end of the payment term, %s', (_name, ageMs, ms) => {
    expect(nextCheckDelayMs({ status: 'pending', checks: 40, ageMs })).toBe(ms);
  });

  it('looks no later than a hold must be handled', () => {
    const createdAt = new Date('2030-01-01T00:00:00.000Z');
    const at = (ms: number) => new Date(createdAt.getTime() + ms);
    const held = { status: 'waiting_for_capture', checks: 40, createdAt, receiptStatus: null } as const;
    expect(nextCheckAt({ ...held, holdDueAt: at(5_000) }, at(1_000), { checks: held.checks })).toEqual(
      at(5_000),
    );
    expect(nextCheckAt({ ...held, holdDueAt: at(9_000_000) }, at(1_000), { checks: held.checks })).toEqual(
      at(3_601_000),
    );
    expect(nextCheckAt({ ...held, holdDueAt: null }, at(1_000), { checks: held.checks })).toEqual(
      at(3_601_000),
    );
    // A hold that is due and cannot be handled is looked at once a minute, not without a pause.
    expect(nextCheckAt({ ...held, holdDueAt: at(500) }, at(1_000), { checks: held.checks })).toEqual(
      at(61_000),
    );
    expect(nextCheckAt({ ...held, holdDueAt: at(500) }, at(1_000), { checks: 0 })).toEqual(at(11_000));
    expect(
      nextCheckAt({ ...held, status: 'canceled', holdDueAt: null }, at(1_000), { checks: held.checks }),
    ).toBeNull();
  });

  it('stays whole milliseconds within the caps after any number of checks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paymentStatuses), fc.nat(2 ** 31 - 1), (status, checks) => {
        const ms = delayMs(status, checks) ?? 10_000;
        expect(Number.isInteger(ms) && ms >= 10_000 && ms <= 3_600_000).toBe(true);
      }),
    );
  });
});

describe('a re-read that found nothing new', () => {
  it('is followed by another at once if the service may have repeated itself, and later if only a forger would repeat so often', () => {
    expect(seconds([0, 1, 8, 9, 10, 11, 15, 100, 10_000].map(fruitlessDelayMs))).toEqual([
      0, 0, 0, 1, 2, 4, 60, 60, 60,
    ]);
  });
});

describe('a re-read that failed', () => {
  it('is repeated after 1, 2, 4 … 60 s', () => {
    expect(seconds([...first(9), 1_000, 2 ** 31 - 1].map(retryDelayMs))).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60,
    ]);
  });
});
