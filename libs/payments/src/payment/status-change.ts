import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import { canMove, type PaymentStatus } from '../common/payment-status.js';
import { withFields, type PaymentFields } from '../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { Change, ChangeEvent } from './change.js';
import type { Ledger } from './ledger.js';
import type { LockedPayment } from './locks.js';
import { orderEvents, totalsAfter, type KnownOrder } from './order-totals.js';
import { aboutPayment } from './record-event.js';

/** A payment with its order, whose sums are those of all its payments. */
export interface KnownPayment {
  readonly payment: PaymentsPaymentEntity;
  readonly order: KnownOrder;
}

/** The cause of a change, and its evidence. */
export interface Decided {
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
}

/**
 * A payment's move to another status.
 * @throws Error if the table does not allow it: a fault of the caller, never of the service
 */
export function statusChange(
  { payment, order }: KnownPayment,
  to: PaymentStatus,
  fields: Partial<PaymentFields>,
  { cause, evidence }: Decided,
): Change {
  const { id: paymentId, status: from, supersededAt } = payment;
  if (!canMove(from, to)) throw new Error(`A payment never moves from ${from} to ${to}.`);
  const after = withFields(payment, { ...fields, status: to });
  const totals = totalsAfter(order, payment, after);
  const moved: ChangeEvent = { ...aboutPayment(payment), name: `payment.${to}`, from, to, cause, evidence };
  const supersededPaid = supersededAt !== null && to === 'succeeded';
  const events = [moved, ...orderEvents(order, totals, { paymentId, cause, supersededPaid })];
  return { payment, order, after, isDated: true, totals, events };
}

/** The service definitely refused a locked payment's create, or never received it. */
export async function reject(
  manager: EntityManager,
  ledger: Ledger,
  locked: LockedPayment,
  decided: Decided,
): Promise<void> {
  const place = { at: null, checks: 0 };
  await ledger.write(manager, { ...statusChange(locked, 'rejected', {}, decided), place });
}
