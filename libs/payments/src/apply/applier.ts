import { Inject, Injectable, Logger } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { isRefundUnsettled } from '../common/refund-status.js';
import { Database } from '../database/database.js';
import { isExpiredHold } from '../holds/hold-plan.js';
import { isSentNoMore } from '../operations/key-age.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { sumOf } from '../operations/request-body.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { NextLook } from '../payment/due.js';
import type { LockedPayment } from '../payment/locks.js';
import { openRefunds } from '../payment/open-refunds.js';
import { reportReceipt } from '../payment/receipt-status.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { transition } from '../payment/status-writer.js';
import { openReceiptStatuses } from '../receipts/own-receipt.js';
import type { DueEntity } from '../schema/due.entity.js';
import { OperationEntity } from '../schema/operation.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import { RefundEntity } from '../schema/refund.entity.js';
import { StoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { raiseAnomaly } from './anomaly.js';
import { changeOf } from './change-of.js';
import type { ListedRefunds } from './judge-refunds.js';
import { judge, type Verdict } from './judge.js';
import { nextCheckAt, termMsOf } from './poll-plan.js';
import { isReceiptLate } from './receipt-news.js';
import { RefundApplier } from './refund-applier.js';

/** An object of the service, and the cause of the request. */
export interface Reading {
  readonly object: ServicePayment;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
  /** What the same re-read says of its refunds; the answer to a POST says nothing. */
  readonly refunds?: ListedRefunds;
}

/** The result, and when to look again. */
interface Applied {
  readonly verdict: Verdict;
  readonly next: NextLook;
}

/** A list may lag behind the payment; after this many re-reads it contradicts it. */
const LOOKS_BEFORE_ANOMALY = 3;

/** Applies the service's object to a locked payment, whether it came from a re-read or as the answer to a POST. */
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

  /** `due`: the payment's place in the queue, locked; null if it has none. */
  async apply(
    manager: EntityManager,
    locked: LockedPayment,
    reading: Reading,
    due: Pick<DueEntity, 'checks' | 'refundSignals'> | null,
  ): Promise<Applied> {
    const { payment } = locked;
    const { checks: checksBefore, refundSignals } = due ?? { checks: 0, refundSignals: 0 };
    const { object } = reading;
    const { receiptStatus: before } = payment;
    const now = await this.database.businessTime(manager);
    const store = await manager.findOneByOrFail(StoreEntity, { id: payment.storeId });
    const verdict = judge(
      {
        status: payment.status,
        serviceId: payment.serviceId,
        amountMinor: payment.amountMinor,
        authorizedMinor: payment.authorizedMinor,
        capture: payment.capture,
        capturedMinor: payment.capturedMinor,
        askedMinor: await this.#askedMinor(manager, payment, object, now),
        currency: payment.currency,
        accountId: store.accountId,
        test: payment.test ?? this.stores.isTest(store),
      },
      object,
    );
    const { profile, holdLeadTimeMs: leadTimeMs } = this.options;
    const terms = { now, leadTimeMs, profile };
    let checks = checksBefore + 1;
    if (verdict.kind === 'move') {
      checks = 0;
      const fields = changeOf(payment, object, { status: verdict.to, ...terms });
      const evidence = { serviceStatus: object.status, serviceId: object.id, ...reading.evidence };
      await transition(manager, this.database, locked, verdict.to, fields, {
        cause: reading.cause,
        evidence,
      });
      if (isExpiredHold(payment, object, now))
        await this.#reportExpired(manager, payment, object, reading.cause);
      Object.assign(locked, { payment: await manager.findOneByOrFail(PaymentEntity, { id: payment.id }) });
      await this.recorder.releaseSuperseded(manager, locked);
    } else if (verdict.kind === 'unchanged') {
      // A buyer who reloads the return page must not make the sweep look less often.
      if (reading.cause === 'refresh') checks = checksBefore;
      const fields = changeOf(payment, object, { status: payment.status, ...terms });
      await manager.update(PaymentEntity, payment.id, fields);
      Object.assign(payment, fields);
    }
    const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
    if (fits) await this.#reportReceipt(manager, locked.payment, before, now, reading.cause);
    const refundsOpen =
      locked.payment.status === 'succeeded' &&
      (await this.#applyRefunds(manager, locked, reading, { fits, checks, refundSignals }));
    const termMs = termMsOf(locked.payment, profile);
    const receiptOpen = await this.#followReceipts(manager, locked.payment, now, reading.cause);
    const at = nextCheckAt(locked.payment, now, { checks, refundsOpen, receiptOpen, termMs });
    return { verdict, next: { at, checks } };
  }

  #reportReceipt(
    manager: EntityManager,
    payment: PaymentEntity,
    before: PaymentEntity['receiptStatus'],
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const isLate = isReceiptLate(payment, { now, lateMs: this.options.receiptLateMs });
    const registration = { before, after: payment.receiptStatus, isLate, cause };
    return reportReceipt(manager, this.database, { payment, refund: null }, registration);
  }

  /** If the service definitely refused it, or its key is too old, what is captured was captured elsewhere. */
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

  /** The service was faster than the person or policy in charge of the hold: the goods may be on their way, unpaid. */
  async #reportExpired(
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

  /** Whether not all is known of the payment's refunds. */
  async #applyRefunds(
    manager: EntityManager,
    locked: LockedPayment,
    reading: Reading,
    { fits, checks, refundSignals }: { fits: boolean; checks: number; refundSignals: number },
  ): Promise<boolean> {
    const { object, cause, refunds } = reading;
    if (fits && refunds) await this.refunds.applyReading(manager, locked, refunds, cause);
    const { payment } = locked;
    const { refundedMinor } = payment;
    const open = await this.#openRefunds(manager, payment);
    const unsettled = open.filter(({ status }) => isRefundUnsettled(status));
    // The service may already count pending ones; those in flight too, unless the list, read after the object, does not show
    // them.
    const inFlight = unsettled.filter(({ status }) => !refunds?.listed || status === 'pending');
    const inFlightMinor = inFlight.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const differs =
      fits && (object.refundedMinor < refundedMinor || object.refundedMinor > refundedMinor + inFlightMinor);
    if (differs && refunds?.listed && checks >= LOOKS_BEFORE_ANOMALY) {
      const reason = `the service reports ${object.refundedMinor} minor units as refunded, and the refunds add up to ${refundedMinor}`;
      await raiseAnomaly(manager, this.database, payment, reason, reading);
    }
    return differs || refundSignals > (refunds?.signals ?? 0) || open.length > 0;
  }

  /** Whether any that is sent by itself is still on its way. One that cannot be sent is late too. */
  async #followReceipts(
    manager: EntityManager,
    payment: PaymentEntity,
    now: Date,
    cause: Cause,
  ): Promise<boolean> {
    if (!this.options.profile.receipts) return false;
    const status = In([...openReceiptStatuses]);
    const open = await manager.findBy(ReceiptEntity, { paymentId: payment.id, status });
    for (const receipt of open.filter((one) => one.status === 'submitting')) {
      const isLate = isReceiptLate(receipt, { now, lateMs: this.options.receiptLateMs });
      const refund = receipt.refundId === null ? null : { id: receipt.refundId };
      const registration = { before: null, after: 'pending', isLate, cause } as const;
      await reportReceipt(manager, this.database, { payment, refund, receipt }, registration);
    }
    return open.length > 0;
  }

  /** Whose money or receipt is on its way. */
  #openRefunds(manager: EntityManager, { id: paymentId }: PaymentEntity): Promise<RefundEntity[]> {
    return manager.findBy(RefundEntity, openRefunds(paymentId));
  }
}
