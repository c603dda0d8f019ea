import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { settledBy, type ServiceReceipt } from '../../api/service-receipt.js';
import { isRecord } from '../../common/is-record.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { Database } from '../../database/database.js';
import { recordFound } from '../../operations/found-operation.js';
import { settleOperation } from '../../operations/operation-recorder.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { foundReceiptBody } from '../../operations/request-body.js';
import type { LockedPayment } from '../../payment/locks.js';
import { markSubmitting, openReceipt, receiptSeen } from '../../payment/receipts/own-receipt-status.js';
import { closeProblem } from '../../payment/receipts/receipt-status.js';
import { bodyOf } from '../../receipts/owed-body.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { forgottenReceipts, type ForgottenReceipt } from './forgotten-receipts.js';
import { OwedReceipts } from './owed-receipts.js';

const cause = 'recovery';

type KnownReceipt = PaymentsReceiptEntity & { readonly unsentTypes: readonly string[] | null };

/**
 * Records again what the database has forgotten of a payment's own receipts, as the service has them, and does what is owed by then.
 */
@Injectable()
export class ReceiptAdoption {
  readonly #logger = new PaymentsLog();

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
    const refunds = await manager.findBy(PaymentsRefundEntity, { paymentId: payment.id });
    const known = await this.#known(manager, payment.id);
    const forgotten = forgottenReceipts(payment, refunds, known, listed);
    for (const [place, receipt] of forgotten.entries()) await this.#record(manager, locked, receipt, place);
    if (forgotten.length === 0) return;
    await this.owed.settle(manager, locked, cause);
    this.#logger.warn(
      `The database had forgotten ${forgotten.length} receipts of payment ${payment.id}: they are recorded again.`,
      { paymentId: payment.id, storeId: payment.storeId },
    );
  }

  async #known(manager: EntityManager, paymentId: string): Promise<KnownReceipt[]> {
    const receipts = await receiptsOf(manager, paymentId);
    const neverSent = { kind: 'receipt', firstSentAt: IsNull(), settledAt: IsNull() } as const;
    const unsent = await manager.findBy(PaymentsOperationEntity, { paymentId, ...neverSent });
    const bodies = new Map(unsent.map(({ receiptId, body }) => [receiptId, body]));
    return receipts.map((receipt) => {
      const body = receipt.status === 'owed' ? receipt.body : (bodies.get(receipt.id) ?? null);
      return Object.assign(receipt, { unsentTypes: body === null ? null : typesIn(body) });
    });
  }

  async #record(
    manager: EntityManager,
    { payment }: LockedPayment,
    { object, isSentAgain, row, ...said }: ForgottenReceipt<KnownReceipt>,
    place: number,
  ): Promise<void> {
    const { database } = this;
    const opened = { ...said, status: 'submitting' } as const;
    const receiptId = row?.id ?? (await openReceipt(manager, database, payment, opened, place));
    const { refundId, type } = said;
    const subject =
      object.refundId === null ? { payment_id: payment.serviceId ?? '' } : { refund_id: object.refundId };
    if (row?.status === 'submitting')
      await settleOperation(manager, database, { receiptId, settledAt: IsNull() }, 'confirmed');
    else {
      if (row !== null) await markSubmitting(manager, database, receiptId);
      const request = row?.body
        ? { body: JSON.stringify(bodyOf(row.body, type, subject)), personal: row.personal }
        : foundReceiptBody(object, subject);
      await recordFound(manager, database, payment, { kind: 'receipt', receiptId, request });
    }
    const receipt = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId });
    await receiptSeen(manager, database, { payment, receipt }, object, { isLate: false, cause });
    const refund = refundId === null ? null : { id: refundId };
    if (isSentAgain) await closeProblem(manager, database, { payment, refund, receipt }, cause);
  }
}

function typesIn(body: string): readonly string[] {
  const said: unknown = JSON.parse(body);
  return settledBy(isRecord(said) ? said['settlements'] : null).settlementTypes;
}
