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
import { PaymentClosedError, PaymentsError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import type { Change, Written } from '../payment/change.js';
import { lockDue } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import type { LockedPayment } from '../payment/locks.js';
import { receiptRejected, receiptSeen } from '../payment/receipts/own-receipt-status.js';
import { reject } from '../payment/status-change.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
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

/** What its sender learns of an answer that came too late. */
type AnsweredAfterAll =
  | Unsettled
  | { readonly kind: 'late'; readonly error: PaymentClosedError }
  | { readonly kind: 'settled'; readonly outcome: 'confirmed'; readonly error: null };

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

  /** Writes the change that an answer makes by itself; null: something came in between. */
  offer(change: Change): Promise<Written | null> {
    return this.ledger.offer(change);
  }

  /**
   * Applies the service's answer. `open`: why the operation is not over with it; `refund`: the operation's refund, as it is now.
   */
  async confirm(
    manager: EntityManager,
    locked: LockedPayment,
    operation: PaymentsOperationEntity,
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
      const receipt = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId ?? '' });
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

  /**
   * It was closed as without effect while its answer was on the way. What the answer says is written as far as it still can be, and
   * never told as a refusal.
   */
  async answeredAfterAll(
    manager: EntityManager,
    locked: LockedPayment,
    operation: PaymentsOperationEntity,
    answer: OperationAnswer,
  ): Promise<AnsweredAfterAll> {
    const { payment } = locked;
    const { kind } = operation;
    if (kind === 'create' && answer.of === 'payment') {
      const { id, status } = answer.object;
      await this.wronglyRejected.raise(manager, payment, answer.object, kind);
      return { kind: 'late', error: new PaymentClosedError(payment.id, id, status) };
    }
    const { open } =
      answer.of === 'receipt' ? { open: null } : await this.confirm(manager, locked, operation, answer);
    if (answer.of === 'payment') return open ?? { kind: 'settled', outcome: 'confirmed', error: null };
    const reason = `its ${kind} is closed as never received, but the service has it as ${answer.object.id}`;
    await raiseAnomaly(manager, this.database, payment, reason, { cause: kind });
    return { kind: 'unknown', error: new Error(reason) };
  }

  /**
   * The service definitely refused, or the request was never sent: a new payment or refund will never exist; a hold stays
   * unchanged.
   */
  async refuse(
    manager: EntityManager,
    locked: LockedPayment,
    { kind: cause, refundId, receiptId }: PaymentsOperationEntity,
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
