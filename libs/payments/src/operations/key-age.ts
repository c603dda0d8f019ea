import { IN_FLIGHT_MS, KEY_USABLE_MS } from '../api/limits.js';
import type { OperationEntity } from '../schema/operation.entity.js';
import { isRefused } from './refused-operation.js';

/** Whether the same request may still be sent under its key. A key that was never sent cannot have expired. */
export function mayResend(firstSentAt: Date | null, now: Date): boolean {
  return firstSentAt === null || now.getTime() - firstSentAt.getTime() < KEY_USABLE_MS;
}

/**
 * Whether its request is only looked up from now on: its key may no longer be used, or it was refused. A create has rules of its
 * own.
 */
export function isOnlyLookedUp(operation: OperationEntity, now: Date): boolean {
  if (operation.kind === 'create') return false;
  return isRefused(operation) || !mayResend(operation.firstSentAt, now);
}

/** Whether the service can no longer be about to receive or finish it. */
export function isQuiet(lastSentAt: Date | null, now: Date): boolean {
  return lastSentAt === null || now.getTime() - lastSentAt.getTime() > IN_FLIGHT_MS;
}

/** From when on that is so. */
export function quietAt(lastSentAt: Date | null): Date | null {
  return lastSentAt === null ? null : new Date(lastSentAt.getTime() + IN_FLIGHT_MS + 1);
}
