import { receipt } from '../api/objects/receipt.js';
import { readFields, someOf } from '../api/objects/shape.js';
import { formatAmount, type Amount } from '../common/money.js';
import type { OwnReceiptStatus, ReceiptType } from '../receipts/own-receipt.js';
import type { PaymentsReceiptEntity } from '../schema/receipt.entity.js';

/** By what a registered receipt is found at the tax authority. null: the service does not say. */
export interface FiscalNumbers {
  readonly documentNumber: string | null;
  /** Of the register's storage. */
  readonly storageNumber: string | null;
  readonly attribute: string | null;
  readonly registeredAt: Date | null;
  /** Its id in the register. */
  readonly providerId: string | null;
}

/** A receipt that was sent by itself, as merchant code sees it. It does not say who got it. */
export interface Receipt {
  /** Ours. */
  readonly id: string;
  readonly paymentId: string;
  /** The refund that it is of; null: the payment itself. */
  readonly refundId: string | null;
  /** The caller's own name for it. */
  readonly receiptKey: string;
  readonly type: ReceiptType;
  readonly status: OwnReceiptStatus;
  readonly amount: Amount;
  /** The service's id; null until its first answer. */
  readonly serviceId: string | null;
  /** null until it is registered. */
  readonly fiscal: FiscalNumbers | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function receiptView(entity: PaymentsReceiptEntity): Receipt {
  const { id, paymentId, refundId, receiptKey, type, status, serviceId, createdAt, updatedAt } = entity;
  const amount = formatAmount(entity.amountMinor, entity.currency);
  const fiscal = fiscalNumbers(entity.object);
  return {
    id,
    paymentId,
    refundId,
    receiptKey,
    type,
    status,
    amount,
    serviceId,
    fiscal,
    createdAt,
    updatedAt,
  };
}

/** Reads a stored object; anything may be missing or odd. */
export function fiscalNumbers(object: object | null): FiscalNumbers | null {
  const said = readFields(receipt, object);
  return someOf({
    documentNumber: said.fiscal_document_number,
    storageNumber: said.fiscal_storage_number,
    attribute: said.fiscal_attribute,
    registeredAt: said.registered_at,
    providerId: said.fiscal_provider_id,
  });
}
