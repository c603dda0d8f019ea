import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IN_FLIGHT_MS } from '../../api/limits.js';
import type { Cause } from '../../common/cause.js';
import { plusMs } from '../../common/clock.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import { OperationRecorder } from '../../operations/operation-recorder.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { want } from '../../payment/due.js';
import type { LockedPayment } from '../../payment/locks.js';
import { dropOwed, markSubmitting, openReceipt } from '../../payment/receipts/own-receipt-status.js';
import { closeProblem, reportMissing } from '../../payment/receipts/receipt-status.js';
import { decideOwed, type OwedStep } from '../../receipts/decide-owed.js';
import { bodyForSum, bodyOf, type ReceiptSubject } from '../../receipts/owed-body.js';
import { keyOfNext } from '../../receipts/owed-keys.js';
import { registeredOf } from '../../receipts/registered.js';
import { isRecovering } from '../../rollback/recovery-windows.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { Prepayments } from './prepayments.js';

type Step = OwedStep<PaymentsReceiptEntity, PaymentsRefundEntity>;

/**
 * What receipts a locked payment owes by now, in the transaction that has moved its money or ended one of them. Where they follow
 * the money, records the sending of those, and drops what is not owed any more; the sweep sends what was recorded. Settlements are
 * the host's to send: {@link Prepayments} records what is left to settle.
 */
@Injectable()
export class OwedReceipts {
  constructor(
    private readonly database: Database,
    private readonly operations: OperationRecorder,
    private readonly prepayments: Prepayments,
  ) {}

  async settle(manager: EntityManager, locked: LockedPayment, cause: Cause): Promise<void> {
    await this.prepayments.follow(manager, locked, cause);
    const { id: paymentId, receiptsAfter } = locked.payment;
    if (!receiptsAfter) return;
    const payment = await manager.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId });
    const receipts = await receiptsOf(manager, paymentId);
    const refunds = await manager.findBy(PaymentsRefundEntity, { paymentId });
    const areFailed = receipts.some(({ status }) => status === 'canceled' || status === 'rejected');
    const problems = areFailed ? await manager.findBy(PaymentsReceiptProblemEntity, { paymentId }) : [];
    const steps = decideOwed(payment, refunds, registeredOf(receipts, problems).own);
    const waits = steps.some(isMissing) && (await this.#mayBeFound(manager, payment));
    for (const step of waits ? steps.filter((one) => !isMissing(one)) : steps)
      await this.#take(manager, { order: locked.order, payment }, step, cause);
  }

  /** What is missing may be at the service and forgotten here: then it is not reported before the service's lists have been read. */
  async #mayBeFound(manager: EntityManager, payment: PaymentsPaymentEntity): Promise<boolean> {
    if (!(await isRecovering(manager, this.database, payment.storeId))) return false;
    const later = plusMs(this.database.now, IN_FLIGHT_MS);
    await want(manager, this.database, payment, later, { refundSignals: 1, urgent: false });
    return true;
  }

  async #take(manager: EntityManager, locked: LockedPayment, step: Step, cause: Cause): Promise<void> {
    if (step.kind === 'send') return this.#send(manager, locked, step, cause);
    if (step.kind === 'drop') return dropOwed(manager, this.database, step.receipt.id);
    if (step.kind === 'return') return this.#return(manager, locked, step, cause);
    const { payment } = locked;
    if (step.kind === 'close')
      return closeProblem(manager, this.database, { payment, refund: null, receipt: step.receipt }, cause);
    await reportMissing(manager, this.database, { payment, refund: step.refund }, cause);
  }

  async #send(
    manager: EntityManager,
    locked: LockedPayment,
    { receipt, amountMinor }: Extract<Step, { kind: 'send' }>,
    cause: Cause,
  ): Promise<void> {
    const { id, type, refundId, body, personal, receiptKey } = receipt;
    const { payment } = locked;
    const of = await subjectOf(manager, payment, refundId);
    const isLowered = amountMinor !== receipt.amountMinor;
    const said = isLowered ? loweredOrNull(body, amountMinor) : body;
    if (said === null || of === null || isLowered) await dropOwed(manager, this.database, id);
    else await markSubmitting(manager, this.database, id);
    if (said === null || of === null)
      return reportMissing(manager, this.database, { payment, refund: null }, cause);
    const lowered = {
      refundId,
      type,
      amountMinor,
      receiptKey: keyOfNext(receiptKey),
      status: 'submitting',
    } as const;
    const receiptId = isLowered ? await openReceipt(manager, this.database, payment, lowered) : id;
    const request = { body: JSON.stringify(bodyOf(said, type, of)), personal };
    await this.operations.insert(manager, locked, { receiptId, kind: 'receipt', request }, null);
  }

  async #return(
    manager: EntityManager,
    locked: LockedPayment,
    { of, key, refund }: Extract<Step, { kind: 'return' }>,
    cause: Cause,
  ): Promise<void> {
    const { payment } = locked;
    const refundId = refund?.id ?? null;
    const { body, personal } = await manager.findOneByOrFail(PaymentsOperationEntity, { receiptId: of.id });
    const subject = await subjectOf(manager, payment, refundId);
    if (personal === null || subject === null)
      return reportMissing(manager, this.database, { payment, refund }, cause);
    const { amountMinor } = of;
    const receiptId = await openReceipt(manager, this.database, payment, {
      refundId,
      receiptKey: key,
      type: 'refund',
      amountMinor,
      status: 'submitting',
    });
    const request = { body: JSON.stringify(bodyOf(body, 'refund', subject)), personal };
    await this.operations.insert(manager, locked, { receiptId, kind: 'receipt', request }, null);
  }
}

async function subjectOf(
  manager: EntityManager,
  { serviceId }: PaymentsPaymentEntity,
  refundId: string | null,
): Promise<ReceiptSubject | null> {
  if (refundId === null) return serviceId === null ? null : { payment_id: serviceId };
  const refund = await manager.findOneByOrFail(PaymentsRefundEntity, { id: refundId });
  return refund.serviceId === null ? null : { refund_id: refund.serviceId };
}

function isMissing({ kind }: Step): boolean {
  return kind === 'missing';
}

/** Null: no prices make that sum. */
function loweredOrNull(body: string | null, amountMinor: number): string | null {
  try {
    return body && bodyForSum(body, amountMinor);
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}
