import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceProfile } from '../api/service-profile.js';
import type { PaymentStatus } from '../common/payment-status.js';
import { believableEnd, holdDueAt } from '../holds/hold-plan.js';
import { agreedMinor } from '../payment/discount.js';
import { rulesOf } from '../payment/paid-by.js';
import { unsettledNow } from '../receipts/unsettled.js';
import type { PaymentFields } from '../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** How changes are planned. */
export interface PlanTerms {
  readonly holdLeadTimeMs: number;
  readonly unsettledAfterMs: number;
  readonly profile: Pick<ServiceProfile, 'methods' | 'metadataKey'>;
}

interface Circumstances extends PlanTerms {
  /** In business time. */
  readonly now: Date;
  /** The status that it has from now on. */
  readonly status: PaymentStatus;
}

export function changeOf(
  payment: PaymentsPaymentEntity,
  object: ServicePayment,
  circumstances: Circumstances,
): Partial<PaymentFields> {
  const expiresAt = believableEnd(object.expiresAt, circumstances.now);
  const dueAt = planHold(payment, { expiresAt, kept: object.kept }, circumstances);
  const taken = circumstances.status === 'succeeded';
  return {
    serviceId: object.id,
    test: object.test ?? payment.test,
    authorizedMinor: authorizedOf(payment, object, circumstances.status),
    capturedMinor: taken ? object.amountMinor : payment.capturedMinor,
    // The service shows it only while the buyer has something to do.
    confirmation: object.confirmation,
    holdExpiresAt: expiresAt ?? payment.holdExpiresAt,
    holdDueAt: dueAt,
    // Planned again, it is reported again.
    holdTries: dueAt === payment.holdDueAt ? payment.holdTries : 0,
    cancellation: object.cancellation ?? payment.cancellation,
    cardLast4: object.cardLast4 ?? payment.cardLast4,
    receiptStatus: object.receiptStatus ?? payment.receiptStatus,
    ...(taken &&
      payment.status !== 'succeeded' &&
      payment.prepaidMinor > 0 &&
      unsettledNow(payment, Math.min(payment.prepaidMinor, object.amountMinor), circumstances)),
    object: object.kept,
  };
}

/** What the buyer has paid, before a part of it was captured. */
function authorizedOf(payment: PaymentsPaymentEntity, object: ServicePayment, status: PaymentStatus): number {
  if (status === 'waiting_for_capture') return object.amountMinor;
  if (status !== 'succeeded' || payment.authorizedMinor > 0) return payment.authorizedMinor;
  return payment.capture ? object.amountMinor : agreedMinor(payment.amountMinor, object);
}

/** Planned once, when it is found, and again if the service names another end. */
function planHold(
  payment: PaymentsPaymentEntity,
  { expiresAt, kept }: Pick<ServicePayment, 'expiresAt' | 'kept'>,
  { status, now, holdLeadTimeMs, profile }: Circumstances,
): Date | null {
  if (status !== 'waiting_for_capture') return null;
  const { supersededAt, createdAt, holdDueAt: known } = payment;
  const end = expiresAt ?? shortestEnd(payment, kept, profile);
  const moved = expiresAt !== null && expiresAt.getTime() !== payment.holdExpiresAt?.getTime();
  if (payment.status === status && !moved) {
    if (known === null || supersededAt !== null) return known;
    // Whoever can write to the row must not have the hold captured or released before its time. The row's create cannot be changed.
    const earliest = holdDueAt(end, createdAt, holdLeadTimeMs);
    return known < earliest ? earliest : known;
  }
  if (supersededAt !== null) return now;
  return holdDueAt(end, now, holdLeadTimeMs);
}

/** Where the service names no end: its method's length from the create on, since nobody knows when the buyer paid. */
function shortestEnd(
  { method, createdAt }: PaymentsPaymentEntity,
  object: object,
  profile: PlanTerms['profile'],
): Date | null {
  const hold = rulesOf(profile, { method, object })?.hold;
  return hold ? new Date(createdAt.getTime() + hold.lengthMs) : null;
}
