import type { HoldPolicy } from '../common/hold-policy.js';
import { OperationInProgressError } from '../common/payments.errors.js';
import { isHoldDue, nextHoldTry } from '../holds/hold-plan.js';
import { decideFinish, WHOLE_CAPTURE } from '../operations/decide-finish.js';
import { letGo } from '../operations/let-go.js';
import type { RequestTerms } from '../operations/request-terms.js';
import type { ChangeEvent } from '../payment/change.js';
import type { Draft } from '../payment/draft.js';
import { aboutPayment } from '../payment/record-event.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PaymentRow } from '../schema/rows.js';

/** What to do with a hold now, and why if the policy itself could not say. */
export interface HoldChoice {
  /** `release`: it had been given up when that was chosen. */
  readonly policy: HoldPolicy | 'release';
  readonly fault: string | null;
}

/** A hold that no re-read can handle. */
const UNREACHABLE: HoldChoice = { policy: 'flag', fault: 'its store has to be connected again first' };

/**
 * With the choice carried out on a payment that has just been re-read: reported once, and tried again with growing pauses until the hold is
 * over. A capture or cancel of the merchant's own that is in progress takes precedence.
 */
export function keepHold(
  before: Draft,
  choice: HoldChoice,
  mustWait: boolean,
  terms: Pick<RequestTerms, 'profile' | 'fiscalization'>,
): Draft {
  const { payment, now } = before;
  const { policy } = choice;
  if (payment.status !== 'waiting_for_capture' || !isHoldDue(payment, now)) return before;
  if (payment.supersededAt !== null) return letGo(before, mustWait);
  // Wanted after all: the next look asks its policy.
  if (policy === 'release') return before;
  const tried = nextHoldTry(payment, now);
  const told = report(before, choice);
  // From here on it waits for a person, and the operator's backlog counts from it.
  if (policy === 'flag')
    return { ...told, payment: withFields(payment, { ...tried, holdDueAt: null, updatedAt: now }) };
  const due = { ...told, payment: withFields(payment, tried) };
  try {
    const request = policy === 'capture' ? WHOLE_CAPTURE : ({ kind: policy } as const);
    return decideFinish(due, request, { ...terms, caller: null }).draft ?? due;
  } catch (error) {
    if (error instanceof OperationInProgressError) return due;
    throw error;
  }
}

/** With the report of a hold that no re-read can handle, since its store is disconnected: made once, and the hold is still due. */
export function reportUnreachable(before: Draft): Draft {
  const { payment, now } = before;
  const isTold = payment.holdTries > 0;
  if (payment.status !== 'waiting_for_capture' || isTold || !isHoldDue(payment, now)) return before;
  return { ...report(before, UNREACHABLE), payment: withFields(payment, { holdTries: 1 }) };
}

function report(before: Draft, choice: HoldChoice): Draft {
  const { payment, now, events } = before;
  return payment.holdTries === 0
    ? { ...before, events: [...events, expiring(payment, now, choice)] }
    : before;
}

function expiring(payment: PaymentRow, now: Date, { policy, fault }: HoldChoice): ChangeEvent {
  const { holdExpiresAt } = payment;
  const timeLeftMs = holdExpiresAt === null ? null : holdExpiresAt.getTime() - now.getTime();
  const end = holdExpiresAt?.toISOString() ?? 'at an unknown time';
  return {
    ...aboutPayment(payment),
    name: 'hold.expiring',
    cause: 'sweep',
    evidence: { expiresAt: holdExpiresAt, timeLeftMs, policy, fault },
    ...(policy === 'flag' && {
      notice: `The hold of payment ${payment.id} ends ${end} and waits for a person: ${fault ?? 'capture or cancel it'}.`,
    }),
  };
}
