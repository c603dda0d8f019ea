import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { cancellationDetails, type CancellationDetailsObject } from './cancellation-details.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import { settlement } from './payment.js';
import { count, exact, listOf, part, sum, text, texts, time, word, type AnswerOf } from './shape.js';

/** A refund as the service returns it (assumed: the interface leaves its fields open). */
export const refund = {
  id: exact,
  /** The service's id of the payment it belongs to. */
  payment_id: exact,
  status: word<'pending' | 'succeeded' | 'canceled'>(),
  amount: sum,
  /** ISO 8601, UTC, with milliseconds. */
  created_at: time,
  description: text,
  cancellation_details: part(cancellationDetails),
  /** Of the card. */
  refund_authorization_details: part({ rrn: text }),
  /** By what the money goes back, of SBP and electronic certificates, once it is succeeded. */
  refund_method: part({
    type: word<'sbp' | 'electronic_certificate'>(),
    sbp_operation_id: exact,
    electronic_certificate: part({ amount: sum, basket_id: exact }),
    articles: listOf({
      article_number: count,
      payment_article_number: count,
      tru_code: exact,
      quantity: count,
    }),
  }),
  /** The store that gives it back, of a payment that was shared out. */
  sources: listOf({ account_id: exact, amount: sum, platform_fee_amount: sum }),
  deal: part({ id: exact, refund_settlements: listOf(settlement) }),
  /** The status of its receipt, in shops that register receipts through the service. */
  receipt_registration: word<'pending' | 'succeeded' | 'canceled'>(),
  metadata: texts,
} as const;

/** A refund as the service returns it (assumed: the interface leaves its fields open). */
export interface RefundObject extends AnswerOf<typeof refund>, OpenObject {
  readonly id: string;
  /** The service's id of the payment it belongs to. */
  readonly payment_id: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  readonly cancellation_details?: CancellationDetailsObject;
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
