import type { PaymentStatus } from '../common/payment-status.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { finishOutcome, type FinishReading } from './finish-outcome.js';
import { CANCEL_BODY, captureBody } from './request-body.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const askedAt = new Date('2026-01-02T12:00:00.000Z');
const ago = (ms: number) => new Date(askedAt.getTime() - ms);

const refused = { code: 'service_request_invalid', httpStatus: 400 };
/** A capture of 60.00 that proves to have had no effect: lost, then refused, and long ago. */
const undone = {
  kind: 'capture',
  ...captureBody(6_000, 'RUB'),
  outcome: 'unknown',
  attempts: 3,
  recordedAt: ago(24 * HOUR_MS),
  firstSentAt: ago(HOUR_MS),
  lastSentAt: ago(6 * MINUTE_MS),
  lastError: refused,
} satisfies Partial<PaymentsOperationEntity>;

const decide = (fields: Partial<PaymentsOperationEntity> = {}, reading: Partial<FinishReading> = {}) =>
  finishOutcome(Object.assign(new PaymentsOperationEntity(), undone, fields), {
    status: 'waiting_for_capture',
    capturedMinor: 0,
    askedAt,
    isOver: true,
    ...reading,
  });
const goesOn = { kind: 'open', lookAt: null };

describe('a capture or cancel whose answer was lost', () => {
  it('is refused if the service said no under its key, nothing can be in flight, and the hold is still open', () => {
    expect(decide()).toEqual({ kind: 'refused' });
    expect(decide({ kind: 'cancel', ...CANCEL_BODY })).toEqual({ kind: 'refused' });
  });

  it.each(['service_not_found', 'service_forbidden'])('is refused likewise by %s', (code) =>
    expect(decide({ lastError: { code } })).toEqual({ kind: 'refused' }),
  );

  it.each<[string, Partial<PaymentsOperationEntity>]>([
    ['was never sent', { outcome: null, attempts: 0, firstSentAt: null, lastSentAt: null, lastError: null }],
    ['has no answer to its last attempt', { lastError: null }],
    ['met a failure last', { lastError: { code: 'service_failure' } }],
    ['was answered 401 last, which says nothing of it', { lastError: { code: 'service_credentials' } }],
    ['was turned away last', { lastError: { code: 'service_too_many_requests' } }],
    ['got an error about its key only', { lastError: { ...refused, code: 'service_key_reused' } }],
    ['was refused, and no attempt was ever lost', { outcome: null }],
  ])('goes on if it %s', (_name, fields) => expect(decide(fields)).toEqual(goesOn));

  it('is looked at again each minute until nothing can be in flight any more, whatever the time of its last attempt says', () => {
    const lookAt = new Date(askedAt.getTime() + MINUTE_MS);
    expect(decide({}, { isOver: false })).toEqual({ kind: 'open', lookAt });
    expect(decide({ lastSentAt: ago(24 * HOUR_MS) }, { isOver: false })).toEqual({ kind: 'open', lookAt });
  });

  it('is refused when its key has become too old, likewise only once nothing can be in flight', () => {
    const lastError = { code: 'service_failure' };
    const firstSentAt = ago(23 * HOUR_MS);
    expect(decide({ lastError, firstSentAt })).toEqual({ kind: 'refused' });
    expect(decide({ lastError, firstSentAt }, { isOver: false })).toMatchObject({ kind: 'open' });
    expect(decide({ lastError, firstSentAt: ago(23 * HOUR_MS - 1) })).toEqual(goesOn);
  });

  it.each<[PaymentStatus, number, 'capture' | 'cancel', 'confirmed' | 'refused']>([
    ['succeeded', 6_000, 'capture', 'confirmed'],
    ['succeeded', 10_000, 'capture', 'refused'],
    ['succeeded', 5_000, 'capture', 'refused'],
    ['canceled', 0, 'capture', 'refused'],
    ['canceled', 0, 'cancel', 'confirmed'],
    ['succeeded', 10_000, 'cancel', 'refused'],
  ])('of a payment that is %s with %i captured: a %s is %s', (status, capturedMinor, kind, outcome) => {
    const request = kind === 'cancel' ? CANCEL_BODY : { body: undone.body };
    expect(decide({ kind, ...request, lastError: null }, { status, capturedMinor })).toEqual({
      kind: outcome,
    });
  });

  it('of which no attempt can have arrived did nothing to a payment that succeeded', () => {
    const turnedAway = { outcome: null, lastError: { code: 'service_too_many_requests' } };
    expect(decide(turnedAway, { status: 'succeeded', capturedMinor: 6_000 })).toEqual({ kind: 'refused' });
  });

  it.each(['succeeded', 'canceled'] as const)('that was never sent did nothing to a payment %s', (status) => {
    const unsent = { outcome: null, attempts: 0, firstSentAt: null, lastSentAt: null, lastError: null };
    expect(decide(unsent, { status, capturedMinor: 6_000 })).toEqual({ kind: 'refused' });
    const cancel = { ...unsent, kind: 'cancel', ...CANCEL_BODY } as const;
    expect(decide(cancel, { status })).toEqual({ kind: 'refused' });
  });
});
