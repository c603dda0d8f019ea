import type { ServicePayment } from '../api/service-payment.js';
import type { PaymentStatus } from '../common/payment-status.js';
import { holdDueAt } from '../holds/hold-plan.js';
import type { PaymentChange } from '../payment/status-writer-of-many.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

interface Circumstances {
  /** The status that it has from now on. */
  readonly status: PaymentStatus;
  /** In business time. */
  readonly now: Date;
  readonly leadTimeMs: number;
}

export function changeOf(
  payment: PaymentEntity,
  object: ServicePayment,
  { status, now, leadTimeMs }: Circumstances,
): PaymentChange {
  const dueAt = planHold(payment, object, { status, now, leadTimeMs });
  const held = status === 'waiting_for_capture';
  const taken = status === 'succeeded';
  return {
    serviceId: object.id,
    test: object.test ?? payment.test,
    authorizedMinor: held || taken ? payment.amountMinor : payment.authorizedMinor,
    capturedMinor: taken ? object.amountMinor : payment.capturedMinor,
    // The service shows it only while the buyer has something to do.
    confirmation: object.confirmation,
    holdExpiresAt: object.expiresAt ?? payment.holdExpiresAt,
    holdDueAt: dueAt,
    // Planned again, it is reported again.
    holdTries: dueAt === payment.holdDueAt ? payment.holdTries : 0,
    cancellation: object.cancellation ?? payment.cancellation,
    cardLast4: object.cardLast4 ?? payment.cardLast4,
    receiptStatus: object.receiptStatus ?? payment.receiptStatus,
    object: object.kept,
  };
}

/** Planned once, when it is found, and again if the service names another end. */
function planHold(
  payment: PaymentEntity,
  { expiresAt }: ServicePayment,
  { status, now, leadTimeMs }: Circumstances,
): Date | null {
  if (status !== 'waiting_for_capture') return null;
  const moved = expiresAt !== null && expiresAt.getTime() !== payment.holdExpiresAt?.getTime();
  if (payment.status === status && !moved) return payment.holdDueAt;
  if (payment.supersededAt !== null) return now;
  return holdDueAt(expiresAt, now, leadTimeMs);
}
