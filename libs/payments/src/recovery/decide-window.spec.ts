import {
  ServiceCallAbortedError,
  ServiceCircuitOpenError,
  ServiceCredentialsError,
  ServiceFailureError,
  ServiceForbiddenError,
  ServiceNetworkError,
  ServiceNotFoundError,
  ServiceRequestInvalidError,
  ServiceTooManyRequestsError,
  ServiceUnexpectedAnswerError,
} from '../api/service-errors.js';
import { afterFailure, afterWindow, isHopeless, rereadPauseMs } from './decide-window.js';

const details = { request: 'GET /v3/payments' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a list that was not read', () => {
  it.each([ServiceForbiddenError, ServiceNotFoundError, ServiceRequestInvalidError])(
    'is given up: %o',
    (Refusal) => {
      expect(isHopeless(new Refusal('no', details))).toBe(true);
    },
  );

  it.each([
    ServiceCredentialsError,
    ServiceTooManyRequestsError,
    ServiceCircuitOpenError,
    ServiceFailureError,
    ServiceUnexpectedAnswerError,
  ])('is tried again: %o', (Failure) => {
    expect(isHopeless(new Failure('not now', details))).toBe(false);
  });

  it('is tried again if it was broken off, or the database failed', () => {
    expect(isHopeless(new ServiceCallAbortedError('over', details, 'refused'))).toBe(false);
    expect(isHopeless(new Error('terminating connection'))).toBe(false);
  });

  it.each([
    [ServiceNetworkError, true],
    [ServiceFailureError, true],
    [ServiceTooManyRequestsError, true],
    [ServiceCircuitOpenError, true],
    [ServiceCredentialsError, true],
    [ServiceUnexpectedAnswerError, false],
  ])('was not answered at all: %o, %s', (Failure, isOutage) => {
    expect(afterFailure({ cursor: 'page-7' }, new Failure('not now', details))).toEqual({
      isFromStart: false,
      isOutage,
    });
  });

  it('was answered where the database failed afterwards', () => {
    const failure = new Error('terminating connection');
    expect(afterFailure({ cursor: null }, failure)).toEqual({ isFromStart: false, isOutage: false });
  });

  it('is read from its start once more where the service may have forgotten its place, and given up there', () => {
    const refusal = new ServiceRequestInvalidError('no', details);
    expect(afterFailure({ cursor: 'page-7' }, refusal)).toEqual({ isFromStart: true, isOutage: false });
    expect(afterFailure({ cursor: null }, refusal)).toBeNull();
  });
});

describe('a window that has ended', () => {
  const lost = {
    reason: 'commits_lost',
    epoch: 'epoch',
    from: new Date(0),
    to: new Date(1),
    cursor: null,
  } as const;
  const read = { error: null, isRead: true, payments: 0 };
  const all = { looksAgain: true, settlesWithin: true, rollback: null };

  it.each([
    ['was read', lost, read, all],
    [
      'was read, but for what is missing',
      lost,
      { ...read, error: 'missing' },
      { ...all, settlesWithin: false },
    ],
    [
      'can never be read',
      lost,
      { ...read, error: 'no', isRead: false },
      { looksAgain: false, settlesWithin: false },
    ],
    ['was read once more', { ...lost, reason: 'in_flight' }, read, { looksAgain: false }],
    ['was asked for by a person', { ...lost, reason: 'requested' }, read, { looksAgain: false }],
    ['had payments that were forgotten', lost, { ...read, payments: 3 }, { rollback: null }],
    ['was a silence', { ...lost, reason: 'silence' }, read, { rollback: null }],
    [
      'was a silence that cost something',
      { ...lost, reason: 'silence' },
      { ...read, payments: 3 },
      { rollback: { epoch: 'epoch', from: new Date(0), to: new Date(1), reason: 'silence' } },
    ],
    [
      'was a silence in a copy',
      { ...lost, reason: 'silence', epoch: null },
      { ...read, payments: 3 },
      { rollback: null },
    ],
  ] as const)('%s', (_how, window, end, expected) => {
    expect(afterWindow(window, end)).toMatchObject(expected);
  });
});

describe('a window whose refunds are not all known', () => {
  it.each([
    ['after its first list, for the usual time of a re-read', null, 5_000],
    ['no shorter after a list that took less', 0, 5_000],
    ['nor where the clock was set back', -MINUTE_MS, 5_000],
    ['as long as the shortest pause lasted', 5_000, 5_000],
    ['as long as it has been read', 5_001, 5_001],
    ['for three minutes', 3 * MINUTE_MS, 3 * MINUTE_MS],
    ['for no more than that', 3 * MINUTE_MS + 1, 3 * MINUTE_MS],
    ['to the end of an hour', HOUR_MS, 3 * MINUTE_MS],
    ['no longer', HOUR_MS + 1, null],
  ])('waits %s', (_name, readForMs, expected) => {
    expect(rereadPauseMs(readForMs)).toBe(expected);
  });

  it('is listed a few times in its hour, after pauses that double', () => {
    const pauses: number[] = [];
    let readForMs: number | null = null;
    for (;;) {
      const pauseMs: number | null = rereadPauseMs(readForMs);
      if (pauseMs === null) break;
      pauses.push(pauseMs / 1_000);
      readForMs = (readForMs ?? 0) + pauseMs;
    }
    expect(pauses.slice(0, 8)).toEqual([5, 5, 10, 20, 40, 80, 160, 180]);
    expect(pauses.length).toBeLessThan(30);
  });
});
