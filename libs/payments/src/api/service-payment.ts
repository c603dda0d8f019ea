import { isRecord } from '../common/is-record.js';
import { keptOf } from './kept-object.js';
import { parseConfirmation, type StoredConfirmation } from './objects/confirmation.js';
import {
  dateOrNull,
  parseAmount,
  parseCancellation,
  textOrNull,
  type Cancellation,
  parseReceiptStatus,
  type ReceiptStatus,
} from './objects/fields.js';
import { isPaymentObject, type PaymentObject } from './objects/payment.js';

/**
 * The service's payment object, as far as decisions need it. Unknown fields and enumeration values never break parsing.
 * Everything is read from `kept`, so that nothing else is stored anywhere.
 */
export interface ServicePayment {
  readonly id: string;
  /** Open: an unknown status is an anomaly for reconcile, not a parsing fault. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly refundedMinor: number;
  /** The store that receives the payment; null if the answer does not say. */
  readonly accountId: string | null;
  readonly test: boolean | null;
  /** null: the buyer has nothing to do. */
  readonly confirmation: StoredConfirmation | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date | null;
  readonly cancellation: Cancellation | null;
  /** The last four digits of the card it was paid with; null if the answer does not say. */
  readonly cardLast4: string | null;
  readonly receiptStatus: ReceiptStatus | null;
  /** By the interface's name or the service's; null: not chosen yet. */
  readonly method: string | null;
  /** What the service took off the amount; null: nothing. */
  readonly discountMinor: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly kept: Record<string, unknown>;
}

/** Parses a payment object; null if it lacks what every payment has (id, status, amount). */
export function parseServicePayment(body: PaymentObject): ServicePayment;
export function parseServicePayment(body: unknown): ServicePayment | null;
export function parseServicePayment(answer: unknown): ServicePayment | null {
  const body = isRecord(answer) ? keptOf('payment', answer) : null;
  const amount = isRecord(body) ? parseAmount(body['amount']) : null;
  if (!isPaymentObject(body) || amount === null) return null;
  const method: Readonly<Record<string, unknown>> = isRecord(body.payment_method) ? body.payment_method : {};
  const recipient = isRecord(body.recipient) ? body.recipient : {};
  return {
    id: body.id,
    status: body.status,
    amountMinor: amount.amountMinor,
    currency: amount.currency,
    refundedMinor: parseAmount(body.refunded_amount)?.amountMinor ?? 0,
    accountId: textOrNull(recipient['account_id']),
    test: typeof body.test === 'boolean' ? body.test : null,
    confirmation: parseConfirmation(body.confirmation),
    expiresAt: dateOrNull(body.expires_at),
    createdAt: dateOrNull(body.created_at),
    cancellation: parseCancellation(body.cancellation_details),
    cardLast4: parseLast4(body.payment_method),
    receiptStatus: parseReceiptStatus(body.receipt_registration),
    method: textOrNull(method['type']),
    discountMinor: parseAmount(method['discount_amount'])?.amountMinor ?? null,
    metadata: isRecord(body.metadata) ? body.metadata : {},
    kept: body,
  };
}

function parseLast4(method: unknown): string | null {
  const card = isRecord(method) ? method['card'] : null;
  const last4 = isRecord(card) ? textOrNull(card['last4']) : null;
  return last4 !== null && /^\d{4}$/.test(last4) ? last4 : null;
}
