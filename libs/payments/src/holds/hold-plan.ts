import type { ServicePayment } from '../api/service-payment.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/** A policy that cannot be carried out is tried again after 1, 2, 4 … 30 min, until the hold is over. */
const FIRST_RETRY_MS = 60_000;
const RETRY_CAP_MS = 30 * 60_000;

/**
 * When a hold must be seen to: its lead time before the service's own end, but never with more than a quarter of the
 * hold gone to the lead, since some methods hold for six hours alone. Found late, it is as long as what is left of it.
 * Without an end nobody knows how long there is: at once.
 */
export function holdDueAt(expiresAt: Date | null, foundAt: Date, leadTimeMs: number): Date {
  if (expiresAt === null) return foundAt;
  const lengthMs = expiresAt.getTime() - foundAt.getTime();
  const leadMs = Math.min(leadTimeMs, lengthMs / 4);
  return new Date(Math.max(foundAt.getTime(), expiresAt.getTime() - leadMs));
}

/** After try number `tries`, counted from 1. */
export function holdRetryDelayMs(tries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), RETRY_CAP_MS);
}

/**
 * Whether a canceled payment was a hold that ran out. The reason says so, whether or not we ever saw it held; a
 * service that gives no reason is judged by the time.
 */
export function isExpiredHold(
  before: Pick<PaymentEntity, 'status' | 'holdExpiresAt'>,
  { status, cancellation }: Pick<ServicePayment, 'status' | 'cancellation'>,
  now: Date,
): boolean {
  if (status !== 'canceled') return false;
  if (cancellation !== null) return cancellation.reason === 'expired_on_capture';
  return (
    before.status === 'waiting_for_capture' && before.holdExpiresAt !== null && before.holdExpiresAt <= now
  );
}
