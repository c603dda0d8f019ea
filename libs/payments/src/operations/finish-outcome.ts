import { MINUTE_MS } from '../common/durations.js';
import { isFinal, type PaymentStatus } from '../common/payment-status.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { mayResend } from './key-age.js';
import { isRefused } from './refused-operation.js';
import { sumOf } from './request-body.js';

/** What a re-read, requested at `askedAt`, says of a payment whose capture or cancel has no outcome yet. */
export interface FinishReading {
  readonly status: PaymentStatus;
  readonly capturedMinor: number;
  readonly askedAt: Date;
  /** By then nothing of its last attempt could arrive any more, by every clock. */
  readonly isOver: boolean;
  /** For how long this process has known its key to be in use. Default: no time. */
  readonly keyUsedMs?: number;
}

type FinishDecision =
  | { readonly kind: 'confirmed' }
  /** It has not taken effect and never will: another one may be recorded under a key of its own. */
  | { readonly kind: 'refused' }
  /** It goes on; `lookAt`: when a re-read can find out, if it is not sent again. */
  | { readonly kind: 'open'; readonly lookAt: Date | null };

/**
 * Whether a capture or cancel is over, judged by a re-read. If the hold is still open, three things together prove that it had no
 * effect: the service refused it under this very key, or the key is too old; no attempt can be in flight any more; and the hold
 * was untouched when it was read after that (G2).
 */
export function finishOutcome(operation: PaymentsOperationEntity, reading: FinishReading): FinishDecision {
  const { kind, outcome } = operation;
  if (isFinal(reading.status)) {
    const took =
      kind === 'capture'
        ? reading.status === 'succeeded' && reading.capturedMinor === sumOf(operation.body)
        : reading.status === 'canceled';
    return { kind: took && outcome === 'unknown' ? 'confirmed' : 'refused' };
  }
  if (!isRefused(operation) && mayResend(operation, reading.askedAt, reading.keyUsedMs))
    return { kind: 'open', lookAt: null };
  if (!reading.isOver) return { kind: 'open', lookAt: nextLook(reading.askedAt) };
  return { kind: 'refused' };
}

/**
 * Each process waits by its own clock, from when it first saw the attempt, and any of them may look: so looks come more often than the
 * wait is long, and the first process that looks twice five minutes apart knows.
 */
function nextLook(askedAt: Date): Date {
  return new Date(askedAt.getTime() + MINUTE_MS);
}
