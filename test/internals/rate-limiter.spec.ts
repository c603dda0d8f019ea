import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { errorFromAnswer } from '../../libs/payments/src/api/refusal.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { RateLimiter } from '../../libs/payments/src/stores/rate-limiter.js';
import { StoreRegistry } from '../../libs/payments/src/stores/store.registry.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('the rate limiter of a store', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let storeId: string;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
    storeId = host.app.get(StoreRegistry, { strict: false }).shop?.id ?? '';
    await host.payments.create(orderInput());
    await bench.sandbox.clock.advance(60_000);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.asOwner('DELETE FROM payments_rate_limits'));

  const heeded = (answer: { readonly body?: unknown; readonly retryAfter?: string }) =>
    host.app
      .get(RateLimiter, { strict: false })
      .heed(
        storeId,
        errorFromAnswer({ httpStatus: 503, body: {}, ...answer }, { request: 'GET /v3/payments/1' }),
      );
  /** Claims the payment that is due, if it may be, and gives it back. */
  const mayAsk = async () => {
    const claims = host.app.get(Claims, { strict: false });
    const [claim] = await claims.take({ stores: [{ id: storeId, most: 1 }], most: 1, failing: 1 });
    if (claim) await claims.giveBack(claim);
    return claim !== undefined;
  };
  const secondsPass = (seconds: number) =>
    bench.asOwner(
      `UPDATE payments_rate_limits SET spent_to = spent_to - $1::float8 * interval '1 second',
         polls_rest_until = polls_rest_until - $1::float8 * interval '1 second', rests_since = rests_since - $1::float8 * interval '1 second'`,
      [seconds],
    );
  const minutesPass = (minutes: number) => secondsPass(minutes * 60);

  it.each<[string, Parameters<typeof heeded>[0]]>([
    ['a day', { retryAfter: '86400' }],
    ['a date in 2100', { retryAfter: 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['a number of four hundred digits', { retryAfter: '9'.repeat(400) }],
    ['1e400 ms', { body: JSON.parse('{"retry_after":1e400}') }],
  ])('has the sweeps rest for minutes, and says so, if the service asks for %s', async (_what, answer) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await heeded(answer);
    const told = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(await mayAsk()).toBe(false);
    await minutesPass(4);
    expect(await mayAsk()).toBe(false);
    await minutesPass(2);
    expect(await mayAsk()).toBe(true);
    for (const line of told) expect(line).toMatch(/ask again in 300 s, and for what was notified in 5 s/);
  });

  it('says in one line how long the service asked to be left alone, and how long it is', async () => {
    const fresh = await bench.startHost({ sweeps: false });
    const limiter = fresh.app.get(RateLimiter, { strict: false });
    const error = errorFromAnswer(
      { httpStatus: 503, body: {}, retryAfter: '86400' },
      { request: 'GET /v3/payments/1' },
    );
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    for (let times = 0; times < 3; times += 1) await limiter.heed(storeId, error);
    const told = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(told).toEqual([
      'The service asks for no requests for store test_shop for 86400 s; the sweeps ask again in 300 s, and for what was notified in 5 s.',
    ]);
  });

  it('gives what was notified a try after 5 s, then after as long as the service has been asking, a minute at most', async () => {
    const notified = async () => {
      await bench.asOwner(`UPDATE payments_due SET lane = 'notified', ready_at = now(), rest_until = NULL`);
      return mayAsk();
    };
    await heeded({ retryAfter: '86400' });
    const tries: number[] = [];
    for (let second = 1; second <= 330; second += 1) {
      await secondsPass(1);
      if (!(await notified())) continue;
      tries.push(second);
      await heeded({ retryAfter: '86400' });
    }
    // What the calls took of real time may bring one a second earlier.
    const expected = [5, 10, 20, 40, 80, 140, 200, 260, 320];
    expect(tries.length).toBeGreaterThanOrEqual(expected.length - 1);
    expect(tries.length).toBeLessThanOrEqual(expected.length + 2);
    const gaps = tries.map((at, index) => at - (tries[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(61);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
    await bench.asOwner(`UPDATE payments_due SET lane = 'polls', ready_at = now() - interval '1 minute'`);
    // Polls rest since the last of these answers.
    expect(await mayAsk()).toBe(false);
    await minutesPass(6);
    expect(await mayAsk()).toBe(true);
    await heeded({ retryAfter: '86400' });
    await secondsPass(6);
    expect(await notified()).toBe(true);
    await bench.asOwner(`UPDATE payments_due SET lane = 'polls', ready_at = now() - interval '1 minute'`);
  }, 120_000);

  it('obeys the service to the millisecond where it asks for less', async () => {
    await heeded({ retryAfter: '120' });
    await minutesPass(1);
    expect(await mayAsk()).toBe(false);
    await minutesPass(2);
    expect(await mayAsk()).toBe(true);
  });

  it.each([
    ['2100', '2100-01-01'],
    ['the end of time', 'infinity'],
    ['ten minutes from now', new Date(Date.now() + 600_000).toISOString()],
  ])('does not believe a stamp of %s, and replaces it', async (_when, stamp) => {
    await bench.asOwner('INSERT INTO payments_rate_limits (store_id, spent_to) VALUES ($1, $2)', [
      storeId,
      stamp,
    ]);
    expect(await mayAsk()).toBe(true);
    expect(
      await bench.asOwner(
        `SELECT spent_to < statement_timestamp() + interval '1 minute' AS near FROM payments_rate_limits`,
      ),
    ).toEqual([{ near: true }]);
  });

  it('forgives what it was charged beyond minutes', async () => {
    await host.app.get(RateLimiter, { strict: false }).charge(storeId, 1_000_000);
    expect(await mayAsk()).toBe(false);
    await minutesPass(6);
    expect(await mayAsk()).toBe(true);
  });
});
