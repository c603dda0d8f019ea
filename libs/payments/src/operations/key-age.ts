import { IN_FLIGHT_MS, KEY_USABLE_MS } from '../api/limits.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { isRefused } from './refused-operation.js';

/** Less than that is no step of a clock, or one that the last hour of a key's life covers. */
const STEP_MS = 60_000;

type SentTimes = Pick<PaymentsOperationEntity, 'recordedAt' | 'firstSentAt' | 'lastSentAt'>;

/**
 * Whether the same request may still be sent under its key. A key that was never sent cannot have expired. A clock that was set back makes
 * it look young, so it is at least as old as `keyUsedMs`, for which this process has known it to be in use; and if it was sent after now, nobody knows.
 */
export function mayResend(
  { recordedAt, firstSentAt, lastSentAt }: SentTimes,
  now: Date,
  keyUsedMs = 0,
): boolean {
  if (firstSentAt === null) return true;
  const ageMs = (at: Date) => now.getTime() - at.getTime();
  if ([recordedAt, firstSentAt, lastSentAt ?? firstSentAt].some((at) => ageMs(at) < -STEP_MS)) return false;
  return Math.max(ageMs(firstSentAt), keyUsedMs) < KEY_USABLE_MS;
}

/**
 * Whether its request is only looked up from now on: its key may no longer be used, or it was refused. A create has rules of its
 * own.
 */
export function isOnlyLookedUp(operation: PaymentsOperationEntity, now: Date, keyUsedMs = 0): boolean {
  if (operation.kind === 'create') return false;
  return isRefused(operation) || !mayResend(operation, now, keyUsedMs);
}

/** Whether the service can no longer be about to receive or finish it. */
export function isQuiet(lastSentAt: Date | null, now: Date): boolean {
  return lastSentAt === null || now.getTime() - lastSentAt.getTime() > IN_FLIGHT_MS;
}
