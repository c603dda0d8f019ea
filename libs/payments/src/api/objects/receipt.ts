import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** A receipt as the service returns it (assumed: the interface has none). It does not say who got it. */
export interface ReceiptObject extends OpenObject {
  readonly id: string;
  readonly type: OpenEnum<'payment' | 'refund'>;
  /** The service's id of the payment it belongs to. */
  readonly payment_id?: string;
  /** Likewise of the refund that it is of. */
  readonly refund_id?: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly items?: readonly Readonly<Record<string, unknown>>[];
  readonly settlements?: readonly { readonly type: string; readonly amount: Amount }[];
  /** Once it is registered, as are the following. */
  readonly fiscal_document_number?: string;
  readonly fiscal_storage_number?: string;
  readonly fiscal_attribute?: string;
  readonly registered_at?: string;
  readonly fiscal_provider_id?: string;
}

export function isReceiptObject(body: unknown): body is ReceiptObject {
  return isRecord(body) && isText(body['id']) && isText(body['type']) && isText(body['status']);
}
