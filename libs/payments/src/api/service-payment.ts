import { minorFromValue } from '../payment/money.js';
import { isRecord } from './service-errors.js';

/**
 * The service's payment object (section 2.1), as far as decisions need it. Fields and enumeration values we do
 * not know stay in `raw` and never break reading.
 */
export interface ServicePayment {
  readonly id: string;
  /** Open: an unknown status is an anomaly for reconcile, not a reading fault. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly refundedMinor: number;
  /** The store that receives the payment; null where the answer does not say. */
  readonly accountId: string | null;
  readonly test: boolean | null;
  readonly confirmationUrl: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date | null;
  readonly cancellation: { readonly party: string; readonly reason: string } | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly raw: Record<string, unknown>;
}

/** Reads a payment object; null where it lacks what section 2.1 always gives (id, status, amount). */
export function readServicePayment(body: unknown): ServicePayment | null {
  if (!isRecord(body)) return null;
  const { id, status } = body;
  const amount = readAmount(body['amount']);
  if (typeof id !== 'string' || id === '' || typeof status !== 'string' || amount === null) return null;
  const confirmation = isRecord(body['confirmation']) ? body['confirmation'] : {};
  const recipient = isRecord(body['recipient']) ? body['recipient'] : {};
  const details = isRecord(body['cancellation_details']) ? body['cancellation_details'] : null;
  return {
    id,
    status,
    amountMinor: amount.amountMinor,
    currency: amount.currency,
    refundedMinor: readAmount(body['refunded_amount'])?.amountMinor ?? 0,
    accountId: stringOrNull(recipient['account_id']),
    test: typeof body['test'] === 'boolean' ? body['test'] : null,
    confirmationUrl: stringOrNull(confirmation['confirmation_url']),
    expiresAt: dateOrNull(body['expires_at']),
    createdAt: dateOrNull(body['created_at']),
    cancellation: details && {
      party: stringOrNull(details['party']) ?? 'unknown',
      reason: stringOrNull(details['reason']) ?? 'unknown',
    },
    metadata: isRecord(body['metadata']) ? body['metadata'] : {},
    raw: body,
  };
}

function readAmount(value: unknown): { amountMinor: number; currency: string } | null {
  if (!isRecord(value) || typeof value['value'] !== 'string' || typeof value['currency'] !== 'string')
    return null;
  const amountMinor = minorFromValue(value['value']);
  return amountMinor === null ? null : { amountMinor, currency: value['currency'] };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function dateOrNull(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
