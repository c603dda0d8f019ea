import type { ServiceProfile } from '../../api/service-profile.js';
import type { ServiceRefund } from '../../api/service-refund.js';
import type { Draft } from '../../payment/draft.js';
import { foreignRefundIdOf, refundIdOf } from '../../payment/intent-key.js';
import { fieldsOf, moveRefund, openRefund, sayRefund } from '../../payment/refunds/refund-change.js';
import type { Decided } from '../../payment/status-change.js';
import type { RefundRow } from '../../schema/rows.js';
import { judgeRefunds, wordsOf, type RefundChange, type SeenRefund } from './judge-refunds.js';

/** What the service's view of a payment's refunds means. */
interface SeenRefunds {
  readonly draft: Draft;
  /** Those whose operation is confirmed by it. */
  readonly confirmed: readonly string[];
  /** Of ours that the database has forgotten. */
  readonly found: readonly { readonly refundId: string; readonly object: ServiceRefund }[];
  /** What does not fit: applied to nothing, reported to the operator. */
  readonly anomalies: readonly string[];
}

/** What fits is applied; the rest is reported. */
export function decideSeenRefunds(
  state: Draft,
  seen: readonly SeenRefund[],
  { cause, evidence }: Decided,
  { refundMetadataKey }: Pick<ServiceProfile, 'refundMetadataKey'>,
): SeenRefunds {
  const { payment } = state;
  const { changes, anomalies } = judgeRefunds(payment, state.refunds, seen);
  let draft = state;
  for (const change of changes) {
    const { object } = change;
    const said = { serviceStatus: object.status, serviceId: object.id, ...evidence };
    if (change.kind === 'receipt') draft = sayRefund(draft, change.refund, fieldsOf(object));
    else if (change.kind === 'move')
      draft = moveRefund(draft, change.refund, change.to, fieldsOf(object), { cause, evidence: said });
    else {
      const by = change.forgotten ? ('recovery' as const) : cause;
      draft = openRefund(draft, foundRefund(draft, change, refundMetadataKey), { cause: by, evidence: said });
    }
  }
  return {
    draft,
    confirmed: changes.flatMap((change) => (change.kind === 'move' ? [change.refund.id] : [])),
    found: changes.flatMap((change) =>
      change.kind === 'open' && change.forgotten
        ? [{ refundId: refundIdOf(payment, change.forgotten.refundKey), object: change.object }]
        : [],
    ),
    anomalies,
  };
}

/** A refund that has no row: made outside the module, or one of ours that the database has forgotten. */
function foundRefund(
  { now, payment }: Draft,
  { status, object, forgotten }: Extract<RefundChange, { kind: 'open' }>,
  markKey: string,
): RefundRow {
  const { id: serviceId, amountMinor } = object;
  const { id: paymentId, storeId, currency } = payment;
  const made = forgotten ?? { refundKey: null, whole: false, receiptDigest: null };
  return {
    id: forgotten ? refundIdOf(payment, forgotten.refundKey) : foreignRefundIdOf(payment, serviceId),
    storeId,
    paymentId,
    currency,
    cancellation: object.cancellation,
    receiptStatus: object.receiptStatus,
    object: object.kept,
    ...made,
    serviceId,
    status,
    amountMinor,
    ...wordsOf(object, forgotten && markKey),
    createdAt: object.createdAt ?? now,
    updatedAt: now,
  };
}
