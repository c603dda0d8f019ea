import { isSameMetadata, type Metadata } from '../../common/metadata.js';
import type { PaymentStatus } from '../../common/payment-status.js';
import type { ReceiptLines } from '../../receipts/builder.input.js';
import { receiptDigest } from '../../receipts/receipt-digest.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { Extra } from '../inputs/extra.js';
import { refundSums, type RefundSums } from './refund-sums.js';

/** A requested refund, after validation. */
export interface RefundRequest {
  readonly refundKey: string;
  /** null: all that is left. */
  readonly amountMinor: number | null;
  readonly description: string | null;
  readonly metadata: Metadata;
  /** null: it needs none, or the service has what it says. */
  readonly receipt: ReceiptInput | null;
  /** That of the payment, of which the refund's is made; null: it is given, or made of what was recorded. */
  readonly receiptOf: ReceiptInput | null;
  /** Which of its lines; null: as the amount says. */
  readonly lines: ReceiptLines | null;
  readonly extra: Extra;
}

type RefundedPayment = Pick<PaymentsPaymentEntity, 'intentKey' | 'status' | 'capturedMinor'> & {
  /** How long after its payment its method can be refunded; null: never. */
  readonly windowMs: number | null;
  /** Of the payment, in business time. */
  readonly ageMs: number;
};
type KnownRefund = Pick<
  PaymentsRefundEntity,
  'id' | 'refundKey' | 'status' | 'amountMinor' | 'whole' | 'description' | 'receiptDigest' | 'metadata'
>;

export type RefundDecision<Known extends KnownRefund = KnownRefund> =
  | { readonly kind: 'open'; readonly amountMinor: number }
  /** The same key: the same refund, whatever has become of it. */
  | { readonly kind: 'same'; readonly refund: Known }
  /** The same key for something else. */
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'not-refundable'; readonly status: PaymentStatus }
  | { readonly kind: 'method-not-refundable' }
  | { readonly kind: 'too-old'; readonly windowMs: number }
  | { readonly kind: 'wholly-refunded' }
  | ({ readonly kind: 'exceeded' } & RefundSums);

/**
 * What a request means, given all refunds of the payment; decided under the payment's lock, so that no two can share the same
 * rest.
 */
export function decideRefund<Known extends KnownRefund>(
  { intentKey, status, capturedMinor, windowMs, ageMs }: RefundedPayment,
  refunds: readonly Known[],
  request: RefundRequest,
): RefundDecision<Known> {
  const earlier = refunds.find(({ refundKey }) => refundKey === request.refundKey);
  if (earlier)
    return isSame(intentKey, earlier, request) ? { kind: 'same', refund: earlier } : { kind: 'key-reused' };
  if (status !== 'succeeded') return { kind: 'not-refundable', status };
  if (windowMs === null) return { kind: 'method-not-refundable' };
  if (ageMs > windowMs) return { kind: 'too-old', windowMs };
  const sums = refundSums(refunds);
  if (sums.refundedMinor >= capturedMinor) return { kind: 'wholly-refunded' };
  const leftMinor = capturedMinor - sums.refundedMinor - sums.inFlightMinor;
  const amountMinor = request.amountMinor ?? leftMinor;
  return amountMinor > 0 && amountMinor <= leftMinor
    ? { kind: 'open', amountMinor }
    : { kind: 'exceeded', ...sums };
}

/** “All that is left” meant another sum when it was first requested, so it is compared as it was requested. */
function isSame(intentKey: string, earlier: KnownRefund, request: RefundRequest): boolean {
  const { amountMinor, description, metadata, lines } = request;
  const sameAmount =
    lines !== null || (amountMinor === null ? earlier.whole : amountMinor === earlier.amountMinor);
  return (
    sameAmount &&
    description === earlier.description &&
    isSameMetadata(metadata, earlier.metadata) &&
    earlier.receiptDigest === digestOfAsked(request, intentKey)
  );
}

/** Of what a request says of the goods. */
export function digestOfAsked(
  { receipt, receiptOf, lines }: Pick<RefundRequest, 'receipt' | 'receiptOf' | 'lines'>,
  intentKey: string,
): string | null {
  const said = receipt ?? receiptOf;
  return said && receiptDigest(said, intentKey, lines);
}
