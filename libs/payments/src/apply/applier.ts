import { Inject, Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { valueFromMinor } from '../common/money.js';
import { isFinal } from '../common/payment-status.js';
import { isRefundUnsettled } from '../common/refund-status.js';
import { Database } from '../database/database.js';
import { hasRoomFor } from '../operations/found-try.js';
import { isOnlyLookedUp } from '../operations/key-age.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { sumOf } from '../operations/request-body.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Place } from '../payment/change.js';
import { Ledger } from '../payment/ledger.js';
import type { LockedPayment } from '../payment/locks.js';
import { toShow } from '../payment/order-payments.js';
import { reportReceipt, closeProblem } from '../payment/receipts/receipt-status.js';
import { openRefunds } from '../payment/refunds/open-refunds.js';
import { openReceiptStatuses } from '../receipts/own-receipt.js';
import type { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { raiseAnomaly } from './anomaly.js';
import { decide } from './decide.js';
import type { Verdict } from './judge.js';
import { nextCheckAt, termMsOf } from './poll-plan.js';
import { OwedReceipts } from './receipts/owed-receipts.js';
import { ReceiptApplier, type SeenReceipt } from './receipts/receipt-applier.js';
import { isReceiptLate, receiptNeed } from './receipts/receipt-news.js';
import type { ListedRefunds } from './refunds/judge-refunds.js';
import { RefundApplier } from './refunds/refund-applier.js';

/** An object of the service, and the cause of the request. */
export interface Reading {
  readonly object: ServicePayment;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
  /** What the same re-read says of its refunds; the answer to a POST says nothing. */
  readonly refunds?: ListedRefunds;
  /** And of receipts of its own. */
  readonly receipts?: readonly SeenReceipt[];
}

/** The result, and when to look again. */
interface Applied {
  readonly verdict: Verdict;
  readonly place: Place;
}

/** A list may lag behind the payment; after this many re-reads it contradicts it. */
const LOOKS_BEFORE_ANOMALY = 3;

/** Applies the service's object to a locked payment, whether it came from a re-read or as the answer to a POST. */
@Injectable()
export class Applier {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly stores: StoreRegistry,
    private readonly recorder: OperationRecorder,
    private readonly refunds: RefundApplier,
    private readonly receipts: ReceiptApplier,
    private readonly owed: OwedReceipts,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** `due`: the payment's place in the queue, locked; null if it has none. */
  async apply(
    manager: EntityManager,
    locked: LockedPayment,
    reading: Reading,
    due: Pick<PaymentsDueEntity, 'checks' | 'refundSignals'> | null,
  ): Promise<Applied> {
    const { payment, order } = locked;
    const { checks: checksBefore, refundSignals } = due ?? { checks: 0, refundSignals: 0 };
    const { object, cause } = reading;
    const { receiptStatus, status, authorizedMinor } = payment;
    const before = { receiptStatus, status, authorizedMinor };
    const isKept = await this.#isKept(manager, locked, object);
    // The tries were of its release; its end is still to be reported.
    if (isKept) Object.assign(payment, { supersededAt: null, holdTries: 0 });
    const now = await this.database.businessTime(manager);
    const store = await manager.findOneByOrFail(PaymentsStoreEntity, { id: payment.storeId });
    const { profile, holdLeadTimeMs: leadTimeMs, unsettledAfterMs } = this.options;
    const { verdict, change } = decide(
      {
        payment,
        order,
        accountId: store.accountId,
        isTest: await this.#isTest(manager, store, locked, object),
        askedMinor: await this.#askedMinor(manager, payment, object, now),
      },
      object,
      reading,
      { now, leadTimeMs, profile, unsettledAfterMs },
    );
    await this.receipts.apply(manager, payment, reading.receipts ?? [], cause);
    if (change) await this.ledger.write(manager, change);
    else if (isKept && verdict.kind === 'unchanged')
      await this.ledger.write(manager, { payment, order, after: payment, totals: null, events: [] });
    if (verdict.kind === 'move') await this.recorder.releaseSuperseded(manager, locked);
    // A buyer who reloads the return page must not make the sweep look less often.
    const isReload = verdict.kind === 'unchanged' && cause === 'refresh';
    const checks = verdict.kind === 'move' ? 0 : isReload ? checksBefore : checksBefore + 1;
    const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
    if (fits) await this.#reportReceipt(manager, payment, before, now, cause);
    const refundsOpen =
      payment.status === 'succeeded' &&
      (await this.#applyRefunds(manager, locked, reading, { fits, checks, refundSignals }));
    const termMs = termMsOf(payment, profile);
    const receiptOpen = await this.#followReceipts(manager, payment, now, cause);
    const at = nextCheckAt(payment, now, { checks, refundsOpen, receiptOpen, termMs });
    await this.owed.settle(manager, locked, cause);
    return { verdict, place: { at, checks, checksBefore } };
  }

  /** An object of another store is an anomaly, and says nothing of this one. */
  #isTest(
    manager: EntityManager,
    store: PaymentsStoreEntity,
    { payment }: Pick<LockedPayment, 'payment'>,
    { accountId, test }: ServicePayment,
  ): Promise<boolean | null> {
    const isOfStore = accountId === null || accountId === store.accountId;
    return this.stores.isTestAsAnswered(manager, store, payment.test ?? (isOfStore ? test : null));
  }

  /**
   * Given up because of a newer try that was found again, and beside that one it is wanted all the same: it was paid before the newer
   * one was opened, for the rest of the order.
   */
  async #isKept(
    manager: EntityManager,
    { payment, order }: LockedPayment,
    { status }: ServicePayment,
  ): Promise<boolean> {
    const isPaid = status === 'waiting_for_capture' || status === 'succeeded';
    if (payment.supersededAt === null || isFinal(payment.status) || !isPaid) return false;
    if (!hasRoomFor(payment, order, await toShow(manager, this.database, order))) return false;
    const { id: paymentId } = payment;
    const given = { paymentId, name: 'payment.superseded' } as const;
    const causes = await manager.find(PaymentsEventEntity, { select: { cause: true }, where: given });
    // What its host has replaced since is given up, whatever room there is.
    return causes.length > 0 && causes.every(({ cause }) => cause === 'recovery');
  }

  async #reportReceipt(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    was: Pick<PaymentsPaymentEntity, 'receiptStatus' | 'status' | 'authorizedMinor'>,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const { receiptStatus: after } = payment;
    if (after === null) return;
    const of = { payment, refund: null };
    const need = receiptNeed(payment);
    // What was never registered needs no return either, once its hold is let go.
    const isLetGo =
      was.receiptStatus === 'canceled' && was.status !== payment.status && payment.status === 'canceled';
    if (need === 'none' || isLetGo) await closeProblem(manager, this.database, of, cause);
    // What was registered is a fact, also of money that was let go before anybody here knew that it was held.
    if (need !== 'needed' && after === 'canceled') return;
    if (need === 'none' && after === 'pending') return;
    const isUntold = was.receiptStatus === 'canceled' && receiptNeed(was) === 'not-yet';
    const before = isUntold ? null : was.receiptStatus;
    const isLate = isReceiptLate(payment, { now, lateMs: this.options.receiptLateMs });
    await reportReceipt(manager, this.database, of, { before, after, isLate, cause });
  }

  /** If the service definitely refused it, or its key is too old and the sum another, what is captured was captured elsewhere. */
  async #askedMinor(
    manager: EntityManager,
    { id: paymentId, status }: PaymentsPaymentEntity,
    object: ServicePayment,
    now: Date,
  ): Promise<number | null> {
    if (object.status !== 'succeeded' || status === 'succeeded') return null;
    const capture = await manager.findOneBy(PaymentsOperationEntity, {
      paymentId,
      kind: 'capture',
      outcome: 'unknown',
    });
    if (capture === null) return null;
    const askedMinor = sumOf(capture.body);
    return askedMinor !== object.amountMinor && isOnlyLookedUp(capture, now) ? null : askedMinor;
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
      const reason = `the service reports ${valueFromMinor(object.refundedMinor)} as refunded, and the refunds add up to ${valueFromMinor(refundedMinor)}`;
      await raiseAnomaly(manager, this.database, payment, reason, reading);
    }
    return differs || refundSignals > (refunds?.signals ?? 0) || open.length > 0;
  }

  /** Whether any that is sent by itself is still on its way. One that cannot be sent is late too. */
  async #followReceipts(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    now: Date,
    cause: Cause,
  ): Promise<boolean> {
    if (!this.options.profile.receipts) return false;
    const status = In([...openReceiptStatuses]);
    const open = await manager.findBy(PaymentsReceiptEntity, { paymentId: payment.id, status });
    for (const receipt of open.filter((one) => one.status === 'submitting')) {
      const isLate = isReceiptLate(receipt, { now, lateMs: this.options.receiptLateMs });
      const refund = receipt.refundId === null ? null : { id: receipt.refundId };
      const registration = { before: null, after: 'pending', isLate, cause } as const;
      await reportReceipt(manager, this.database, { payment, refund, receipt }, registration);
    }
    return open.length > 0;
  }

  /** Whose money or receipt is on its way. */
  #openRefunds(
    manager: EntityManager,
    { id: paymentId }: PaymentsPaymentEntity,
  ): Promise<PaymentsRefundEntity[]> {
    return manager.findBy(PaymentsRefundEntity, openRefunds(paymentId));
  }
}
