import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceCredentialsError, ServiceError, ServiceForbiddenError } from '../api/service-errors.js';
import type { ServicePayment } from '../api/service-payment.js';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { isFinal } from '../payment/payment-status.js';
import { transition } from '../payment/transition.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { Applier } from '../reconcile/applier.js';
import { attemptRequest, type AttemptResult } from './attempt.js';
import { mayResend } from './key-age.js';
import { OperationEntity, type OperationOutcome } from './operation.entity.js';

export type SendResult =
  | { readonly kind: 'settled'; readonly outcome: 'confirmed' | 'refused'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown }
  /** Another sender has the request in flight. */
  | { readonly kind: 'busy' }
  /** Its key is too old to be used again: only reading and listing can tell what became of it. */
  | { readonly kind: 'expired' };

/** A claimed operation: `attempts` is the fence its answer must still find. */
interface Claim {
  readonly operation: OperationEntity;
  readonly payment: PaymentEntity;
  readonly earlierUnknown: boolean;
}

/** Sends recorded operations and settles them: counted before each attempt, settled by the newest one alone. */
@Injectable()
export class OperationSender {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly applier: Applier,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Sends the operation under its stored key, unless it is settled, too old, or another sender has it. What the
   * service will not do for the sweep is told to the operator: there is no caller who would learn of it.
   */
  async send(operationId: string, sentBy: 'caller' | 'sweep'): Promise<SendResult> {
    const { manager } = this.database.dataSource;
    const { outcome, firstSentAt } = await manager.findOneByOrFail(OperationEntity, { id: operationId });
    if (outcome === 'confirmed' || outcome === 'refused') return { kind: 'settled', outcome, error: null };
    if (!mayResend(firstSentAt, await this.database.businessTime())) return { kind: 'expired' };
    const claim = await this.#claim(manager, operationId);
    if (!claim) return { kind: 'busy' };
    const result = await attemptRequest(() => this.#request(claim), {
      earlierUnknown: claim.earlierUnknown,
      // A repeat that starts later than this could outlive the call it is made for.
      startBeforeMs: this.options.callDeadlineMs - this.options.requestTimeoutMs,
    });
    return this.#settle(claim, result, sentBy);
  }

  /**
   * Counts the attempt and marks it of unknown fate, committed before the request leaves. One statement: two
   * senders that come at once cannot both get it.
   */
  async #claim(manager: EntityManager, operationId: string): Promise<Claim | null> {
    const [rows] = await this.database.transaction((own) =>
      own.query<[{ prior: OperationOutcome | null }[], number]>(
        `UPDATE ${this.database.table(OperationEntity)} operation
       SET attempts = operation.attempts + 1, outcome = 'unknown',
           first_sent_at = COALESCE(operation.first_sent_at, ${this.database.now}), last_sent_at = ${this.database.now},
           lease_until = ${plusMs('clock_timestamp()', this.options.leaseMs)}
       FROM (SELECT id, outcome FROM ${this.database.table(OperationEntity)} WHERE id = $1 FOR NO KEY UPDATE) before
       WHERE operation.id = before.id
         AND (operation.outcome IS NULL OR operation.outcome = 'unknown')
         AND (operation.lease_until IS NULL OR operation.lease_until <= clock_timestamp())
       RETURNING before.outcome AS prior`,
        [operationId],
      ),
    );
    const [row] = rows;
    if (!row) return null;
    const operation = await manager.findOneByOrFail(OperationEntity, { id: operationId });
    const payment = await manager.findOneByOrFail(PaymentEntity, { id: operation.paymentId });
    return { operation, payment, earlierUnknown: row.prior === 'unknown' };
  }

  #request({ operation, payment }: Claim): Promise<ServicePayment> {
    const { kind } = operation;
    if (kind === 'create') return this.api.createPayment(operation);
    if (payment.serviceId === null)
      throw new Error(`Payment ${payment.id} cannot be finished before the service knows it.`);
    return kind === 'capture'
      ? this.api.capturePayment(payment.serviceId, operation)
      : this.api.cancelPayment(payment.serviceId, operation);
  }

  #settle(
    claim: Claim,
    result: AttemptResult<ServicePayment>,
    sentBy: 'caller' | 'sweep',
  ): Promise<SendResult> {
    return this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, claim.payment.id);
      const operation = await manager.findOneOrFail(OperationEntity, {
        where: { id: claim.operation.id },
        lock: { mode: 'for_no_key_update' },
      });
      if (operation.outcome === 'confirmed' || operation.outcome === 'refused') {
        return { kind: 'settled', outcome: operation.outcome, error: null };
      }
      // Another sender took over when our lease ran out: this answer is its to give.
      if (operation.attempts !== claim.operation.attempts) return { kind: 'busy' };
      if (result.kind === 'answered') {
        const reading = {
          object: result.answer,
          cause: operation.kind,
          evidence: { attempt: operation.attempts },
        };
        const verdict = await this.applier.apply(manager, locked, reading);
        if (verdict.kind === 'anomaly') {
          await this.applier.raiseAnomaly(manager, locked.payment, verdict.reason, reading);
          await this.#release(manager, operation, 'unknown', null);
          return {
            kind: 'unknown',
            error: new Error(`The service's answer does not fit: ${verdict.reason}.`),
          };
        }
        // Accepted but not done: the hold still stands, and the operation is not over before it is gone.
        if (operation.kind !== 'create' && verdict.kind !== 'move' && !isFinal(locked.payment.status)) {
          await this.#release(manager, operation, 'unknown', null);
          return { kind: 'unknown', error: new Error(`The ${operation.kind} is accepted and not done yet.`) };
        }
        await this.#release(manager, operation, 'confirmed', null);
        return { kind: 'settled', outcome: 'confirmed', error: null };
      }
      if (result.kind === 'refused') {
        if (operation.kind !== 'create' && sentBy === 'sweep') {
          const reason = `the service refused the ${operation.kind}: ${result.error.message}`;
          await this.applier.raiseAnomaly(manager, locked.payment, reason, { cause: operation.kind });
          // Credentials or a permission that are wrong now say nothing against the operation: it goes on once they are mended.
          if (
            result.error instanceof ServiceCredentialsError ||
            result.error instanceof ServiceForbiddenError
          ) {
            await this.#release(manager, operation, null, result.error);
            return { kind: 'unknown', error: result.error };
          }
        }
        if (operation.kind === 'create') {
          const evidence = { ...describeError(result.error) };
          await transition(
            manager,
            this.database,
            locked,
            'rejected',
            { nextCheckAt: null },
            { cause: 'create', evidence },
          );
        }
        await this.#release(manager, operation, 'refused', result.error);
        return { kind: 'settled', outcome: 'refused', error: result.error };
      }
      await this.#release(manager, operation, result.kind === 'deferred' ? null : 'unknown', result.error);
      return { kind: 'unknown', error: result.error };
    });
  }

  async #release(
    manager: EntityManager,
    { id }: OperationEntity,
    outcome: OperationOutcome | null,
    error: unknown,
  ): Promise<void> {
    const settled = outcome === 'confirmed' || outcome === 'refused';
    await manager.update(OperationEntity, id, {
      outcome,
      leaseUntil: null,
      settledAt: () => (settled ? this.database.now : 'NULL'),
      lastError: error === null ? null : describeError(error),
    });
  }
}

/** What may be stored of an error: its code and the service's own words, never a body or a credential. */
export function describeError(error: unknown): object {
  if (error instanceof ServiceError) return { code: error.code, ...error.details };
  return { code: error instanceof Error ? error.name : 'unknown' };
}
