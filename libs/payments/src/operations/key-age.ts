import { IN_FLIGHT_MS, limits } from '../api/limits.js';
import { isRecord } from '../common/is-record.js';
import type { OperationEntity } from '../schema/operation.entity.js';

/** The last hour of a key's lifetime is not used, because the request may be in flight for minutes. */
const KEY_MARGIN_MS = 3_600_000;

/** Whether the same request may still be sent under its key. A key that was never sent cannot have expired. */
export function mayResend(firstSentAt: Date | null, now: Date): boolean {
  const usableMs = limits.idempotenceKeyLifetimeMs.value - KEY_MARGIN_MS;
  return firstSentAt === null || now.getTime() - firstSentAt.getTime() < usableMs;
}

/** Answers that refuse the request itself, not its sender. */
const REFUSALS = ['service_request_invalid', 'service_not_found'];
/** A hold that may not be captured may still be canceled: it must not wait for a permission. */
const FINISH_REFUSALS = [...REFUSALS, 'service_forbidden'];
const KEY_HEADER = 'idempotence-key';

/**
 * Whether, although an attempt was lost, the last one was refused: the same request under the same key would be refused again.
 * For a capture or cancel only an answer about the key itself counts; that says nothing about what the lost attempt did (G2).
 */
export function isRefused({ kind, outcome, lastError }: OperationEntity): boolean {
  if (kind === 'create' || outcome !== 'unknown' || !isRecord(lastError)) return false;
  const { code, parameter } = lastError;
  if (kind === 'refund') return REFUSALS.some((one) => one === code);
  const aboutKey = typeof parameter === 'string' && parameter.toLowerCase() === KEY_HEADER;
  return FINISH_REFUSALS.some((one) => one === code) && !aboutKey;
}

/**
 * Whether its request is only looked up from now on: its key may no longer be used, or was refused. A create has rules of its
 * own.
 */
export function isSentNoMore(operation: OperationEntity, now: Date): boolean {
  if (operation.kind === 'create') return false;
  return isRefused(operation) || !mayResend(operation.firstSentAt, now);
}

/** Whether the service can no longer be about to receive or finish it. */
export function isQuiet(lastSentAt: Date | null, now: Date): boolean {
  return lastSentAt === null || now.getTime() - lastSentAt.getTime() > IN_FLIGHT_MS;
}

/** From when on that is so. */
export function quietFrom(lastSentAt: Date | null): Date | null {
  return lastSentAt === null ? null : new Date(lastSentAt.getTime() + IN_FLIGHT_MS + 1);
}
