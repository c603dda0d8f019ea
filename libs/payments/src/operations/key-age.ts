import { limits } from '../api/limits.js';
import { isRecord } from '../api/service-errors.js';
import type { OperationEntity } from './operation.entity.js';

/** The last hour of a key's lifetime is left alone, because the request may be under way for minutes. */
const KEY_MARGIN_MS = 3_600_000;
/** A request may still be under way, or be worked on, this long after it was last sent. */
export const IN_FLIGHT_MS = 5 * 60_000;

/** Whether the same request may still be sent under its key. A key that was never sent cannot have expired. */
export function mayResend(firstSentAt: Date | null, now: Date): boolean {
  const usableMs = limits.idempotenceKeyLifetimeMs.value - KEY_MARGIN_MS;
  return firstSentAt === null || now.getTime() - firstSentAt.getTime() < usableMs;
}

/** Answers that say no to the request itself, not to the one who asks. */
const REFUSALS = ['service_request_invalid', 'service_not_found'];

/**
 * Whether the sweep leaves a refund's request at looking: its key may no longer be used or, though an attempt was lost,
 * the last one was refused, and asking again would bring the same.
 */
export function isSentNoMore({ kind, outcome, firstSentAt, lastError }: OperationEntity, now: Date): boolean {
  if (kind !== 'refund') return false;
  const refused =
    outcome === 'unknown' && isRecord(lastError) && REFUSALS.some((code) => code === lastError['code']);
  return refused || !mayResend(firstSentAt, now);
}

/** Whether the service can no longer be about to receive or finish it. */
export function isQuiet(lastSentAt: Date | null, now: Date): boolean {
  return lastSentAt === null || now.getTime() - lastSentAt.getTime() > IN_FLIGHT_MS;
}
