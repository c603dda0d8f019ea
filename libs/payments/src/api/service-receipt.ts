import { isRecord } from '../common/is-record.js';
import { keptOf } from './kept-object.js';
import { parseAmount, parseReceiptStatus, textOrNull, type ReceiptStatus } from './objects/fields.js';
import type { ReceiptObject } from './objects/receipt.js';

/** The service's receipt object, as far as decisions need it. */
export interface ServiceReceipt {
  readonly id: string;
  readonly type: string;
  /** null: unknown. */
  readonly status: ReceiptStatus | null;
  /** The service's ids; null if the answer does not say. */
  readonly paymentId: string | null;
  readonly refundId: string | null;
  /** What it is settled by, in the service's words. */
  readonly settlements: readonly Readonly<Record<string, unknown>>[];
  /** Likewise, together; null if the answer does not say. */
  readonly settledMinor: number | null;
  readonly settlementTypes: readonly string[];
  /** What of that is money of this payment, no offset; null if the answer does not say. */
  readonly paidMinor: number | null;
  /** Its lines, in the service's words. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** What it says besides, in the service's words. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly kept: Record<string, unknown>;
}

const HEAD: readonly string[] = [
  'tax_system_code',
  'internet',
  'timezone',
  'receipt_industry_details',
  'receipt_operational_details',
];

/** They offset what was paid before, is paid later, or is paid otherwise than with money. */
const OFFSETS: readonly unknown[] = ['prepayment', 'postpayment', 'consideration'];

export function parseServiceReceipt(body: ReceiptObject): ServiceReceipt {
  const settlements = settlementsIn(body.settlements);
  return {
    id: body.id,
    type: body.type,
    status: parseReceiptStatus(body.status),
    paymentId: textOrNull(body.payment_id),
    refundId: textOrNull(body.refund_id),
    settlements,
    ...settledBy(body.settlements),
    paidMinor:
      settlements.length === 0 ? null : sumOf(settlements.filter(({ type }) => !OFFSETS.includes(type))),
    items: Array.isArray(body.items) ? body.items.filter(isRecord) : [],
    head: Object.fromEntries(Object.entries(body).filter(([name]) => HEAD.includes(name))),
    kept: keptOf('receipt', body),
  };
}

/** How a receipt is settled, as the service answers it or as it is sent. */
export function settledBy(given: unknown): Pick<ServiceReceipt, 'settledMinor' | 'settlementTypes'> {
  const settlements = settlementsIn(given);
  return {
    settledMinor: sumOf(settlements),
    settlementTypes: settlements.flatMap(({ type }) => textOrNull(type) ?? []),
  };
}

function settlementsIn(given: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(given) ? given.filter(isRecord) : [];
}

function sumOf(settlements: readonly Record<string, unknown>[]): number | null {
  const amounts = settlements.map(({ amount }) => parseAmount(amount)?.amountMinor ?? null);
  return amounts.reduce((sum, minor) => (sum === null || minor === null ? null : sum + minor), 0);
}
