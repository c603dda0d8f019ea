import * as fc from 'fast-check';
import { paymentStatuses } from '../payment/payment-status.js';
import { nextCheckDelayMs, retryDelayMs } from './poll-plan.js';

const seconds = (delays: (number | null)[]) =>
  delays.map((delayMs) => (delayMs === null ? null : delayMs / 1_000));
const first = (count: number) => Array.from({ length: count }, (_, checks) => checks);

describe('polling', () => {
  it.each(['submitting', 'pending'] as const)(
    'of a %s payment grows like Fibonacci numbers up to 10 min',
    (status) => {
      expect(seconds(first(13).map((checks) => nextCheckDelayMs(status, checks)))).toEqual([
        10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 600, 600, 600,
      ]);
    },
  );

  it('of a hold grows up to an hour', () => {
    expect(seconds(first(17).map((checks) => nextCheckDelayMs('waiting_for_capture', checks)))).toEqual([
      10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 890, 1440, 2330, 3600, 3600, 3600, 3600,
    ]);
  });

  it.each(['succeeded', 'canceled', 'rejected'] as const)('of a %s payment ends', (status) => {
    expect(seconds(first(3).map((checks) => nextCheckDelayMs(status, checks)))).toEqual([null, null, null]);
  });

  it('of a succeeded payment goes on while not all is known of its refunds, up to an hour', () => {
    expect(seconds(first(16).map((checks) => nextCheckDelayMs('succeeded', checks, true)))).toEqual([
      10, 10, 20, 30, 50, 80, 130, 210, 340, 550, 890, 1440, 2330, 3600, 3600, 3600,
    ]);
  });

  it('stays whole milliseconds within the caps after any number of checks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paymentStatuses), fc.nat(2 ** 31 - 1), (status, checks) => {
        const delayMs = nextCheckDelayMs(status, checks) ?? 10_000;
        expect(Number.isInteger(delayMs) && delayMs >= 10_000 && delayMs <= 3_600_000).toBe(true);
      }),
    );
  });
});

describe('a re-read that failed', () => {
  it('is repeated after 1, 2, 4 … 60 s', () => {
    expect(seconds([...first(9), 1_000, 2 ** 31 - 1].map(retryDelayMs))).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60,
    ]);
  });
});
