import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { ServiceReceipt } from '../../api/service-receipt.js';
import type { Cause } from '../../common/cause.js';
import { Database } from '../../database/database.js';
import { settleOperation } from '../../operations/operation-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { receiptRejected, receiptSeen } from '../../payment/receipts/own-receipt-status.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { raiseAnomaly } from '../anomaly.js';
import { isReceiptLate } from './receipt-news.js';

/** What a re-read says of a receipt that was sent by itself. */
export interface SeenReceipt {
  readonly receiptId: string;
  /** null: the service has never received it. */
  readonly object: ServiceReceipt | null;
  /** Of its operation when that was found out; null: it was answered before. */
  readonly attempts: number | null;
}

/** Applies what became of a locked payment's own receipts. */
@Injectable()
export class ReceiptApplier {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async apply(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    seen: readonly SeenReceipt[],
    cause: Cause,
  ): Promise<void> {
    for (const one of seen) await this.#applyOne(manager, payment, one, cause);
  }

  async #applyOne(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    { receiptId, object, attempts }: SeenReceipt,
    cause: Cause,
  ): Promise<void> {
    const receipt = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId });
    const operation = await manager.findOneOrFail(PaymentsOperationEntity, {
      where: { receiptId },
      lock: { mode: 'for_no_key_update' },
    });
    // Answered meanwhile; or its caller came back and sent it again.
    const isLost = attempts !== null;
    if (isLost && (operation.attempts !== attempts || operation.settledAt !== null)) return;
    if (object === null) {
      await receiptRejected(manager, this.database, payment, receiptId, cause);
      await settleOperation(manager, this.database, { receiptId, settledAt: IsNull() }, 'refused');
      const reason = `the service has never received its receipt ${receipt.receiptKey}`;
      return raiseAnomaly(manager, this.database, payment, reason, { cause });
    }
    const now = await this.database.businessTime(manager);
    const isLate = isReceiptLate(receipt, { now, lateMs: this.options.receiptLateMs });
    await receiptSeen(manager, this.database, { payment, receipt }, object, { isLate, cause });
    if (isLost)
      await settleOperation(manager, this.database, { receiptId, settledAt: IsNull() }, 'confirmed');
  }
}
