import { isRecord } from '../common/is-record.js';
import { keptOf } from './kept-object.js';
import { parseConfirmation, type StoredConfirmation } from './objects/confirmation.js';
import {
  parseAmount,
  parseCancellation,
  type Cancellation,
  parseReceiptStatus,
  type ReceiptStatus,
} from './objects/fields.js';
import { isPaymentObject, payment, type PaymentObject } from './objects/payment.js';
import { readFields } from './objects/shape.js';

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
  const said = readFields(payment, body);
  const method = said.payment_method;
  return {
    id: body.id,
    status: body.status,
    amountMinor: amount.amountMinor,
    currency: amount.currency,
    refundedMinor: parseAmount(said.refunded_amount)?.amountMinor ?? 0,
    accountId: said.recipient?.account_id ?? null,
    test: said.test,
    confirmation: parseConfirmation(body.confirmation),
    expiresAt: said.expires_at,
    createdAt: said.created_at,
    cancellation: parseCancellation(body.cancellation_details),
    cardLast4: fourDigits(method?.card?.last4 ?? null),
    receiptStatus: parseReceiptStatus(said.receipt_registration),
    method: method?.type ?? null,
    discountMinor: parseAmount(method?.discount_amount)?.amountMinor ?? null,
    metadata: said.metadata ?? {},
    kept: body,
  };
}

function fourDigits(last4: string | null): string | null {
  return last4 !== null && /^\d{4}$/.test(last4) ? last4 : null;
}
