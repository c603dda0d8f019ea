import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServiceReceipt } from '../../api/service-receipt.js';
import { Database } from '../../database/database.js';
import { recordFound } from '../../operations/found-operation.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { foundReceiptBody } from '../../operations/request-body.js';
import type { LockedPayment } from '../../payment/locks.js';
import { openReceipt, receiptSeen } from '../../payment/receipts/own-receipt-status.js';
import { closeProblem } from '../../payment/receipts/receipt-status.js';
import { ReceiptEntity } from '../../schema/receipt.entity.js';
import { RefundEntity } from '../../schema/refund.entity.js';
import { forgottenReceipts, type ForgottenReceipt } from './forgotten-receipts.js';
import { OwedReceipts } from './owed-receipts.js';

const cause = 'recovery';

/**
 * Records again what the database has forgotten of a payment's own receipts, as the service has them, and does what is owed by then.
 */
@Injectable()
export class ReceiptAdoption {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly owed: OwedReceipts,
  ) {}

  /** `listed`: all that the service has of the locked payment, oldest first. */
  async adopt(
    manager: EntityManager,
    locked: LockedPayment,
    listed: readonly ServiceReceipt[],
  ): Promise<void> {
    const { payment } = locked;
    const refunds = await manager.findBy(RefundEntity, { paymentId: payment.id });
    const known = await receiptsOf(manager, payment.id);
    const forgotten = forgottenReceipts(payment, refunds, known, listed);
    for (const [place, receipt] of forgotten.entries()) await this.#record(manager, locked, receipt, place);
    if (forgotten.length === 0) return;
    await this.owed.settle(manager, locked, cause);
    this.#logger.warn(
      `The database had forgotten ${forgotten.length} receipts of payment ${payment.id}: they are recorded again.`,
    );
  }

  async #record(
    manager: EntityManager,
    { payment }: LockedPayment,
    { object, isSentAgain, ...said }: ForgottenReceipt,
    place: number,
  ): Promise<void> {
    const { database } = this;
    const opened = { ...said, status: 'submitting' } as const;
    const receiptId = await openReceipt(manager, database, payment, opened, place);
    const { refundId } = said;
    const subject =
      object.refundId === null ? { payment_id: payment.serviceId ?? '' } : { refund_id: object.refundId };
    await recordFound(manager, database, payment, {
      kind: 'receipt',
      receiptId,
      request: foundReceiptBody(object, subject),
    });
    const receipt = await manager.findOneByOrFail(ReceiptEntity, { id: receiptId });
    await receiptSeen(manager, database, { payment, receipt }, object, { isLate: false, cause });
    const refund = refundId === null ? null : { id: refundId };
    if (isSentAgain) await closeProblem(manager, database, { payment, refund, receipt }, cause);
  }
}
