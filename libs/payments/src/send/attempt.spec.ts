import { jest } from '@jest/globals';
import { errorFromAnswer } from '../api/refusal.js';
import {
  ServiceCircuitOpenError,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceError,
} from '../api/service-errors.js';
import { StoreNotConnectedError } from '../common/payments.errors.js';
import { attemptRequest } from './attempt.js';

const request = 'POST /v3/payments';
const answer = (httpStatus: number, retryAfterMs?: number): ServiceError =>
  errorFromAnswer(
    {
      httpStatus,
      body: { type: 'error', code: 'why', ...(retryAfterMs !== undefined && { retry_after: retryAfterMs }) },
    },
    { request },
  );
const reset = new ServiceNetworkError('connection failed (ECONNRESET)', { request });
const timedOut = new ServiceTimeoutError('no answer within 30000 ms', { request });
const garbled = new ServiceUnexpectedAnswerError('the answer is not complete JSON', { request });
const notSent = new ServiceCircuitOpenError('not sent', { request });
const unsent = new StoreNotConnectedError('store', 'needs_reconnect');
const bug = new TypeError('a fault of ours');

/** Runs attempts with the given ends; virtual time, so that no delay is waited for. */
async function attempt(
  outcomes: readonly unknown[],
  { earlierUnknown = false, startBeforeMs = 60_000, eachTakesMs = 0 } = {},
) {
  const sentAtMs: number[] = [];
  const startedAt = performance.now();
  const running = attemptRequest(
    async () => {
      sentAtMs.push(performance.now() - startedAt);
      if (eachTakesMs > 0) await new Promise((resolve) => setTimeout(resolve, eachTakesMs));
      const outcome = outcomes[Math.min(sentAtMs.length, outcomes.length) - 1];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    { earlierUnknown, startBeforeMs },
  );
  await jest.runAllTimersAsync();
  return { ...(await running), sentAtMs };
}

describe('a request', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('that is answered is sent once', async () => {
    expect(await attempt(['paid'])).toEqual({ kind: 'answered', answer: 'paid', sentAtMs: [0] });
  });

  it.each([
    ['a 500', answer(500)],
    ['a 503', answer(503)],
    ['a 202, still working,', answer(202)],
    ['a 429', answer(429)],
    ['a reset', reset],
    ['a timeout', timedOut],
    ['a truncated answer', garbled],
  ])('that meets %s is sent again and may be answered', async (_name, failure) => {
    expect(await attempt([failure, failure, failure, 'paid'])).toMatchObject({
      kind: 'answered',
      answer: 'paid',
      sentAtMs: { length: 4 },
    });
  });

  it('that is answered after an unknown attempt is answered', async () => {
    expect(await attempt(['paid'], { earlierUnknown: true })).toMatchObject({ kind: 'answered' });
  });

  it.each([400, 401, 403, 404, 405, 415])(
    'that is answered %i is refused, and not sent again',
    async (httpStatus) => {
      const error = answer(httpStatus);
      expect(await attempt([error])).toEqual({ kind: 'refused', error, sentAtMs: [0] });
    },
  );

  it('that finds no credentials is unsent, unless an attempt before it may have arrived', async () => {
    expect(await attempt([unsent])).toEqual({ kind: 'unsent', error: unsent, sentAtMs: [0] });
    expect(await attempt([reset, unsent])).toMatchObject({ kind: 'unknown', error: unsent });
    expect(await attempt([unsent], { earlierUnknown: true })).toMatchObject({ kind: 'unknown' });
  });

  it('that is always asked to wait is deferred: its key stays valid', async () => {
    const error = answer(429);
    expect(await attempt([error])).toMatchObject({ kind: 'deferred', error, sentAtMs: { length: 4 } });
  });

  it('that an open circuit stops is deferred at once: its key stays valid', async () => {
    expect(await attempt([notSent])).toEqual({ kind: 'deferred', error: notSent, sentAtMs: [0] });
  });

  it('that an open circuit stops says nothing about an earlier attempt', async () => {
    expect(await attempt([reset, notSent])).toMatchObject({ kind: 'unknown', sentAtMs: { length: 2 } });
    expect(await attempt([notSent], { earlierUnknown: true })).toMatchObject({ kind: 'unknown' });
  });

  it('that is asked to wait and then refused is refused: neither attempt had an effect', async () => {
    expect(await attempt([answer(429), answer(403)])).toMatchObject({ kind: 'refused' });
  });

  it.each<[string, unknown[]]>([
    ['always answered 500', [answer(500)]],
    ['always reset', [reset]],
    ['always too late', [timedOut]],
    ['always truncated', [garbled]],
    ['answered 500, then 400', [answer(500), answer(400)]],
    ['answered 500, then 401', [answer(500), answer(401)]],
    ['reset, then 403', [reset, answer(403)]],
    ['too late, then 404', [timedOut, answer(404)]],
    ['still in work, then 400', [answer(202), answer(400)]],
    ['truncated, then asked to wait for ever', [garbled, answer(429)]],
    ['stopped by a fault of ours', [bug]],
    ['asked to wait, then stopped by a fault of ours', [answer(429), bug]],
  ])('that is %s is of unknown outcome', async (_name, outcomes) => {
    const { kind, ...rest } = await attempt(outcomes);
    expect(kind).toBe('unknown');
    expect(rest).toMatchObject({ error: outcomes.at(-1) });
  });

  it.each([400, 401, 403, 404, 429])(
    'of which an earlier attempt is unknown is not refused by a %i',
    async (httpStatus) => {
      expect(await attempt([answer(httpStatus)], { earlierUnknown: true })).toMatchObject({
        kind: 'unknown',
      });
    },
  );

  it('that is stopped by a fault of ours is not sent again', async () => {
    expect(await attempt([bug])).toEqual({ kind: 'unknown', error: bug, sentAtMs: [0] });
  });

  it('waits exactly as long as the service asks', async () => {
    const { sentAtMs } = await attempt([answer(429, 3_000), answer(500, 7_000), answer(202, 0), 'paid']);
    // To the hundredth of a second: the policy takes a millisecond of its own for every repeat.
    expect(sentAtMs.map((at) => Math.floor(at / 10) * 10)).toEqual([0, 3_000, 10_000, 10_000]);
  });

  it('waits about 200, 400 and 800 ms if the service asks for nothing', async () => {
    const { sentAtMs } = await attempt([reset]);
    const waits = sentAtMs.slice(1).map((at, index) => at - (sentAtMs[index] ?? 0));
    expect(waits).toHaveLength(3);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(100 * 2 ** index - 1);
      expect(wait).toBeLessThanOrEqual(300 * 2 ** index + 2);
    }
  });

  it('is not sent again once its time is up', async () => {
    const failed = await attempt([answer(500, 1)], { startBeforeMs: 100, eachTakesMs: 60 });
    expect(failed.sentAtMs).toHaveLength(2);
  });

  it.each([60_000, 3_600_000, 1e12, Infinity])(
    'that is asked to wait %d ms, longer than its time, is not waited for',
    async (retryAfterMs) => {
      const deferred = await attempt([answer(429, retryAfterMs)]);
      expect(deferred).toMatchObject({ kind: 'deferred', sentAtMs: [0] });
      const unknown = await attempt([answer(202, 5), answer(202, retryAfterMs)]);
      expect(unknown).toMatchObject({ kind: 'unknown', sentAtMs: { length: 2 } });
    },
  );

  it('that has no time for repeats is sent once', async () => {
    expect(await attempt([answer(500, 1)], { startBeforeMs: 0 })).toMatchObject({
      kind: 'unknown',
      sentAtMs: [0],
    });
    expect(await attempt([answer(429, 1)], { startBeforeMs: 0 })).toMatchObject({
      kind: 'deferred',
      sentAtMs: [0],
    });
  });
});
