import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { cancellationDetails, type CancellationDetailsObject } from './cancellation-details.js';
import { confirmation, type ConfirmationObject } from './confirmation.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import { paymentMethod, type PaymentMethodObject } from './payment-method.js';
import { exact, flag, listOf, part, sum, text, texts, time, word, type AnswerOf } from './shape.js';

const recipient = { account_id: exact, gateway_id: exact } as const;

const transfer = {
  account_id: exact,
  amount: sum,
  /** What the platform keeps of it. */
  platform_fee_amount: sum,
  description: text,
  metadata: texts,
  status: word<'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'>(),
} as const;

/** What of a deal's payment goes to whom. */
export const settlement = { type: word<'payout'>(), amount: sum } as const;

const authorizationDetails = {
  rrn: text,
  auth_code: text,
  three_d_secure: part({ applied: flag }),
} as const;

/** The payment as the service returns it, field names included. */
export const payment = {
  id: exact,
  status: word<'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'>(),
  /** false while pending, true once the buyer has paid. */
  paid: flag,
  amount: sum,
  /** What the store receives; on succeeded payments. */
  income_amount: sum,
  /** Refunded so far; on succeeded payments. */
  refunded_amount: sum,
  /** While the buyer must confirm. */
  confirmation: part(confirmation),
  /** ISO 8601, UTC, with milliseconds. */
  created_at: time,
  /** On succeeded payments. */
  captured_at: time,
  /** On waiting_for_capture payments: the end of the hold. */
  expires_at: time,
  description: text,
  metadata: texts,
  payment_method: part(paymentMethod),
  recipient: part(recipient),
  /** The merchant's own name for the buyer. */
  merchant_customer_id: text,
  /** The invoice that it pays. */
  invoice_details: part({ id: exact }),
  /** The stores that share in it. */
  transfers: listOf(transfer),
  /** The deal that it belongs to. */
  deal: part({ id: exact, settlements: listOf(settlement) }),
  refundable: flag,
  /** true: a demo store's payment, no money moved. */
  test: flag,
  authorization_details: part(authorizationDetails),
  cancellation_details: part(cancellationDetails),
  /** The status of its receipt, in shops that register receipts through the service (assumed: the interface leaves it open). */
  receipt_registration: word<'pending' | 'succeeded' | 'canceled'>(),
} as const;

/** The store that receives the payment. */
export interface RecipientObject extends AnswerOf<typeof recipient>, OpenObject {}

/** The data of the card's authorization. */
export interface AuthorizationDetailsObject extends AnswerOf<typeof authorizationDetails>, OpenObject {}

/**
 * The payment as the service returns it, field names included. Only `id`, `status` and `amount` are checked; the other fields are
 * typed as the interface shows them and passed on unchanged.
 */
export interface PaymentObject extends AnswerOf<typeof payment>, OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  readonly confirmation?: ConfirmationObject;
  readonly payment_method?: PaymentMethodObject;
  readonly recipient?: RecipientObject;
  readonly authorization_details?: AuthorizationDetailsObject;
  readonly cancellation_details?: CancellationDetailsObject;
}

export function isPaymentObject(body: unknown): body is PaymentObject {
  return (
    isRecord(body) && isText(body['id']) && typeof body['status'] === 'string' && isAmount(body['amount'])
  );
}
