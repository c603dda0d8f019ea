import type { EntityManager } from 'typeorm';
import type { ServiceReceipt } from '../api/service-receipt.js';
import type { Cause } from '../common/cause.js';
import type { Database } from '../database/database.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import { reportReceipt } from './receipt-status.js';

/**
 * The one writer of the status of receipts that are sent by themselves, under their payment's lock. What becomes of the
 * registration is reported as that of the others.
 */
export async function receiptSeen(
  manager: EntityManager,
  database: Database,
  { payment, receipt }: { readonly payment: PaymentEntity; readonly receipt: ReceiptEntity },
  { id: serviceId, status, kept }: ServiceReceipt,
  { isLate, cause }: { readonly isLate: boolean; readonly cause: Cause },
): Promise<void> {
  const before = receipt.status === 'submitting' || receipt.status === 'rejected' ? null : receipt.status;
  // What is final stays, whatever an older answer says.
  const after = before === null || before === 'pending' ? (status ?? 'pending') : before;
  if (after !== receipt.status) {
    const fields = { serviceId, status: after, object: kept };
    await manager.update(ReceiptEntity, receipt.id, { ...fields, updatedAt: () => database.now });
    Object.assign(receipt, fields);
  }
  const refund = receipt.refundId === null ? null : { id: receipt.refundId };
  await reportReceipt(manager, database, { payment, refund, receipt }, { before, after, isLate, cause });
}

/** The service refused it for good, or never received it. */
export async function receiptRejected(
  manager: EntityManager,
  database: Database,
  receiptId: string,
): Promise<void> {
  await manager.update(
    ReceiptEntity,
    { id: receiptId, status: 'submitting' },
    { status: 'rejected', updatedAt: () => database.now },
  );
}
