import { IsNull, type EntityManager } from 'typeorm';
import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { Cause } from '../../common/cause.js';
import { PaymentsLog, type LogFields } from '../../common/payments-log.js';
import { newId } from '../../common/uuid.js';
import type { Database } from '../../database/database.js';
import type { EventSubject } from '../../schema/event.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import type { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { RecordedEventName } from '../../views/events.js';
import { nameInLogs } from '../name-in-logs.js';
import { aboutPayment, recordEvent } from '../record-event.js';

/** The money whose receipt it is: a locked payment, or one of its refunds. */
export interface Receipted {
  readonly payment: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>;
  /** null: the payment itself. */
  readonly refund: Pick<PaymentsRefundEntity, 'id'> | null;
  /** The receipt that is sent by itself; null: it went with the money. */
  readonly receipt?: Pick<PaymentsReceiptEntity, 'id'> | null;
}

/** What is known of a registration. */
interface Registration {
  /** As last recorded, and as just read. */
  readonly before: ReceiptStatus | null;
  readonly after: ReceiptStatus | null;
  /** It is pending for too long. */
  readonly isLate: boolean;
  readonly cause: Cause;
}

const logger = new PaymentsLog();

/**
 * Reports how the registration of a receipt has gone on, in the transaction that records its status and under the payment's lock:
 * by an event, and what failed or is late also as a problem, so that no receipt is lost without a person knowing.
 */
export async function reportReceipt(
  manager: EntityManager,
  database: Database,
  of: Receipted,
  { before, after, isLate, cause }: Registration,
): Promise<void> {
  const isNew = after !== before;
  if (after === 'succeeded' && isNew) {
    await manager.update(PaymentsReceiptProblemEntity, problemOf(of), { status: after, isOpen: false });
    await announce(manager, database, of, 'receipt.succeeded', cause);
  } else if (after === 'canceled' && isNew) {
    await openProblem(manager, database, of, after);
    await announce(manager, database, of, 'receipt.failed', cause);
    const { name, about } = await nameOf(manager, of);
    logger.error(`The receipt of ${name} was not registered: it needs a person.`, about);
  } else if (after === 'pending' && isLate && (await openProblem(manager, database, of, after))) {
    await announce(manager, database, of, 'receipt.late', cause);
    const { name, about } = await nameOf(manager, of);
    logger.warn(`The receipt of ${name} is still not registered.`, about);
  }
}

/** Money was moved elsewhere, and nobody has said what is on its receipt: a person has to. */
export async function reportMissing(
  manager: EntityManager,
  database: Database,
  of: Receipted,
  cause: Cause,
): Promise<void> {
  if (!(await openProblem(manager, database, of, 'missing'))) return;
  await announce(manager, database, of, 'receipt.failed', cause);
  const { name, about } = await nameOf(manager, of);
  logger.error(
    `The receipt of ${name} is missing: its money was moved elsewhere, so a person must send it.`,
    about,
  );
}

/** Nobody needs the receipt any more, whatever has become of it. */
export async function closeProblem(
  manager: EntityManager,
  database: Database,
  of: Receipted,
  cause: Cause,
): Promise<void> {
  const open = { ...problemOf(of), isOpen: true };
  const { affected } = await manager.update(PaymentsReceiptProblemEntity, open, { isOpen: false });
  if (affected) await announce(manager, database, of, 'receipt.not_needed', cause);
}

/** What was missing was sent by itself: by a person, who need not say so once more. One of another sum is not it. */
export async function closeMissing(
  manager: EntityManager,
  { id: paymentId, capturedMinor }: Pick<PaymentsPaymentEntity, 'id' | 'capturedMinor'>,
  { refundId, type, amountMinor }: Pick<PaymentsReceiptEntity, 'refundId' | 'type' | 'amountMinor'>,
): Promise<void> {
  const refund =
    refundId === null ? null : await manager.findOneByOrFail(PaymentsRefundEntity, { id: refundId });
  const movedMinor = refund?.amountMinor ?? (type === 'payment' ? capturedMinor : null);
  if (amountMinor !== movedMinor) return;
  const missing = {
    paymentId,
    refundId: refundId ?? IsNull(),
    receiptId: IsNull(),
    status: 'missing',
    isOpen: true,
  } as const;
  await manager.update(PaymentsReceiptProblemEntity, missing, { isOpen: false });
}

/** False if it is known already. */
async function openProblem(
  manager: EntityManager,
  database: Database,
  of: Receipted,
  status: 'missing' | 'pending' | 'canceled',
): Promise<boolean> {
  const known = await manager.findOneBy(PaymentsReceiptProblemEntity, problemOf(of));
  // A failure is seen once, so one after a resolved one is of another receipt, as of the part of a hold that was captured.
  const isAnother = status === 'canceled' && known?.isOpen === false;
  if (known?.status === status && !isAnother) return false;
  const problem = { status, isOpen: true, since: () => database.now, resolution: null };
  if (known) await manager.update(PaymentsReceiptProblemEntity, known.id, problem);
  else {
    const { payment, refund, receipt } = of;
    const refs = { refundId: refund?.id ?? null, receiptId: receipt?.id ?? null };
    const ids = { storeId: payment.storeId, paymentId: payment.id, ...refs };
    await manager.insert(PaymentsReceiptProblemEntity, { id: newId(), ...ids, ...problem });
  }
  return true;
}

function announce(
  manager: EntityManager,
  database: Database,
  { payment, refund, receipt = null }: Receipted,
  name: RecordedEventName,
  cause: Cause,
): Promise<void> {
  const about = aboutPayment(payment);
  const evidence = { refundId: refund?.id ?? null, receiptId: receipt?.id ?? null };
  const subject = subjectOf(refund, receipt) ?? about.subject;
  return recordEvent(manager, database, { ...about, subject }, { name, cause, evidence });
}

function subjectOf(refund: Receipted['refund'], receipt: Receipted['receipt']): EventSubject | null {
  if (receipt) return { type: 'receipt', id: receipt.id };
  return refund && { type: 'refund', id: refund.id };
}

function problemOf({ payment, refund, receipt }: Receipted) {
  if (receipt) return { receiptId: receipt.id };
  return { paymentId: payment.id, refundId: refund === null ? IsNull() : refund.id, receiptId: IsNull() };
}

async function nameOf(
  manager: EntityManager,
  { payment, refund, receipt }: Receipted,
): Promise<{ readonly name: string; readonly about: LogFields }> {
  const { name, about: money } = await nameInLogs(manager, payment);
  const about = { ...money, refundId: refund?.id, receiptId: receipt?.id };
  if (receipt) return { name: `payment ${name}, sent by itself (${receipt.id}),`, about };
  return { name: `${refund === null ? '' : `refund ${refund.id} of `}payment ${name}`, about };
}
