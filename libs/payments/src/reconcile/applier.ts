import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import type { Cause } from '../payment/cause.js';
import { EventEntity } from '../payment/event.entity.js';
import type { LockedPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import type { PaymentStatus } from '../payment/payment-status.js';
import { recordEvent, transition, updateOrderTotals, type PaymentFields } from '../payment/transition.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { judge, type Verdict } from './judge.js';
import { nextCheckDelayMs } from './poll-plan.js';

/** An object as the service gave it, and why we asked. */
export interface Reading {
  readonly object: ServicePayment;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
}

/**
 * Applies what the service said to a locked payment, whether it said it in a re-read or in the answer to a POST.
 */
@Injectable()
export class Applier {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly recorder: OperationRecorder,
  ) {}

  async apply(manager: EntityManager, locked: LockedPayment, reading: Reading): Promise<Verdict> {
    const { payment } = locked;
    const { object } = reading;
    const store = await manager.findOneByOrFail(StoreEntity, { id: payment.storeId });
    const verdict = judge(
      {
        status: payment.status,
        serviceId: payment.serviceId,
        amountMinor: payment.amountMinor,
        capture: payment.capture,
        capturedMinor: payment.capturedMinor,
        currency: payment.currency,
        accountId: store.accountId,
        test: payment.test ?? this.stores.isTest(store),
      },
      object,
    );
    if (verdict.kind === 'move') {
      const fields = this.#fields(payment, object, verdict.to, 0);
      const evidence = { serviceStatus: object.status, serviceId: object.id, ...reading.evidence };
      await transition(manager, this.database, locked, verdict.to, fields, {
        cause: reading.cause,
        evidence,
      });
      Object.assign(locked, { payment: await manager.findOneByOrFail(PaymentEntity, { id: payment.id }) });
      await this.recorder.releaseSuperseded(manager, locked);
    } else if (verdict.kind === 'unchanged') {
      // A buyer who reloads the return page must not make the sweep look less often.
      const checks = reading.cause === 'refresh' ? payment.checks : payment.checks + 1;
      const fields = this.#fields(payment, object, payment.status, checks);
      await manager.update(PaymentEntity, payment.id, {
        ...fields,
        checks,
        retryAt: null,
      });
      if (object.refundedMinor > payment.refundedMinor) {
        const { cause } = reading;
        await updateOrderTotals(manager, this.database, locked.order, {
          paymentId: payment.id,
          cause,
          supersededPaid: false,
        });
      }
    } else {
      await this.#lookAgain(manager, payment);
    }
    return verdict;
  }

  /** Records an anomaly once per reason and tells the operator. It is applied to nothing. */
  async raiseAnomaly(
    manager: EntityManager,
    payment: PaymentEntity,
    reason: string,
    { cause, object }: Pick<Reading, 'cause'> & Partial<Reading>,
  ): Promise<void> {
    const known = await manager
      .createQueryBuilder(EventEntity, 'event')
      .where(
        `event.paymentId = :paymentId AND event.name = 'payment.anomaly' AND event.evidence ->> 'reason' = :reason`,
        {
          paymentId: payment.id,
          reason,
        },
      )
      .getExists();
    if (known) return;
    await recordEvent(manager, this.database, payment.id, {
      name: 'payment.anomaly',
      cause,
      evidence: { reason, ...(object && { serviceStatus: object.status, serviceId: object.id }) },
    });
    this.#logger.error(`Payment ${payment.id} needs a person: ${reason}. Nothing was applied.`);
  }

  async #lookAgain(manager: EntityManager, payment: PaymentEntity): Promise<void> {
    const checks = payment.checks + 1;
    await manager.update(PaymentEntity, payment.id, {
      checks,
      nextCheckAt: this.#nextCheck(payment.status, checks),
    });
  }

  #fields(
    payment: PaymentEntity,
    object: ServicePayment,
    status: PaymentStatus,
    checks: number,
  ): PaymentFields {
    const held = status === 'waiting_for_capture';
    const taken = status === 'succeeded';
    return {
      serviceId: object.id,
      test: object.test ?? payment.test,
      authorizedMinor: held || taken ? payment.amountMinor : payment.authorizedMinor,
      capturedMinor: taken ? object.amountMinor : payment.capturedMinor,
      refundedMinor: Math.max(payment.refundedMinor, taken ? object.refundedMinor : 0),
      confirmationUrl: object.confirmationUrl ?? payment.confirmationUrl,
      holdExpiresAt: object.expiresAt ?? payment.holdExpiresAt,
      cancellation: object.cancellation ?? payment.cancellation,
      object: object.raw,
      nextCheckAt: this.#nextCheck(status, checks),
    };
  }

  #nextCheck(status: PaymentStatus, checks: number): () => string {
    const delayMs = nextCheckDelayMs(status, checks);
    return () => (delayMs === null ? 'NULL' : plusMs(this.database.now, delayMs));
  }
}
