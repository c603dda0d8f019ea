import { isFinal, type PaymentStatus } from '../payment/payment-status.js';

const FIRST_MS = 10_000;
const PENDING_CAP_MS = 600_000;
const HELD_CAP_MS = 3_600_000;
/** Issuers take up to three days over a refund (section 8). */
const REFUND_CAP_MS = 3_600_000;
const FAILURE_CAP_MS = 60_000;

/**
 * When to look again without being told, in ms of business time; null: never. Grows like Fibonacci numbers
 * (10, 10, 20, 30, 50 s …), as the service asks of those who poll. `refundsOpen`: not all is known of its refunds.
 */
export function nextCheckDelayMs(status: PaymentStatus, checks: number, refundsOpen = false): number | null {
  if (isFinal(status) && !refundsOpen) return null;
  return Math.min(FIRST_MS * fibonacci(checks), capMs(status, refundsOpen));
}

function capMs(status: PaymentStatus, refundsOpen: boolean): number {
  if (refundsOpen) return REFUND_CAP_MS;
  return status === 'waiting_for_capture' ? HELD_CAP_MS : PENDING_CAP_MS;
}

/** After a re-read that failed, in ms of the database's time: 1, 2, 4 … 60 s, whatever else asks for it. */
export function retryDelayMs(checks: number): number {
  return Math.min(1_000 * 2 ** checks, FAILURE_CAP_MS);
}

function fibonacci(index: number): number {
  let [current, next] = [1, 1];
  for (let step = 0; step < Math.min(index, 40); step += 1) [current, next] = [next, current + next];
  return current;
}
