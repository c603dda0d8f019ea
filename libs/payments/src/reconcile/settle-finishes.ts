import { raiseAnomaly } from '../apply/anomaly.js';
import { valueFromMinor } from '../common/money.js';
import { finishOutcome } from '../operations/finish-outcome.js';
import { endOperation } from '../operations/new-operation.js';
import type { Attempt } from '../operations/sightings.js';
import type { Draft } from '../payment/draft.js';
import { isOpenOperation } from '../payment/open-work.js';
import { earlier } from '../payment/queue.js';
import type { OperationRow } from '../schema/rows.js';

/** How far a payment's operations were before it was re-read. */
export interface Resolved {
  /** Before all that is read from here on. */
  readonly askedAt: Date;
  /** Nothing of these captures and cancels can arrive any more. */
  readonly over: readonly Attempt[];
}

/** For how long this process has known the key of an operation to be in use. */
export type KeyUsedMs = (operation: OperationRow) => number;

interface Settled {
  readonly draft: Draft;
  /** When to look again, if that may be sooner than the poll plan says. */
  readonly lookAt: Date | null;
}

/** With the end of captures and cancels whose answers were lost, by a re-read that was requested after `resolved`. */
export function settleFinishes(before: Draft, resolved: Resolved, keyUsedMs: KeyUsedMs): Settled {
  return before.operations
    .filter((operation) => isOpenOperation(operation) && isFinish(operation))
    .reduce<Settled>((settled, operation) => settleOne(settled, operation, resolved, keyUsedMs), {
      draft: before,
      lookAt: null,
    });
}

function settleOne(
  { draft, lookAt }: Settled,
  operation: OperationRow,
  { askedAt, over }: Resolved,
  keyUsedMs: KeyUsedMs,
): Settled {
  const { payment } = draft;
  const { id, kind, attempts } = operation;
  const decision = finishOutcome(operation, {
    status: payment.status,
    capturedMinor: payment.capturedMinor,
    askedAt,
    isOver: over.some((attempt) => id === attempt.id && attempts === attempt.attempts),
    keyUsedMs: keyUsedMs(operation),
  });
  // What was recorded during the read, or by what it says, is due when its recorder said.
  if (decision.kind === 'open')
    return { draft, lookAt: attempts > 0 ? earlier(lookAt, decision.lookAt) : lookAt };
  const ended = endOperation(draft, operation, decision.kind);
  if (decision.kind === 'confirmed') return { draft: ended, lookAt };
  const taken =
    payment.status === 'succeeded' ? `, with ${valueFromMinor(payment.capturedMinor)} captured` : '';
  const reason = `the ${kind} did not take effect; the payment is ${payment.status}${taken}`;
  return { draft: raiseAnomaly(ended, reason, { cause: kind }), lookAt };
}

function isFinish({ kind }: OperationRow): boolean {
  return kind === 'capture' || kind === 'cancel';
}
