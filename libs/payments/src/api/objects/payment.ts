import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import type { CancellationDetailsObject } from './cancellation-details.js';
import type { ConfirmationObject } from './confirmation.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import type { PaymentMethodObject } from './payment-method.js';

/** The store that receives the payment. */
export interface RecipientObject extends OpenObject {
  readonly account_id?: string;
  readonly gateway_id?: string;
}

/** The data of the card's authorization. */
export interface AuthorizationDetailsObject extends OpenObject {
  readonly rrn?: string;
  readonly auth_code?: string;
  readonly three_d_secure?: { readonly applied?: boolean };
}

/**
 * The payment as the service returns it, field names included. Only `id`, `status` and `amount` are checked; the other fields are
 * typed as the interface shows them and passed on unchanged.
 */
export interface PaymentObject extends OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  /** false while pending, true once the buyer has paid. */
  readonly paid?: boolean;
  /** What the store receives; on succeeded payments. */
  readonly income_amount?: Amount;
  /** Refunded so far; on succeeded payments. */
  readonly refunded_amount?: Amount;
  /** While the buyer must confirm. */
  readonly confirmation?: ConfirmationObject;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at?: string;
  /** On succeeded payments. */
  readonly captured_at?: string;
  /** On waiting_for_capture payments: the end of the hold. */
  readonly expires_at?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly payment_method?: PaymentMethodObject;
  readonly recipient?: RecipientObject;
  readonly refundable?: boolean;
  /** true: a demo store's payment, no money moved. */
  readonly test?: boolean;
  readonly authorization_details?: AuthorizationDetailsObject;
  readonly cancellation_details?: CancellationDetailsObject;
  /** The status of its receipt, in shops that register receipts through the service (assumed: the interface leaves it open). */
  readonly receipt_registration?: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
}

export function isPaymentObject(body: unknown): body is PaymentObject {
  return (
    isRecord(body) && isText(body['id']) && typeof body['status'] === 'string' && isAmount(body['amount'])
  );
}
