import type { ServiceProfile } from '../../api/service-profile.js';
import type { ServiceRefund } from '../../api/service-refund.js';
import type { Metadata } from '../../common/metadata.js';
import { valueFromMinor } from '../../common/money.js';
import {
  canRefundMove,
  isRefundUnsettled,
  isServiceRefundStatus,
  type ServiceRefundStatus,
} from '../../common/refund-status.js';
import { storable } from '../../common/text.js';
import { refundIdOf } from '../../payment/intent-key.js';
import { readRefundMark, type MarkedRefund } from '../../payment/refunds/refund-mark.js';
import { refundSums } from '../../payment/refunds/refund-sums.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';

/** What a re-read says of a payment's refunds. */
export interface ListedRefunds {
  /** Requests that the list answers; a later one causes another list. */
  readonly signals: number;
  /** All of them, oldest first; null if nothing requested the list. */
  readonly listed: readonly SeenRefund[] | null;
  /** Those that can no longer be in flight and are absent from the list: they were never received. */
  readonly lost: readonly SentRefund[];
}

export interface SentRefund {
  readonly refundId: string;
  readonly attempts: number;
}

/** A refund of the service, in an answer or a list. */
export interface SeenRefund {
  readonly object: ServiceRefund;
  /** The id of the refund of ours that it claims to be; null if it claims none. */
  readonly ourId: string | null;
  /** What its mark says; null: it has none of ours, or none is needed. */
  readonly marked: MarkedRefund | null;
}

/** A refund in a list, which names ours of this payment in its metadata. */
export function listedRefund(
  payment: Pick<PaymentsPaymentEntity, 'intentKey'>,
  object: ServiceRefund,
  { refundMetadataKey }: Pick<ServiceProfile, 'refundMetadataKey'>,
): SeenRefund {
  const marked = readRefundMark(payment, object.metadata[refundMetadataKey]);
  return { object, marked, ourId: marked && refundIdOf(payment, marked.refundKey) };
}

type KnownRefund = Pick<
  PaymentsRefundEntity,
  'id' | 'serviceId' | 'status' | 'amountMinor' | 'receiptStatus'
>;

export type RefundChange<Known extends KnownRefund = KnownRefund> =
  | {
      readonly kind: 'move';
      readonly refund: Known;
      readonly to: ServiceRefundStatus;
      readonly object: ServiceRefund;
    }
  /** Its receipt has come to something; nothing else is new. */
  | { readonly kind: 'receipt'; readonly refund: Known; readonly object: ServiceRefund }
  /** Not known here. */
  | {
      readonly kind: 'open';
      readonly status: ServiceRefundStatus;
      readonly object: ServiceRefund;
      /** Ours, and forgotten by the database; null: made outside the module. */
      readonly forgotten: MarkedRefund | null;
    };

interface RefundVerdict<Known extends KnownRefund = KnownRefund> {
  readonly changes: readonly RefundChange<Known>[];
  /** What does not fit: applied to nothing, reported to the operator. */
  readonly anomalies: readonly string[];
}

/**
 * Compares the service's refunds with ours: by the service's id, then by our id in the metadata, else it is one made outside.
 * What contradicts an intent or a final status changes nothing; and if all together would be more than was captured, nothing
 * changes at all.
 */
export function judgeRefunds<Known extends KnownRefund>(
  payment: Pick<PaymentsPaymentEntity, 'serviceId' | 'currency' | 'capturedMinor'>,
  known: readonly Known[],
  seen: readonly SeenRefund[],
): RefundVerdict<Known> {
  const changes: RefundChange<Known>[] = [];
  const anomalies: string[] = [];
  const unbound = new Map(
    known
      .filter((refund) => refund.serviceId === null && isRefundUnsettled(refund.status))
      .map((refund) => [refund.id, refund]),
  );
  const adopted = new Set<string>();
  for (const { object, ourId, marked } of seen) {
    const bound = known.find(({ serviceId }) => serviceId === object.id);
    const claimed = ourId === null ? undefined : unbound.get(ourId);
    const refund = bound ?? claimed;
    const mismatch =
      bound && claimed
        ? 'is known as another one of this payment'
        : (findMismatch(payment, refund, object) ?? contradiction(refund, object.status));
    if (mismatch !== null) {
      anomalies.push(`refund ${object.id} ${mismatch}`);
      continue;
    }
    if (!isServiceRefundStatus(object.status)) continue;
    if (!refund) {
      const isKnown = ourId !== null && (known.some(({ id }) => id === ourId) || adopted.has(ourId));
      changes.push({ kind: 'open', status: object.status, object, forgotten: isKnown ? null : marked });
      if (marked !== null && ourId !== null) adopted.add(ourId);
      // Its money has left all the same, so it counts; and what we reported of the refund it names was wrong.
      const taken = changes.find((change) => change.kind === 'move' && change.refund.id === ourId);
      if (isKnown)
        anomalies.push(
          `refund ${object.id} names refund ${ourId}, ${taken ? `as refund ${taken.object.id} does` : 'which is over'}`,
        );
    } else if (canRefundMove(refund.status, object.status)) {
      changes.push({ kind: 'move', refund, to: object.status, object });
      unbound.delete(refund.id);
    } else if (refund.status === object.status && isNewReceipt(refund, object)) {
      changes.push({ kind: 'receipt', refund, object });
    }
  }
  const { refundedMinor } = refundSums([
    ...known,
    ...changes.flatMap((change) =>
      change.kind === 'receipt'
        ? []
        : {
            status: change.kind === 'move' ? change.to : change.status,
            amountMinor: change.object.amountMinor,
          },
    ),
  ]);
  if (refundedMinor <= payment.capturedMinor) return { changes, anomalies };
  const excess = `${valueFromMinor(refundedMinor)} refunded of ${valueFromMinor(payment.capturedMinor)}`;
  return { changes: [], anomalies: [...anomalies, excess] };
}

function isNewReceipt(refund: KnownRefund, { receiptStatus }: ServiceRefund): boolean {
  return receiptStatus !== null && receiptStatus !== refund.receiptStatus;
}

function findMismatch(
  payment: Pick<PaymentsPaymentEntity, 'serviceId' | 'currency'>,
  refund: KnownRefund | undefined,
  object: ServiceRefund,
): string | null {
  if (object.paymentId !== payment.serviceId) return `belongs to payment ${object.paymentId}`;
  if (object.currency !== payment.currency) return `is in ${object.currency} instead of ${payment.currency}`;
  if (refund && object.amountMinor !== refund.amountMinor)
    return `is of ${valueFromMinor(object.amountMinor)} instead of ${valueFromMinor(refund.amountMinor)}`;
  if (object.amountMinor === 0) return 'is of nothing';
  return null;
}

/** An answer that is older than what we know is no contradiction: `pending` after the end means nothing. */
function contradiction(refund: KnownRefund | undefined, status: string): string | null {
  if (!isServiceRefundStatus(status)) return `has the unknown status ${status}`;
  if (!refund || refund.status === status || status === 'pending' || isRefundUnsettled(refund.status))
    return null;
  return `is ${status}, against the final status ${refund.status}`;
}

/** The maker's own texts on a refund, as far as the database can store them. `markKey`: the entry that is ours. */
export function wordsOf(
  { description, metadata }: Pick<ServiceRefund, 'description' | 'metadata'>,
  markKey: string | null,
): {
  readonly description: string | null;
  readonly metadata: Metadata;
} {
  const texts = Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === 'string' && key !== markKey ? [[storable(key), storable(value)]] : [],
  );
  return {
    description: description === null ? null : storable(description),
    metadata: Object.fromEntries(texts),
  };
}
