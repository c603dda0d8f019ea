import { isRecord } from '../../common/is-record.js';
import { minorFromValue, type Amount } from '../../common/money.js';
import { isStorableTime } from '../../common/text.js';

export interface Cancellation {
  readonly party: string;
  readonly reason: string;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether this is an amount as the service writes it: a decimal string with exactly two fractional digits, and a currency. */
export function isAmount(value: unknown): value is Amount {
  return parseAmount(value) !== null;
}

export function parseAmount(value: unknown): { amountMinor: number; currency: string } | null {
  if (!isRecord(value) || typeof value['value'] !== 'string' || typeof value['currency'] !== 'string')
    return null;
  const amountMinor = minorFromValue(value['value']);
  return amountMinor === null ? null : { amountMinor, currency: value['currency'] };
}

export function parseCancellation(value: unknown): Cancellation | null {
  if (!isRecord(value)) return null;
  return {
    party: textOrNull(value['party']) ?? 'unknown',
    reason: textOrNull(value['reason']) ?? 'unknown',
  };
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function dateOrNull(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  return isStorableTime(date) ? date : null;
}

/** The status of the receipt of a payment or a refund, from the service's object. */
const receiptStatuses = ['pending', 'succeeded', 'canceled'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** null if it has no receipt, or an unknown status. */
export function parseReceiptStatus(value: unknown): ReceiptStatus | null {
  return receiptStatuses.find((status) => status === value) ?? null;
}
