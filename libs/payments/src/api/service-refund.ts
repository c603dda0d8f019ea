import { isRecord } from '../common/is-record.js';
import { keptOf } from './kept-object.js';
import {
  parseAmount,
  parseCancellation,
  type Cancellation,
  parseReceiptStatus,
  type ReceiptStatus,
} from './objects/fields.js';
import { isRefundObject, refund, type RefundObject } from './objects/refund.js';
import { readFields } from './objects/shape.js';

/**
 * The service's refund object, as far as decisions need it. Everything is read from `kept`, so that nothing else is stored
 * anywhere.
 */
export interface ServiceRefund {
  readonly id: string;
  /** The service's id of the payment it belongs to. */
  readonly paymentId: string;
  /** Open: an unknown status is an anomaly for reconcile, not a parsing fault. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdAt: Date | null;
  readonly cancellation: Cancellation | null;
  readonly receiptStatus: ReceiptStatus | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly kept: Record<string, unknown>;
}

/** Parses a refund object; null if it lacks what every refund has (id, payment_id, status, amount). */
export function parseServiceRefund(body: RefundObject): ServiceRefund;
export function parseServiceRefund(body: unknown): ServiceRefund | null;
export function parseServiceRefund(answer: unknown): ServiceRefund | null {
  const body = isRecord(answer) ? keptOf('refund', answer) : null;
  const amount = isRecord(body) ? parseAmount(body['amount']) : null;
  if (!isRefundObject(body) || amount === null) return null;
  const said = readFields(refund, body);
  return {
    id: body.id,
    paymentId: body.payment_id,
    status: body.status,
    amountMinor: amount.amountMinor,
    currency: amount.currency,
    createdAt: said.created_at,
    cancellation: parseCancellation(body.cancellation_details),
    receiptStatus: parseReceiptStatus(said.receipt_registration),
    description: said.description,
    metadata: said.metadata ?? {},
    kept: body,
  };
}
