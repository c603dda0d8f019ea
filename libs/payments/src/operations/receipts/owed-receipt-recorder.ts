import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import { dropOwed, openReceipt } from '../../payment/receipts/own-receipt-status.js';
import { owedBody } from '../../receipts/owed-body.js';
import { keyOfNext, latestOf, owedKeys } from '../../receipts/owed-keys.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { recordedBody, type RecordedBody } from '../personal-data.js';
import { receiptsOf } from './recorded-receipts.js';

/** Keeps the receipts of captures and refunds until their money has moved, in the transaction that requests it. */
@Injectable()
export class OwedReceiptRecorder {
  constructor(private readonly database: Database) {}

  /** Whether the payment has receipts that the module sends. */
  has({ receiptsAfter, receiptDigest }: PaymentsPaymentEntity): boolean {
    return receiptsAfter && receiptDigest !== null;
  }

  /** Of the part that is captured; in the place of that of an earlier capture, which was refused. */
  async ofCapture(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    receipt: ReceiptInput,
  ): Promise<void> {
    const said = recordedBody(owedBody('payment', receipt));
    const amountMinor = receiptTotalMinor(receipt);
    const earlier = latestOf(await receiptsOf(manager, payment.id), owedKeys.capture);
    const isSame = earlier?.body === said.body && earlier.personal === said.personal;
    if (isSame) return;
    if (earlier?.status === 'owed') await dropOwed(manager, this.database, earlier.id);
    const receiptKey = earlier ? keyOfNext(earlier.receiptKey) : owedKeys.capture;
    const kept = {
      ...said,
      refundId: null,
      receiptKey,
      type: 'payment',
      amountMinor,
      status: 'owed',
    } as const;
    await openReceipt(manager, this.database, payment, kept);
  }

  /**
   * What the receipt of a refund says: the given one, or for the whole payment what the payment's says; null: nothing was said of that.
   * @throws PaymentInputError if the contact of the payment's is not kept any more
   */
  async saidOfRefund(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    receipt: ReceiptInput | null,
  ): Promise<RecordedBody | null> {
    return receipt ? recordedBody(owedBody('refund', receipt)) : this.#wholeOf(manager, payment);
  }

  async ofRefund(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    { id: refundId, amountMinor }: PaymentsRefundEntity,
    said: RecordedBody,
  ): Promise<void> {
    const receiptKey = owedKeys.refund(refundId);
    const kept = { ...said, refundId, receiptKey, type: 'refund', amountMinor, status: 'owed' } as const;
    await openReceipt(manager, this.database, payment, kept);
  }

  /** What was said of the money that is paid; null: nothing. */
  async #wholeOf(
    manager: EntityManager,
    { id: paymentId }: PaymentsPaymentEntity,
  ): Promise<RecordedBody | null> {
    const receipts = await receiptsOf(manager, paymentId);
    const sent = receipts.filter(({ status }) => status !== 'owed' && status !== 'void');
    const base = latestOf(sent, owedKeys.capture) ?? latestOf(sent, owedKeys.payment);
    if (!base) return null;
    const { body, personal } = await manager.findOneByOrFail(PaymentsOperationEntity, { receiptId: base.id });
    if (personal === null)
      throw new PaymentInputError(
        'receipt',
        'is required: the contact of the payment’s receipt is not kept any more',
      );
    return { body, personal };
  }
}
