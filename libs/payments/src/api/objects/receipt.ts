import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import { exact, word, time, type AnswerOf } from './shape.js';

/** What is kept of a receipt: not its items. */
export const receipt = {
  id: exact,
  type: word<'payment' | 'refund'>(),
  /** The service's id of the payment it belongs to. */
  payment_id: exact,
  /** Likewise of the refund that it is of. */
  refund_id: exact,
  status: word<'pending' | 'succeeded' | 'canceled'>(),
  /** Once it is registered, as are the following. */
  fiscal_document_number: exact,
  fiscal_storage_number: exact,
  fiscal_attribute: exact,
  registered_at: time,
  fiscal_provider_id: exact,
} as const;

/** A receipt as the service returns it (assumed: the interface has none). It does not say who got it. */
export interface ReceiptObject extends AnswerOf<typeof receipt>, OpenObject {
  readonly id: string;
  readonly type: OpenEnum<'payment' | 'refund'>;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly items?: readonly Readonly<Record<string, unknown>>[];
  readonly settlements?: readonly { readonly type: string; readonly amount: Amount }[];
}

export function isReceiptObject(body: unknown): body is ReceiptObject {
  return isRecord(body) && isText(body['id']) && isText(body['type']) && isText(body['status']);
}
