import {
  ServiceCallAbortedError,
  ServiceCredentialsError,
  ServiceError,
  ServiceRequestInvalidError,
  ServiceUnexpectedAnswerError,
} from '../api/service-errors.js';
import { HOUR_MS, MINUTE_MS } from '../common/durations.js';
import type { Rollback } from '../rollback/record-rollback.js';
import type { PaymentsRecoveryEntity } from '../schema/recovery.entity.js';

/** What is to be re-read was asked for by the window itself, and takes a second or two. */
const SHORTEST_MS = 5_000;
const LONGEST_MS = 3 * MINUTE_MS;
/** A refund that does not fit its payment never becomes known. */
const PATIENCE_MS = HOUR_MS;

/** A window, as whoever reads it knows it. */
type Window = Pick<PaymentsRecoveryEntity, 'reason' | 'epoch' | 'cursor'> & {
  readonly from: Date;
  readonly to: Date;
};

/** How the reading of a window ended. `error`: why it never can be read, or what is still missing (`isRead`). */
interface End {
  readonly error: string | null;
  readonly isRead: boolean;
  /** Payments that have a row again. */
  readonly payments: number;
}

/** What follows from the end of a window. */
interface AfterWindow {
  /** What was sent before the commits were lost may reach the service after its lists were read: they are read once more then. */
  readonly looksAgain: boolean;
  /** What could not be read before is read now: nobody has to see to it any more. */
  readonly settlesWithin: boolean;
  /** Told to the host; null: there is nothing to tell. */
  readonly rollback: Rollback | null;
}

export function afterWindow(
  { reason, epoch, from, to }: Window,
  { error, isRead, payments }: End,
): AfterWindow {
  return {
    looksAgain: isRead && reason !== 'in_flight' && reason !== 'requested',
    settlesWithin: error === null,
    // Now it is known that a silence was a database from before.
    rollback: reason === 'silence' && epoch !== null && payments > 0 ? { epoch, from, to, reason } : null,
  };
}

/**
 * What a failure means for the window: null: nobody should wait for it. `isFromStart`: the service may have forgotten where the list went
 * on. `isOutage`: it did not answer, and buyers wait until it does.
 */
export function afterFailure(
  { cursor }: Pick<Window, 'cursor'>,
  error: unknown,
): { readonly isFromStart: boolean; readonly isOutage: boolean } | null {
  const isFromStart = cursor !== null && error instanceof ServiceRequestInvalidError;
  return isHopeless(error) && !isFromStart ? null : { isFromStart, isOutage: isOutage(error) };
}

/**
 * Whether a list will be refused tomorrow too, so that nobody should wait for it: as to a key that may not list payments. Credentials
 * that are wrong take no payments either, and are corrected.
 */
export function isHopeless(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.outcome === 'refused' &&
    !error.retryable &&
    !(error instanceof ServiceCredentialsError || error instanceof ServiceCallAbortedError)
  );
}

/** Whether the service did not answer the list at all, as opposed to an answer of which nothing could be made. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    !(error instanceof ServiceUnexpectedAnswerError || error instanceof ServiceRequestInvalidError)
  );
}

/**
 * How long a window waits for payments to be re-read before their refunds are listed again; null: it has waited long enough. As long
 * as it has been read so far (`readForMs`), so each pause is about twice the one before, and lists take half of the time at most.
 * `readForMs`: null in the first list.
 */
export function rereadPauseMs(readForMs: number | null): number | null {
  if (readForMs === null) return SHORTEST_MS;
  if (readForMs > PATIENCE_MS) return null;
  return Math.min(Math.max(readForMs, SHORTEST_MS), LONGEST_MS);
}
