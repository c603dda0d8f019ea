import type { Cause } from '../common/cause.js';
import { canMove, type PaymentStatus } from '../common/payment-status.js';
import { withFields, type PaymentFields } from '../schema/ledger-fields.js';
import type { Draft } from './draft.js';
import { aboutPayment } from './record-event.js';

/** The cause of a change, and its evidence. */
export interface Decided {
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
}

/**
 * With the payment in another status.
 * @throws Error if the table does not allow it: a fault of the caller, never of the service
 */
export function movePayment(
  draft: Draft,
  to: PaymentStatus,
  fields: Partial<PaymentFields>,
  { cause, evidence }: Decided,
): Draft {
  const { payment, now: updatedAt, events } = draft;
  const { status: from } = payment;
  if (!canMove(from, to)) throw new Error(`A payment never moves from ${from} to ${to}.`);
  const event = { ...aboutPayment(payment), name: `payment.${to}`, from, to, cause, evidence } as const;
  return {
    ...draft,
    payment: withFields(payment, { ...fields, status: to, updatedAt }),
    events: [...events, event],
  };
}
