import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import type { CancellationDetailsObject } from './cancellation-details.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** A refund as the service returns it (assumed: the interface leaves its fields open). */
export interface RefundObject extends OpenObject {
  readonly id: string;
  /** The service's id of the payment it belongs to. */
  readonly payment_id: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at?: string;
  readonly description?: string;
  readonly cancellation_details?: CancellationDetailsObject;
  /** The status of its receipt, in shops that register receipts through the service. */
  readonly receipt_registration?: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly refund_authorization_details?: { readonly rrn?: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function isRefundObject(body: unknown): body is RefundObject {
  return (
    isRecord(body) &&
    isText(body['id']) &&
    isText(body['payment_id']) &&
    typeof body['status'] === 'string' &&
    isAmount(body['amount'])
  );
}
