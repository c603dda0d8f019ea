import { Inject, Injectable, Logger } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { Database } from '../database/database.js';
import { isExpiredHold } from '../holds/expired-hold.js';
import { holdDueAt } from '../holds/hold-plan.js';
import { isSentNoMore } from '../operations/key-age.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { sumOf } from '../operations/request-body.js';
import type { Cause } from '../payment/cause.js';
import type { LockedPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import type { PaymentStatus } from '../payment/payment-status.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { transition, type PaymentFields } from '../payment/transition.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { RefundApplier } from '../refunds/refund-applier.js';
import { RefundEntity } from '../refunds/refund.entity.js';
import type { RefundReading } from '../refunds/refund-reader.js';
import { unsettledRefundStatuses } from '../refunds/refund-status.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { raiseAnomaly } from './anomaly.js';
import { judge, type Verdict } from './judge.js';
import { nextCheckAt } from './poll-plan.js';

/** An object as the service gave it, and why we asked. */
export interface Reading {
  readonly object: ServicePayment;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
  /** What the same re-read says of its refunds; the answer to a POST says nothing. */
  readonly refunds?: RefundReading;
}

/** A list may lag behind the payment; after so many re-reads it contradicts it. */
const LOOKS_BEFORE_ANOMALY = 3;

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
    private readonly refunds: RefundApplier,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async apply(manager: EntityManager, locked: LockedPayment, reading: Reading): Promise<Verdict> {
    const { payment } = locked;
    const { object } = reading;
    const now = await this.database.businessTime(manager);
    const store = await manager.findOneByOrFail(StoreEntity, { id: payment.storeId });
    const verdict = judge(
      {
        status: payment.status,
        serviceId: payment.serviceId,
        amountMinor: payment.amountMinor,
        capture: payment.capture,
        capturedMinor: payment.capturedMinor,
        askedMinor: await this.#askedMinor(manager, payment, object, now),
        currency: payment.currency,
        accountId: store.accountId,
        test: payment.test ?? this.stores.isTest(store),
      },
      object,
    );
    if (verdict.kind === 'move') {
      const fields = this.#fields(payment, object, { status: verdict.to, checks: 0, now });
      const evidence = { serviceStatus: object.status, serviceId: object.id, ...reading.evidence };
      await transition(manager, this.database, locked, verdict.to, fields, {
        cause: reading.cause,
        evidence,
      });
      if (isExpiredHold(payment, object, now))
        await this.#tellExpired(manager, payment, object, reading.cause);
      Object.assign(locked, { payment: await manager.findOneByOrFail(PaymentEntity, { id: payment.id }) });
      await this.recorder.releaseSuperseded(manager, locked);
    } else if (verdict.kind === 'unchanged') {
      // A buyer who reloads the return page must not make the sweep look less often.
      const checks = reading.cause === 'refresh' ? payment.checks : payment.checks + 1;
      const fields = this.#fields(payment, object, { status: payment.status, checks, now });
      await manager.update(PaymentEntity, payment.id, {
        ...fields,
        checks,
        retryAt: null,
      });
    } else {
      const checks = payment.checks + 1;
      await manager.update(PaymentEntity, payment.id, {
        checks,
        nextCheckAt: nextCheckAt(payment, now, { checks }),
      });
    }
    const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
    if (locked.payment.status === 'succeeded')
      await this.#applyRefunds(manager, locked, reading, { fits, now });
    return verdict;
  }

  /** Where the service refused it for certain, or its key is too old, what is captured was captured elsewhere. */
  async #askedMinor(
    manager: EntityManager,
    { id: paymentId, status }: PaymentEntity,
    object: ServicePayment,
    now: Date,
  ): Promise<number | null> {
    if (object.status !== 'succeeded' || status === 'succeeded') return null;
    const capture = await manager.findOneBy(OperationEntity, {
      paymentId,
      kind: 'capture',
      outcome: 'unknown',
    });
    return capture === null || isSentNoMore(capture, now) ? null : sumOf(capture.body);
  }

  /** The service was faster than whoever had to see to the hold: the goods may be on their way, unpaid. */
  async #tellExpired(
    manager: EntityManager,
    payment: PaymentEntity,
    object: ServicePayment,
    cause: Cause,
  ): Promise<void> {
    const expiresAt = object.expiresAt ?? payment.holdExpiresAt;
    const evidence = { expiresAt, timeLeftMs: 0, cancellation: object.cancellation };
    await recordEvent(manager, this.database, aboutPayment(payment), {
      name: 'hold.expired',
      cause,
      evidence,
    });
    this.#logger.error(`The hold of payment ${payment.id} ran out: nothing was captured.`);
  }

  async #applyRefunds(
    manager: EntityManager,
    locked: LockedPayment,
    reading: Reading,
    { fits, now }: { fits: boolean; now: Date },
  ): Promise<void> {
    const { object, cause, refunds } = reading;
    if (fits && refunds) await this.refunds.applyReading(manager, locked, refunds, cause);
    const payment = await manager.findOneByOrFail(PaymentEntity, { id: locked.payment.id });
    const { refundedMinor, refundHints, refundHintsHandled, checks } = payment;
    const unsettled = await this.#unsettledRefunds(manager, payment);
    // Pending ones may count there already; those in flight too, unless the list, read after the object, does not show them.
    const inFlight = unsettled.filter(({ status }) => !refunds?.listed || status === 'pending');
    const inFlightMinor = inFlight.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const differs =
      fits && (object.refundedMinor < refundedMinor || object.refundedMinor > refundedMinor + inFlightMinor);
    if (differs && refunds?.listed && checks >= LOOKS_BEFORE_ANOMALY) {
      const reason = `${object.refundedMinor} minor units are said to be refunded, and the refunds add up to ${refundedMinor}`;
      await raiseAnomaly(manager, this.database, payment, reason, reading);
    }
    const askedMeanwhile = refundHints > (refunds?.hints ?? refundHintsHandled);
    if (askedMeanwhile) {
      await manager.update(PaymentEntity, payment.id, { nextCheckAt: now });
    } else if (differs || refundHints > refundHintsHandled || unsettled.length > 0) {
      await manager.update(PaymentEntity, payment.id, {
        nextCheckAt: nextCheckAt(payment, now, { refundsOpen: true }),
      });
    }
  }

  #unsettledRefunds(manager: EntityManager, { id: paymentId }: PaymentEntity): Promise<RefundEntity[]> {
    return manager.findBy(RefundEntity, { paymentId, status: In([...unsettledRefundStatuses]) });
  }

  #fields(
    payment: PaymentEntity,
    object: ServicePayment,
    { status, checks, now }: { status: PaymentStatus; checks: number; now: Date },
  ): PaymentFields {
    const dueAt = this.#planHold(payment, object, { status, now });
    const held = status === 'waiting_for_capture';
    const taken = status === 'succeeded';
    return {
      serviceId: object.id,
      test: object.test ?? payment.test,
      authorizedMinor: held || taken ? payment.amountMinor : payment.authorizedMinor,
      capturedMinor: taken ? object.amountMinor : payment.capturedMinor,
      confirmationUrl: object.confirmationUrl ?? payment.confirmationUrl,
      holdExpiresAt: object.expiresAt ?? payment.holdExpiresAt,
      holdDueAt: dueAt,
      // Planned anew, it is told anew.
      holdTries: dueAt === payment.holdDueAt ? payment.holdTries : 0,
      cancellation: object.cancellation ?? payment.cancellation,
      object: object.kept,
      nextCheckAt: nextCheckAt(payment, now, { status, checks, holdDueAt: dueAt }),
    };
  }

  /** Planned once, when it is found, and again where the service names another end. */
  #planHold(
    payment: PaymentEntity,
    { expiresAt }: ServicePayment,
    { status, now }: { status: PaymentStatus; now: Date },
  ): Date | null {
    if (status !== 'waiting_for_capture') return null;
    const moved = expiresAt !== null && expiresAt.getTime() !== payment.holdExpiresAt?.getTime();
    if (payment.status === status && !moved) return payment.holdDueAt;
    if (payment.supersededAt !== null) return now;
    return holdDueAt(expiresAt, now, this.options.holdLeadTimeMs);
  }
}
