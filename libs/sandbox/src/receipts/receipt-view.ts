import type { Fields } from '../common/fields.js';
import { wireAmount, type WireAmount } from '../common/money.js';
import type { Receipt, ReceiptStatus, ReceiptType } from './receipt.js';

/** A receipt in an answer (assumed, as all about receipts: the interface has none). */
export interface WireReceipt {
  readonly id: string;
  readonly type: ReceiptType;
  readonly payment_id: string;
  readonly refund_id?: string;
  readonly status: ReceiptStatus;
  readonly items: readonly object[];
  readonly settlements: readonly { readonly type: string; readonly amount: WireAmount }[];
  readonly fiscal_document_number?: string;
  readonly fiscal_storage_number?: string;
  readonly fiscal_attribute?: string;
  readonly registered_at?: string;
  readonly fiscal_provider_id?: string;
}

export function receiptView(receipt: Receipt): WireReceipt {
  const { id, type, paymentId, refundId, status, items, settlements, rest, registration } = receipt;
  return {
    ...rest,
    id,
    type,
    payment_id: paymentId,
    ...(refundId !== null && { refund_id: refundId }),
    status,
    items: items.map(({ wire }) => withMaskedSupplier(wire)),
    settlements: settlements.map((settled) => ({
      type: settled.type,
      amount: wireAmount(settled.amountMinor),
    })),
    ...(registration && {
      fiscal_document_number: registration.documentNumber,
      fiscal_storage_number: registration.storageNumber,
      fiscal_attribute: registration.attribute,
      registered_at: registration.at.toISOString(),
      fiscal_provider_id: registration.providerId,
    }),
  };
}

/** A supplier's INN comes back masked, and nothing else does. */
function withMaskedSupplier(wire: Fields): Fields {
  const { supplier } = wire;
  const isMasked = typeof supplier === 'object' && supplier !== null && 'inn' in supplier;
  return isMasked ? { ...wire, supplier: { ...supplier, inn: '***' } } : wire;
}
