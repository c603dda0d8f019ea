import * as fc from 'fast-check';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { paymentStatuses, type PaymentStatus } from '../common/payment-status.js';
import { delayWithoutNewsMs, nextCheckAt, nextCheckDelayMs, retryDelayMs, termMsOf } from './poll-plan.js';

const HOUR_MS = 3_600_000;

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
    ['which was over almost ten minutes ago', 3_600_000 + 599_999, 60_000],
    ['which was over ten minutes ago', 3_600_000 + 600_000, 600_000],
  ])('is dense around the end of the payment term, %s', (_name, ageMs, ms) => {
    expect(nextCheckDelayMs({ status: 'pending', checks: 40, ageMs })).toBe(ms);
  });

  it.each([
    ['before its end', 8 * HOUR_MS, 7.9 * HOUR_MS, 0.1 * HOUR_MS + 10_000],
    ['after its end', 8 * HOUR_MS, 8 * HOUR_MS, 60_000],
    ['long before its end', 72 * HOUR_MS, 2 * HOUR_MS, HOUR_MS],
    ['long after its end', 72 * HOUR_MS, 80 * HOUR_MS, HOUR_MS],
  ])('goes by the term of the method, %s', (_name, termMs, ageMs, ms) => {
    expect(nextCheckDelayMs({ status: 'pending', checks: 40, ageMs, termMs })).toBe(ms);
  });

  it.each([
    ['on its first day', true, 0, HOUR_MS],
    ['that is a day old', true, 24, HOUR_MS],
    ['that is ten days old', true, 240, 10 * HOUR_MS],
    ['that is ten days old and would be held for hours', false, 240, HOUR_MS],
  ])('of a payment without a term, %s, never ends and becomes rare', (_name, capture, hours, ms) => {
    const old = { status: 'pending', checks: 40, ageMs: hours * HOUR_MS, termMs: null } as const;
    expect(nextCheckDelayMs({ ...old, capture })).toBe(ms);
  });

  it.each<[string, string | null, object | null, number | null]>([
    ['requested', 'cash', null, null],
    ['chosen on the page', null, { payment_method: { type: 'cash' } }, null],
    ['chosen, of which the amount decides', null, { payment_method: { type: 'sber_loan' } }, 28 * HOUR_MS],
    ['that nobody knows yet', null, null, HOUR_MS],
    ['that this library does not know', null, { payment_method: { type: 'hologram' } }, HOUR_MS],
  ])('knows the term of a method %s', (_name, method, object, ms) => {
    expect(termMsOf({ method, object, amountMinor: 5_000_000 }, yookassaProfile)).toBe(ms);
  });

  it('looks no later than a hold must be handled', () => {
    const createdAt = new Date('2030-01-01T00:00:00.000Z');
    const at = (ms: number) => new Date(createdAt.getTime() + ms);
    const held = {
      status: 'waiting_for_capture',
      checks: 40,
      createdAt,
      receiptStatus: null,
      capture: false,
    } as const;
    const look = { checks: held.checks, termMs: null };
    expect(nextCheckAt({ ...held, holdDueAt: at(5_000) }, at(1_000), look)).toEqual(at(5_000));
    expect(nextCheckAt({ ...held, holdDueAt: at(9_000_000) }, at(1_000), look)).toEqual(at(3_601_000));
    expect(nextCheckAt({ ...held, holdDueAt: null }, at(1_000), look)).toEqual(at(3_601_000));
    expect(nextCheckAt({ ...held, holdDueAt: at(1_000) }, at(1_000), look)).toEqual(at(61_000));
    // A hold that is due and cannot be handled is looked at once a minute, not without a pause.
    expect(nextCheckAt({ ...held, holdDueAt: at(500) }, at(1_000), look)).toEqual(at(61_000));
    expect(nextCheckAt({ ...held, holdDueAt: at(500) }, at(1_000), { ...look, checks: 0 })).toEqual(
      at(11_000),
    );
    expect(nextCheckAt({ ...held, status: 'canceled', holdDueAt: null }, at(1_000), look)).toBeNull();
  });

  it.each<[string, Partial<Parameters<typeof nextCheckDelayMs>[0]>, number | null]>([
    ['a payment that is over and of which nothing is open', { status: 'succeeded' }, null],
    ['a hold, whatever the term of its payment', { status: 'waiting_for_capture', ageMs: HOUR_MS }, HOUR_MS],
    [
      'a refund, however old its payment',
      { status: 'succeeded', refundsOpen: true, ageMs: 120 * HOUR_MS },
      HOUR_MS,
    ],
    ['what has no answer, whatever the term of its method', { status: 'submitting', termMs: null }, 600_000],
    ['what is paid as by card', { termMs: HOUR_MS }, 600_000],
    ['what has no term and is taken at once', { termMs: null, ageMs: 240 * HOUR_MS }, 10 * HOUR_MS],
  ])('ends up at the pause of %s', (_what, payment, ms) => {
    expect(nextCheckDelayMs({ status: 'pending', checks: 40, ageMs: 0, ...payment })).toBe(ms);
  });

  it('goes on while the receipt of the payment is registered', () => {
    const [createdAt, now] = [new Date(0), new Date(1_000)];
    const paid = { status: 'succeeded', createdAt, holdDueAt: null, capture: true } as const;
    const look = { checks: 0, termMs: null };
    expect(nextCheckAt({ ...paid, receiptStatus: 'pending' }, now, look)).toEqual(new Date(11_000));
    expect(nextCheckAt({ ...paid, receiptStatus: 'succeeded' }, now, look)).toBeNull();
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
    expect(seconds([0, 1, 8, 9, 10, 11, 15, 100, 10_000].map(delayWithoutNewsMs))).toEqual([
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
