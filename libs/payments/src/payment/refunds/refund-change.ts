import type { ServiceRefund } from '../../api/service-refund.js';
import { canRefundMove, type RefundStatus } from '../../common/refund-status.js';
import type { RefundRow } from '../../schema/rows.js';
import type { ChangeEvent } from '../change.js';
import { withRow, withSumsOf, type Draft } from '../draft.js';
import type { Decided } from '../status-change.js';

/** Fields that a refund takes over from the service; what is null or left out stays as it is. */
type SaidFields = Partial<Pick<RefundRow, 'serviceId' | 'cancellation' | 'receiptStatus' | 'object'>>;

/** The fields that a refund takes over from the service's object. */
export function fieldsOf({ id, cancellation, receiptStatus, kept }: ServiceRefund): SaidFields {
  return { serviceId: id, cancellation, ...(receiptStatus !== null && { receiptStatus }), object: kept };
}

/** With a refund that was not known here. */
export function openRefund(draft: Draft, refund: RefundRow, decided: Decided): Draft {
  return withRefund(draft, refund, [refundEvent(refund, null, decided)]);
}

/**
 * With a refund in another status.
 * @throws Error if the table does not allow it: a fault of the caller, never of the service
 */
export function moveRefund(
  draft: Draft,
  refund: RefundRow,
  to: RefundStatus,
  fields: SaidFields,
  decided: Decided,
): Draft {
  const { status: from } = refund;
  if (!canRefundMove(from, to)) throw new Error(`A refund never moves from ${from} to ${to}.`);
  const moved = { ...withSaid(refund, fields), status: to, updatedAt: draft.now };
  return withRefund(draft, moved, [refundEvent(moved, from, decided)]);
}

/** With what the service says of a refund whose status stays. */
export function sayRefund(draft: Draft, refund: RefundRow, fields: SaidFields): Draft {
  return withRefund(draft, withSaid(refund, fields), []);
}

function withRefund(draft: Draft, refund: RefundRow, events: readonly ChangeEvent[]): Draft {
  const refunds = withRow(draft.refunds, refund);
  return {
    ...draft,
    payment: withSumsOf(draft.payment, refunds),
    refunds,
    events: [...draft.events, ...events],
  };
}

function withSaid(refund: RefundRow, fields: SaidFields): RefundRow {
  return {
    ...refund,
    serviceId: fields.serviceId ?? refund.serviceId,
    cancellation: fields.cancellation ?? refund.cancellation,
    receiptStatus: fields.receiptStatus ?? refund.receiptStatus,
    object: fields.object ?? refund.object,
  };
}

function refundEvent(
  { id, storeId, paymentId, status: to, refundKey, amountMinor }: RefundRow,
  from: RefundStatus | null,
  { cause, evidence }: Decided,
): ChangeEvent {
  const subject = { type: 'refund', id } as const;
  const said = { refundId: id, refundKey, amountMinor, ...evidence };
  return { storeId, subject, paymentId, name: `refund.${to}`, from, to, cause, evidence: said };
}
