import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { isQuiet, isOnlyLookedUp, mayResend } from './key-age.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const now = new Date('2026-01-02T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const sent = (
  times: Partial<Pick<PaymentsOperationEntity, 'recordedAt' | 'firstSentAt' | 'lastSentAt'>>,
) => ({
  recordedAt: ago(365 * 24 * HOUR_MS),
  firstSentAt: ago(HOUR_MS),
  lastSentAt: ago(MINUTE_MS),
  ...times,
});

describe('a request under its key', () => {
  it.each<[string, Date | null, boolean]>([
    ['that was never sent, however old its intent,', null, true],
    ['sent now', ago(0), true],
    ['sent 22 h 59 min ago', ago(23 * HOUR_MS - MINUTE_MS), true],
    ['sent 1 ms less than 23 h ago', ago(23 * HOUR_MS - 1), true],
    ['sent 23 h ago', ago(23 * HOUR_MS), false],
    ['sent 24 h ago', ago(24 * HOUR_MS), false],
    ['sent a year ago', ago(365 * 24 * HOUR_MS), false],
    ['sent by a process whose clock is ahead', ago(-MINUTE_MS), true],
  ])('%s: may be sent again is %3$s', (_name, firstSentAt, expected) => {
    expect(mayResend(sent({ firstSentAt, lastSentAt: firstSentAt }), now)).toBe(expected);
  });

  it('is as old as this process has known it, whatever a clock says that was set back', () => {
    expect(mayResend(sent({}), now, 23 * HOUR_MS - 1)).toBe(true);
    expect(mayResend(sent({}), now, 23 * HOUR_MS)).toBe(false);
  });

  it.each(['recordedAt', 'firstSentAt', 'lastSentAt'] as const)(
    'of which a clock that was set back has %s after now is of an unknown age',
    (when) => {
      expect(mayResend(sent({ [when]: ago(-MINUTE_MS) }), now)).toBe(true);
      expect(mayResend(sent({ [when]: ago(-MINUTE_MS - 1) }), now)).toBe(false);
    },
  );

  it.each<[string, Date | null, boolean]>([
    ['that was never sent', null, true],
    ['sent now', ago(0), false],
    ['sent 5 min ago', ago(5 * MINUTE_MS), false],
    ['sent 1 ms more than 5 min ago', ago(5 * MINUTE_MS + 1), true],
    ['sent by a process whose clock is ahead', ago(-MINUTE_MS), false],
  ])('%s: can no longer be in flight is %3$s', (_name, lastSentAt, expected) => {
    expect(isQuiet(lastSentAt, now)).toBe(expected);
  });
});

describe("a refund's request", () => {
  const operation = (fields: Partial<PaymentsOperationEntity> = {}) =>
    Object.assign(new PaymentsOperationEntity(), {
      kind: 'refund',
      outcome: 'unknown',
      recordedAt: ago(24 * HOUR_MS),
      firstSentAt: ago(MINUTE_MS),
      lastError: { code: 'service_timeout' },
      ...fields,
    });

  it('goes on while its key may be used', () => expect(isOnlyLookedUp(operation(), now)).toBe(false));

  it('is only looked up when its key is too old', () => {
    const firstSentAt = ago(23 * HOUR_MS);
    expect(isOnlyLookedUp(operation({ firstSentAt }), now)).toBe(true);
  });

  it.each(['service_request_invalid', 'service_not_found'])(
    'is only looked up when the last attempt was answered %s, since the same request would be refused again',
    (code) => expect(isOnlyLookedUp(operation({ lastError: { code } }), now)).toBe(true),
  );

  it.each(['service_credentials', 'service_forbidden', 'service_too_many_requests', 'service_failure'])(
    'goes on after %s, which says nothing about the request itself',
    (code) => expect(isOnlyLookedUp(operation({ lastError: { code } }), now)).toBe(false),
  );

  it('of a create has rules of its own', () => {
    const lastError = { code: 'service_request_invalid' };
    expect(isOnlyLookedUp(operation({ kind: 'create', lastError }), now)).toBe(false);
  });
});
