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
  /** What it is settled by, together; null if the answer does not say. */
  readonly settledMinor: number | null;
  readonly settlementTypes: readonly string[];
  /** Its lines, in the service's words. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly kept: Record<string, unknown>;
}

export function parseServiceReceipt(body: ReceiptObject): ServiceReceipt {
  const settlements = Array.isArray(body.settlements) ? body.settlements.filter(isRecord) : [];
  const amounts = settlements.map(({ amount }) => parseAmount(amount)?.amountMinor ?? null);
  return {
    id: body.id,
    type: body.type,
    status: parseReceiptStatus(body.status),
    paymentId: textOrNull(body.payment_id),
    refundId: textOrNull(body.refund_id),
    settledMinor: amounts.reduce((sum, minor) => (sum === null || minor === null ? null : sum + minor), 0),
    settlementTypes: settlements.flatMap(({ type }) => textOrNull(type) ?? []),
    items: Array.isArray(body.items) ? body.items.filter(isRecord) : [],
    kept: keptOf('receipt', body),
  };
}
