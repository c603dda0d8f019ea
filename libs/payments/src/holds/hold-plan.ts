import type { ServicePayment } from '../api/service-payment.js';
import { DAY_MS } from '../common/durations.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** No card network holds money for longer than a month. */
const LONGEST_MS = 31 * DAY_MS;
/** A policy that cannot be carried out is tried again after 1, 2, 4 … 30 min, until the hold is over. */
const FIRST_RETRY_MS = 60_000;
const RETRY_CAP_MS = 30 * 60_000;

/** The end that the service names; null: none, or one so far ahead that the hold would run out while it is waited for (G12). */
export function believableEnd(expiresAt: Date | null, now: Date): Date | null {
  return expiresAt !== null && expiresAt.getTime() - now.getTime() <= LONGEST_MS ? expiresAt : null;
}

/**
 * When a hold must be handled: its lead time before the service's own end, but the lead never takes more than a quarter of the
 * hold, since some methods hold for only six hours. Found late, its length is what is left of it. Without an end nobody knows how
 * long there is: at once.
 */
export function holdDueAt(expiresAt: Date | null, foundAt: Date, leadTimeMs: number): Date {
  if (expiresAt === null) return foundAt;
  const lengthMs = expiresAt.getTime() - foundAt.getTime();
  const leadMs = Math.min(leadTimeMs, lengthMs / 4);
  return new Date(Math.max(foundAt.getTime(), expiresAt.getTime() - leadMs));
}

export function isHoldDue(
  { holdDueAt: dueAt }: Pick<PaymentsPaymentEntity, 'holdDueAt'>,
  now: Date,
): boolean {
  return dueAt !== null && dueAt <= now;
}

/** After attempt number `tries`, counted from 1. */
export function holdRetryDelayMs(tries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), RETRY_CAP_MS);
}

/** The fields of a hold whose policy was carried out once more. */
export function nextHoldTry(
  { holdTries: earlier }: Pick<PaymentsPaymentEntity, 'holdTries'>,
  now: Date,
): Pick<PaymentsPaymentEntity, 'holdTries' | 'holdDueAt'> {
  const holdTries = earlier + 1;
  return { holdTries, holdDueAt: new Date(now.getTime() + holdRetryDelayMs(holdTries)) };
}

/** When a hold's policy was last carried out; null: not since its end was last planned. */
export function lastHoldTryAt({
  holdTries,
  holdDueAt: dueAt,
}: Pick<PaymentsPaymentEntity, 'holdTries' | 'holdDueAt'>): Date | null {
  if (holdTries === 0 || dueAt === null) return null;
  return new Date(dueAt.getTime() - holdRetryDelayMs(holdTries));
}

/**
 * Whether a canceled payment was a hold that expired. The reason says so, whether or not we ever saw it held; without a reason
 * the time decides.
 */
export function isExpiredHold(
  before: Pick<PaymentsPaymentEntity, 'status' | 'holdExpiresAt'>,
  { status, cancellation }: Pick<ServicePayment, 'status' | 'cancellation'>,
  now: Date,
): boolean {
  if (status !== 'canceled') return false;
  if (cancellation !== null) return cancellation.reason === 'expired_on_capture';
  return (
    before.status === 'waiting_for_capture' && before.holdExpiresAt !== null && before.holdExpiresAt <= now
  );
}
