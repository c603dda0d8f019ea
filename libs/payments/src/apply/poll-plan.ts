import { limits } from '../api/limits.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { DAY_MS, HOUR_MS } from '../common/durations.js';
import { isFinal, type PaymentStatus } from '../common/payment-status.js';
import { rulesOf } from '../payment/paid-by.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

const FIRST_MS = 10_000;
const PENDING_CAP_MS = 600_000;
/** Of methods that leave their buyer more than an hour. */
const LONG_TERM_CAP_MS = HOUR_MS;
/** One without a term is looked at once in this part of its age. */
const AGE_SHARE = 24;
const HELD_CAP_MS = HOUR_MS;
/** Issuers take up to three days for a refund. */
const REFUND_CAP_MS = HOUR_MS;
const RECEIPT_CAP_MS = HOUR_MS;
const RECEIPT_WATCH_MS = 4 * DAY_MS;
const LATE_RECEIPT_CAP_MS = 6 * HOUR_MS;
const FAILURE_CAP_MS = 60_000;
/** A notification that is not acknowledged comes some eight times in its 24 h. */
const REPEATS_OF_THE_SERVICE = 8;
const HOLD_STEP_MS = 60_000;
const TERM_STEP_MS = 60_000;
const TERM_WATCH_MS = 10 * 60_000;

/** What decides when a payment is looked at again. */
interface Pollable {
  readonly status: PaymentStatus;
  /** Re-reads since the last change. */
  readonly checks: number;
  /** Since its create, in business time. */
  readonly ageMs: number;
  /** Not all is known of its refunds. */
  readonly refundsOpen?: boolean;
  /** Its receipt is being registered: there is no notification of that. */
  readonly receiptOpen?: boolean;
  /** How long its buyer may take; null: as long as they like. Default: as by card. */
  readonly termMs?: number | null;
  /** false: it will be held, and holds are short. */
  readonly capture?: boolean;
}

/**
 * When to look again without a notification, in ms of business time; null: never. Grows like Fibonacci numbers (10, 10, 20, 30,
 * 50 s …), as the service asks of those who poll, and is dense again around the end of the payment term, when most unpaid
 * payments are canceled.
 */
export function nextCheckDelayMs(payment: Pollable): number | null {
  const { status, checks, ageMs, refundsOpen = false, receiptOpen = false } = payment;
  if (isFinal(status) && !refundsOpen && !receiptOpen) return null;
  const { termMs = limits.cardPaymentTermMs.value } = payment;
  const delayMs = Math.min(FIRST_MS * fibonacci(checks), capMs(payment));
  return status === 'pending' && termMs !== null ? Math.min(delayMs, termDelayMs(ageMs - termMs)) : delayMs;
}

/** By its method, as the service last said or as it was requested; while nobody knows it, and by unknown methods, as by card. */
export function termMsOf(
  payment: Pick<PaymentsPaymentEntity, 'method' | 'object' | 'amountMinor'>,
  profile: Pick<ServiceProfile, 'methods'>,
): number | null {
  const rules = rulesOf(profile, payment);
  return rules ? rules.termMs(payment.amountMinor) : limits.cardPaymentTermMs.value;
}

/** As a moment, and no later than a hold must be handled. */
export function nextCheckAt(
  {
    status,
    createdAt,
    holdDueAt,
    receiptStatus,
    capture,
  }: Pick<PaymentsPaymentEntity, 'status' | 'createdAt' | 'holdDueAt' | 'receiptStatus' | 'capture'>,
  now: Date,
  {
    checks,
    refundsOpen = false,
    receiptOpen = false,
    termMs,
  }: Pick<Pollable, 'checks' | 'refundsOpen' | 'receiptOpen'> & { termMs: number | null },
): Date | null {
  const delayMs = nextCheckDelayMs({
    status,
    checks,
    refundsOpen,
    receiptOpen: receiptOpen || receiptStatus === 'pending',
    termMs,
    capture,
    ageMs: now.getTime() - createdAt.getTime(),
  });
  if (delayMs === null) return null;
  const polledAt = new Date(now.getTime() + delayMs);
  if (holdDueAt === null) return polledAt;
  // Due and not handled: the obstacle may last, and must not cost one read after the other.
  const wantedAt = holdDueAt > now ? holdDueAt : new Date(now.getTime() + HOLD_STEP_MS);
  return wantedAt < polledAt ? wantedAt : polledAt;
}

/** No later than just after the term, and then once a minute until its end is certainly recorded. */
function termDelayMs(overMs: number): number {
  if (overMs < 0) return FIRST_MS - overMs;
  return overMs < TERM_WATCH_MS ? TERM_STEP_MS : Infinity;
}

function capMs({ status, ageMs, refundsOpen, termMs = 0, capture = true }: Pollable): number {
  if (refundsOpen) return REFUND_CAP_MS;
  if (isFinal(status)) return receiptCapMs(ageMs);
  if (status === 'waiting_for_capture') return HELD_CAP_MS;
  if (status !== 'pending') return PENDING_CAP_MS;
  // Notifications come at once, and polls make up for lost ones; but a payment that nobody ever makes is polled for ever.
  if (termMs === null && capture) return Math.max(LONG_TERM_CAP_MS, Math.floor(ageMs / AGE_SHARE));
  return termMs === null || termMs > limits.cardPaymentTermMs.value ? LONG_TERM_CAP_MS : PENDING_CAP_MS;
}

/** Most are registered within seconds, the others within three days; what takes longer waits for a person. */
function receiptCapMs(ageMs: number): number {
  return ageMs < RECEIPT_WATCH_MS ? RECEIPT_CAP_MS : LATE_RECEIPT_CAP_MS;
}

/** After a re-read that failed, in ms of the database's time: 1, 2, 4 … 60 s, whatever else is requested. */
export function retryDelayMs(checks: number): number {
  return Math.min(1_000 * 2 ** checks, FAILURE_CAP_MS);
}

/**
 * After a re-read that found nothing new, of a payment with this many notifications: the service repeats one a few times, and a
 * forger repeats them without end. Then 1, 2, 4 … 60 s pass before they are processed again.
 */
export function delayWithoutNewsMs(notified: number): number {
  return notified <= REPEATS_OF_THE_SERVICE ? 0 : retryDelayMs(notified - REPEATS_OF_THE_SERVICE - 1);
}

function fibonacci(index: number): number {
  let [current, next] = [1, 1];
  for (let step = 0; step < Math.min(index, 40); step += 1) [current, next] = [next, current + next];
  return current;
}
