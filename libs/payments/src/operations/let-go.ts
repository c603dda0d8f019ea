import { OperationInProgressError } from '../common/payments.errors.js';
import { nextHoldTry } from '../holds/hold-plan.js';
import type { Draft } from '../payment/draft.js';
import { aboutPayment } from '../payment/record-event.js';
import { withFields } from '../schema/ledger-fields.js';
import { finishOf } from './decide-finish.js';
import { newOperation, recordOperation } from './new-operation.js';
import { CANCEL_BODY } from './request-body.js';

/**
 * With a payment given up for another one of its order, which is opened now, or was and is found again (`recovery`). `mustWait`: see
 * {@link letGo}.
 * @throws OperationInProgressError if another one would be opened now
 */
export function supersede(draft: Draft, cause: 'replace' | 'recovery', mustWait: boolean): Draft {
  const { payment, now, operations } = draft;
  const finish = finishOf(operations);
  // Its money is being captured: one more payment beside it would be a second charge.
  if (finish?.kind === 'capture' && cause === 'replace')
    throw new OperationInProgressError(payment.id, 'replace', finish.kind);
  const event = { ...aboutPayment(payment), name: 'payment.superseded', cause, evidence: {} } as const;
  const superseded = {
    ...draft,
    payment: withFields(payment, { supersededAt: now, updatedAt: now }),
    events: [...draft.events, event],
  };
  return letGo(superseded, mustWait);
}

/**
 * With the release of a superseded payment's hold, which captures nothing: it is canceled, and due again, with growing pauses, until it is
 * gone. `mustWait`: what the database has forgotten may be why it was given up, and nothing is canceled before that was looked for.
 */
export function letGo(draft: Draft, mustWait: boolean): Draft {
  const { payment, now, operations } = draft;
  if (payment.supersededAt === null || payment.status !== 'waiting_for_capture') return draft;
  const tried = { ...draft, payment: withFields(payment, nextHoldTry(payment, now)) };
  if (mustWait || finishOf(operations) !== undefined) return tried;
  const cancel = newOperation(tried, { kind: 'cancel', request: CANCEL_BODY }, null);
  return recordOperation(tried, cancel, null);
}
