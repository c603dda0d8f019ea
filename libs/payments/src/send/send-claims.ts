import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { thisMoment } from '../common/moment.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { boundId } from '../operations/bound-id.js';
import { mayResend } from '../operations/key-age.js';
import { isRefused } from '../operations/refused-operation.js';
import { disagreement } from '../operations/request-agrees.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import type { Answered } from './answers.js';

/** A recorded operation, and what of its rows it contradicts. */
export interface Contradiction {
  readonly operation: PaymentsOperationEntity;
  readonly payment: PaymentsPaymentEntity;
  readonly contradicted: string;
}

/** Its key is too old or was refused, or its body is stored nowhere: only reading and listing can find its outcome. */
export interface Expired {
  readonly kind: 'expired';
}

/** Claims recorded operations, each for one attempt. */
@Injectable()
export class SendClaims {
  constructor(
    private readonly database: Database,
    private readonly attempts: AttemptWatch,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Counts the attempt and marks its outcome as unknown, committed before the request is sent. Decided and counted under the
   * operation's lock: of two simultaneous senders one gets it, and no key becomes too old in between.
   */
  take(operationId: string, hasBody: boolean): Promise<SendClaim | Contradiction | Answered | Expired> {
    return this.database.transaction((manager) => this.#take(manager, operationId, hasBody));
  }

  async #take(
    manager: EntityManager,
    operationId: string,
    hasBody: boolean,
  ): Promise<SendClaim | Contradiction | Answered | Expired> {
    const begunAt = thisMoment();
    const { operation, isFree } = await this.#lock(manager, operationId);
    const { outcome } = operation;
    if (outcome === 'confirmed' || outcome === 'refused') return { kind: 'settled', outcome, error: null };
    if (!isFree) return { kind: 'busy' };
    await this.gate.mustBeConfirmedIn(manager);
    if (!(operation.resendable || hasBody) || (await this.#isSpent(manager, operation)))
      return { kind: 'expired' };
    const payment = await manager.findOneByOrFail(PaymentsPaymentEntity, { id: operation.paymentId });
    const contradicted = await this.#disagreement(manager, operation, payment);
    if (contradicted !== null) return { operation, payment, contradicted };
    const attempts = operation.attempts + 1;
    await manager.update(PaymentsOperationEntity, operationId, {
      attempts,
      outcome: 'unknown',
      ...(operation.firstSentAt === null && { firstSentAt: () => this.database.now }),
      lastSentAt: () => this.database.now,
      leaseUntil: () => leaseEnd(this.options.leaseMs),
      // The error of an earlier attempt says nothing about this one, should its answer be lost.
      lastError: null,
    });
    return { operation, payment, attempts, earlierUnknown: outcome === 'unknown', begunAt };
  }

  /** A refused refund may be requested again by its caller; a re-read decides what its payment waits for. */
  async #isSpent(manager: EntityManager, operation: PaymentsOperationEntity): Promise<boolean> {
    const { kind, firstSentAt } = operation;
    const now = await this.database.businessTime(manager);
    const keyUsedMs = this.attempts.keyUsedForMs(operation);
    if (!mayResend(operation, now, keyUsedMs) || (kind !== 'refund' && isRefused(operation))) return true;
    // A second capture or cancel would be refused, and a hold does not wait.
    const isRepeatable = kind === 'refund' || kind === 'receipt';
    return isRepeatable && firstSentAt === null && (await this.gate.mayHaveBeenSent(manager, operation));
  }

  /** What the events say of the payment of the service that the row names. */
  boundId(payment: PaymentsPaymentEntity): ReturnType<typeof boundId> {
    return this.database.read((from) => boundId(from, this.database, payment));
  }

  /** What of its rows a recorded request contradicts; null: none. */
  async #disagreement(
    manager: EntityManager,
    operation: PaymentsOperationEntity,
    payment: PaymentsPaymentEntity,
  ): Promise<string | null> {
    const { receiptId } = operation;
    const receipt =
      receiptId === null ? null : await manager.findOneBy(PaymentsReceiptEntity, { id: receiptId });
    const refundId = operation.refundId ?? receipt?.refundId ?? null;
    const refund = refundId === null ? null : await manager.findOneBy(PaymentsRefundEntity, { id: refundId });
    return disagreement({ operation, payment, refund, receipt }, this.options.profile);
  }

  async #lock(
    manager: EntityManager,
    operationId: string,
  ): Promise<{ operation: PaymentsOperationEntity; isFree: boolean }> {
    const { raw, entities } = await manager
      .createQueryBuilder(PaymentsOperationEntity, 'operation')
      .addSelect(isOver('operation.leaseUntil'), 'free')
      .where({ id: operationId })
      .setLock('for_no_key_update')
      .getRawAndEntities<{ free: boolean }>();
    const [operation] = entities;
    if (!operation) throw new Error(`There is no operation ${operationId}.`);
    return { operation, isFree: raw[0]?.free === true };
  }
}
