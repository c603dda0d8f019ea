import type { EntityManager } from 'typeorm';
import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { ServiceReceipt } from '../../api/service-receipt.js';
import type { Cause } from '../../common/cause.js';
import { plusMs } from '../../common/clock.js';
import type { Database } from '../../database/database.js';
import { isNeeded } from '../../receipts/decide-owed.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { receiptIdOf } from '../intent-key.js';
import { closeMissing, closeProblem, reportReceipt } from './receipt-status.js';

/**
 * The one writer of the status of receipts that are sent by themselves, under their payment's lock. What becomes of the
 * registration is reported as that of the others.
 */
export async function receiptSeen(
  manager: EntityManager,
  database: Database,
  { payment, receipt }: { readonly payment: PaymentsPaymentEntity; readonly receipt: PaymentsReceiptEntity },
  { id: serviceId, status, kept }: Pick<ServiceReceipt, 'id' | 'status' | 'kept'>,
  { isLate, cause }: { readonly isLate: boolean; readonly cause: Cause },
): Promise<void> {
  const before = receiptStatusOf(receipt);
  // What is final stays, whatever an older answer says.
  const after = before === null || before === 'pending' ? (status ?? 'pending') : before;
  if (after !== receipt.status) {
    const fields = { serviceId, status: after, object: kept };
    await manager.update(PaymentsReceiptEntity, receipt.id, { ...fields, updatedAt: () => database.now });
    Object.assign(receipt, fields);
  }
  const refund = receipt.refundId === null ? null : { id: receipt.refundId };
  if (after === 'succeeded' && before !== after) await closeMissing(manager, payment, receipt);
  if (after === 'canceled' && !isNeeded(payment, receipt.receiptKey)) return;
  await reportReceipt(manager, database, { payment, refund, receipt }, { before, after, isLate, cause });
}

type NewReceipt = Pick<PaymentsReceiptEntity, 'refundId' | 'receiptKey' | 'type' | 'amountMinor'> &
  Partial<Pick<PaymentsReceiptEntity, 'askedDigest'>> &
  (
    | { readonly status: 'submitting' }
    | { readonly status: 'owed'; readonly body: string; readonly personal: string | null }
  );

/**
 * Records one: `submitting`, with its operation, or `owed`, with what it says. Returns its id. `place`: among those that one
 * transaction records, which keep that order.
 */
export async function openReceipt(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
  receipt: NewReceipt,
  place = 0,
): Promise<string> {
  const { id: paymentId, storeId, currency } = payment;
  const id = receiptIdOf(payment, receipt.receiptKey, receipt.refundId);
  const createdAt = () => plusMs(database.now, place);
  const at = { createdAt, updatedAt: () => database.now };
  await manager.insert(PaymentsReceiptEntity, { id, storeId, paymentId, currency, ...receipt, ...at });
  return id;
}

/** The service refused it for good, or never received it. */
export async function receiptRejected(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
  receiptId: string,
  cause: Cause,
): Promise<void> {
  const receipt = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId });
  if (receipt.status !== 'submitting') return;
  await manager.update(PaymentsReceiptEntity, receiptId, {
    status: 'rejected',
    updatedAt: () => database.now,
  });
  if (!isNeeded(payment, receipt.receiptKey)) return;
  const refund = receipt.refundId === null ? null : { id: receipt.refundId };
  const registration = { before: null, after: 'canceled', isLate: false, cause } as const;
  await reportReceipt(manager, database, { payment, refund, receipt }, registration);
}

/**
 * One that was found without its key is what its caller asks for again: it goes on in a row with that key, and with the effects of the
 * row that the database has forgotten. Returns that row.
 */
export async function nameFound(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
  found: PaymentsReceiptEntity,
  named: Pick<PaymentsReceiptEntity, 'receiptKey' | 'askedDigest'>,
): Promise<PaymentsReceiptEntity> {
  const { id, serviceId, refundId, type, amountMinor, object } = found;
  if (serviceId === null) throw new Error(`The receipt ${id} was found without an id of the service.`);
  const refund = refundId === null ? null : { id: refundId };
  await closeProblem(manager, database, { payment, refund, receipt: found }, 'receipt');
  const left = { serviceId: null, status: 'void', updatedAt: () => database.now } as const;
  await manager.update(PaymentsReceiptEntity, id, left);
  const opened = { ...named, refundId, type, amountMinor, status: 'submitting' } as const;
  const receipt = await manager.findOneByOrFail(PaymentsReceiptEntity, {
    id: await openReceipt(manager, database, payment, opened),
  });
  const seen = { id: serviceId, status: receiptStatusOf(found), kept: { ...object } };
  await receiptSeen(manager, database, { payment, receipt }, seen, { isLate: false, cause: 'receipt' });
  return receipt;
}

/** An owed receipt is recorded to be sent; its operation has what it says from now on. */
export async function markSubmitting(
  manager: EntityManager,
  database: Database,
  receiptId: string,
): Promise<void> {
  const moved = { body: null, personal: null, status: 'submitting' } as const;
  await manager.update(PaymentsReceiptEntity, receiptId, { ...moved, updatedAt: () => database.now });
}

/** It is not owed any more. What it said is forgotten. */
export async function dropOwed(manager: EntityManager, database: Database, receiptId: string): Promise<void> {
  const forgotten = { body: null, personal: null, status: 'void' } as const;
  await manager.update(PaymentsReceiptEntity, receiptId, { ...forgotten, updatedAt: () => database.now });
}

/** Null: the service has not said one. */
function receiptStatusOf({ status }: PaymentsReceiptEntity): ReceiptStatus | null {
  return status === 'pending' || status === 'succeeded' || status === 'canceled' ? status : null;
}
