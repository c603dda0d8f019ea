import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ServiceError } from '../api/service-errors.js';
import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceReceipt } from '../api/service-receipt.js';
import type { ServiceRefund } from '../api/service-refund.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { Applier } from '../apply/applier.js';
import { OwedReceipts } from '../apply/receipts/owed-receipts.js';
import { RefundApplier } from '../apply/refunds/refund-applier.js';
import { WronglyRejected } from '../apply/wrongly-rejected.js';
import { nameOf } from '../common/message-of.js';
import { isFinal } from '../common/payment-status.js';
import { PaymentsError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { lockDue } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import type { LockedPayment } from '../payment/locks.js';
import { receiptRejected, receiptSeen } from '../payment/receipts/own-receipt-status.js';
import { reject } from '../payment/status-change.js';
import type { OperationEntity } from '../schema/operation.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import { receiptView, type Receipt } from '../views/receipt.view.js';
import { refundView, type Refund } from '../views/refund.view.js';

/** The service's answer to an operation. */
export type OperationAnswer =
  | { readonly of: 'payment'; readonly object: ServicePayment }
  | { readonly of: 'refund'; readonly object: ServiceRefund }
  | { readonly of: 'receipt'; readonly object: ServiceReceipt };

/** Why an operation is not over with its answer; `unclear`: a re-read finds out what the answer means. */
interface Unsettled {
  readonly kind: 'unknown' | 'unclear';
  readonly error: Error;
}

/** What an operation's end means for its payment or refund; in the settling transaction, under the payment's lock. */
@Injectable()
export class OperationEffects {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly applier: Applier,
    private readonly refunds: RefundApplier,
    private readonly owedReceipts: OwedReceipts,
    private readonly wronglyRejected: WronglyRejected,
  ) {}

  /**
   * Applies the service's answer. `open`: why the operation is not over with it; `refund`: the operation's refund, as it is now.
   */
  async confirm(
    manager: EntityManager,
    locked: LockedPayment,
    operation: OperationEntity,
    answer: OperationAnswer,
  ): Promise<{ open: Unsettled | null; refund?: Refund | undefined; receipt?: Receipt }> {
    const { kind: cause, refundId, receiptId, attempts } = operation;
    const evidence = { attempt: attempts };
    if (answer.of === 'refund') {
      const seen = [{ object: answer.object, ourId: refundId, marked: null }];
      const { known, anomalies } = await this.refunds.apply(manager, locked, seen, { cause, evidence });
      await this.owedReceipts.settle(manager, locked, cause);
      const [misfit] = anomalies;
      const refund = known.find(({ id }) => id === refundId);
      return { open: misfit === undefined ? null : misfits(misfit), refund: refund && refundView(refund) };
    }
    if (answer.of === 'receipt') {
      const receipt = await manager.findOneByOrFail(ReceiptEntity, { id: receiptId ?? '' });
      await receiptSeen(manager, this.database, { payment: locked.payment, receipt }, answer.object, {
        isLate: false,
        cause,
      });
      await this.owedReceipts.settle(manager, locked, cause);
      return { open: null, receipt: receiptView(receipt) };
    }
    const reading = { object: answer.object, cause, evidence };
    const { payment, order } = locked;
    const { verdict, place } = await this.applier.apply(
      manager,
      locked,
      reading,
      await lockDue(manager, locked.payment.id),
    );
    await this.ledger.write(manager, { payment, order, after: null, totals: null, events: [], place });
    if (verdict.kind === 'anomaly') {
      if (verdict.inDoubt) return { open: { ...misfits(verdict.reason), kind: 'unclear' } };
      await raiseAnomaly(manager, this.database, locked.payment, verdict.reason, reading);
      return { open: misfits(verdict.reason) };
    }
    // Accepted but not done: the hold is still open, and the operation is not over until it is gone.
    const idle = cause !== 'create' && verdict.kind !== 'move' && !isFinal(locked.payment.status);
    const error = new Error(`The ${cause} is accepted and not done yet.`);
    return { open: idle ? { kind: 'unknown', error } : null };
  }

  /** It was closed as never received while its answer was on the way. */
  async answeredAfterAll(
    manager: EntityManager,
    { payment }: LockedPayment,
    { kind }: OperationEntity,
    answer: OperationAnswer,
  ): Promise<void> {
    if (kind === 'create' && answer.of === 'payment')
      await this.wronglyRejected.raise(manager, payment, answer.object, kind);
  }

  /**
   * The service definitely refused, or the request was never sent: a new payment or refund will never exist; a hold stays
   * unchanged.
   */
  async refuse(
    manager: EntityManager,
    locked: LockedPayment,
    { kind: cause, refundId, receiptId }: OperationEntity,
    error: PaymentsError,
  ): Promise<void> {
    const decided = { cause, evidence: { ...describeError(error) } };
    if (receiptId !== null) {
      await receiptRejected(manager, this.database, locked.payment, receiptId, cause);
    } else if (refundId !== null) {
      await this.refunds.reject(manager, locked, refundId, decided);
    } else if (cause === 'create') {
      await reject(manager, this.ledger, locked, decided);
    }
    await this.owedReceipts.settle(manager, locked, cause);
  }
}

function misfits(reason: string): Unsettled {
  return { kind: 'unknown', error: new Error(`The service's answer does not fit: ${reason}.`) };
}

/** What may be stored of an error: its code and the service's own words, never a body or a credential. */
export function describeError(error: unknown): object {
  if (error instanceof ServiceError) return { code: error.code, ...error.details };
  if (error instanceof PaymentsError) return { code: error.code };
  return { code: nameOf(error) ?? 'unknown' };
}
