import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { Applier, type Reading } from '../apply/applier.js';
import type { ListedRefunds } from '../apply/judge-refunds.js';
import type { Verdict } from '../apply/judge.js';
import { OwedReceipts } from '../apply/owed-receipts.js';
import { plainChange } from '../apply/plain-change.js';
import { fruitlessDelayMs, nextCheckAt, termMsOf } from '../apply/poll-plan.js';
import { ReceiptApplier, type SeenReceipt } from '../apply/receipt-applier.js';
import type { Cause } from '../common/cause.js';
import type { ServiceStatus } from '../common/payment-status.js';
import { PaymentNotFoundError, PaymentOutcomeUnknownError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { answeredUpTo } from '../notifications/notification-steps.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { lockDue } from '../payment/due.js';
import { lockPayment } from '../payment/locks.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { StoreBudget } from '../stores/store-budget.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal, type WorkKind } from '../work/work-signal.js';
import type { Claim } from './claim.js';
import { Claims } from './claims.js';
import { HoldKeeper, type HoldChoice } from './hold-keeper.js';
import { OperationResolver } from './operation-resolver.js';
import type { PaymentLease } from './payment-lease.js';
import { PlainApply } from './plain-apply.js';
import { ReceiptFetcher } from './receipt-fetcher.js';
import { RefundFetcher } from './refund-fetcher.js';
import { SilenceAlarm } from './silence-alarm.js';

const WAIT_FOR_OTHER_MS = 50;
/** A caller waits for its re-read, also in a process that is ending. */
const NEVER = new AbortController().signal;

/** The result of a re-read, and what to do with a hold that is due. */
interface DueReading extends Reading {
  readonly refunds: ListedRefunds;
  readonly receipts: readonly SeenReceipt[];
  readonly hold: HoldChoice | null;
  /** Before it was read. */
  readonly askedAt: Date;
}

/**
 * Level-triggered: re-reads the object and applies what it finds. A notification, the sweep, the buyer's return and
 * an operator's button only decide when.
 */
@Injectable()
export class Reconciler {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly budget: StoreBudget,
    private readonly claims: Claims,
    private readonly operations: OperationResolver,
    private readonly refunds: RefundFetcher,
    private readonly receipts: ReceiptFetcher,
    private readonly plain: PlainApply,
    private readonly applier: Applier,
    private readonly receiptApplier: ReceiptApplier,
    private readonly owedReceipts: OwedReceipts,
    private readonly holds: HoldKeeper,
    private readonly alarm: SilenceAlarm,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Re-reads one payment now and waits for it; if a worker has it already, waits for that first.
   * @throws ServiceError if the service gives no answer
   */
  async refresh(paymentId: string): Promise<void> {
    const deadline = performance.now() + this.options.callDeadlineMs;
    for (;;) {
      const claim = await this.claims.one(paymentId);
      if (claim) return this.run(claim, 'refresh');
      const exists = await this.database.read((from) => from.existsBy(PaymentEntity, { id: paymentId }));
      if (!exists) throw new PaymentNotFoundError(paymentId);
      if (performance.now() > deadline) throw new PaymentOutcomeUnknownError(paymentId, 're-read');
      await delay(WAIT_FOR_OTHER_MS);
    }
  }

  /**
   * Re-reads a claimed payment and applies what it finds; the claim is always returned.
   * @throws what prevented the re-read
   */
  async run(claim: Claim, asked: 'sweep' | 'refresh'): Promise<void> {
    const lease = this.claims.lease(claim);
    try {
      for (const kind of await this.#reconcile(claim, asked, lease)) this.signal.wake(kind);
    } catch (error) {
      // Broken off, not failed: another process may take it at once.
      if (asked === 'sweep' && this.shutdown.hasBegun) await this.claims.giveBack(claim);
      else await this.claims.fail(claim);
      throw error;
    } finally {
      // The claim pays for one request; a caller's own requests are the caller's.
      if (asked === 'sweep' && lease.requests > 1)
        await this.budget.charge(claim.payment.storeId, lease.requests - 1);
    }
  }

  /** Returns what there may be to do now. */
  async #reconcile(
    claim: Claim,
    asked: 'sweep' | 'refresh',
    lease: PaymentLease,
  ): Promise<readonly WorkKind[]> {
    const { seen, due } = claim;
    const cause = asked === 'sweep' && seen.length > 0 ? 'notification' : asked;
    const end = asked === 'sweep' ? this.shutdown.signal : NEVER;
    let { payment, claimedAt: askedAt } = claim;
    if (claim.isUnsettled) {
      askedAt = await this.operations.resolve(payment, end, lease);
      payment = await this.#payment(claim);
    }
    const { storeId, serviceId } = payment;
    if (serviceId === null) {
      await this.#postpone(claim);
      return ['deliveries'];
    }
    // No lock is held and no transaction open during the request to the service.
    const object = await this.#fetch(claim, payment, serviceId, { cause, end, lease });
    const evidence = { source: 're-read', notifications: seen.length };
    const plain = await this.#applyPlain(claim, object, { cause, evidence });
    if (plain) {
      await this.#sound(claim, asked, plain);
      return [
        ...(plain.movedTo ? (['deliveries'] as const) : []),
        ...(plain.isReady ? (['payments'] as const) : []),
      ];
    }
    const refunds = await this.refunds.fetch(payment, due.refundSignals, object, end, lease);
    const receipts = await this.receipts.fetch(payment, end, lease);
    const hold = await this.holds.choose(payment, object, lease);
    const reading: DueReading = { object, cause, evidence, refunds, receipts, hold, askedAt };
    const verdict = await this.#apply(claim, reading);
    await this.#sound(claim, asked, { movedTo: verdict?.kind === 'move' ? verdict.to : null });
    // Backwards in one read is a stale replica on their side; backwards in two is a fact to report.
    if (verdict?.kind === 'stale') {
      const again = await this.#get(storeId, serviceId, end, lease);
      await this.#apply(claim, { ...reading, object: again }, true);
    }
    return ['payments', 'deliveries'];
  }

  /** Null if it is not plain, or has changed since it was claimed. */
  async #applyPlain(
    claim: Claim,
    object: ServicePayment,
    { cause, evidence }: { cause: Cause; evidence: Record<string, unknown> },
  ): Promise<{ movedTo: ServiceStatus | null; isReady: boolean } | null> {
    const { claimedAt, claimedAtMs, payment, order, due, store, seen } = claim;
    if (!isPlain(claim)) return null;
    const known = {
      payment,
      order,
      accountId: store.accountId,
      isTest: this.stores.isTest(store),
      checks: due.checks,
      notified: Math.max(0, ...seen.map(({ count }) => count)),
    };
    const now = new Date(claimedAt.getTime() + Date.now() - claimedAtMs);
    const { profile, holdLeadTimeMs: leadTimeMs, receiptLateMs } = this.options;
    const terms = { now, leadTimeMs, profile, receiptLateMs };
    const change = plainChange(known, object, { ...terms, cause, evidence });
    if (change === null) return null;
    const written = await this.plain.write({ claim, change });
    return written && { movedTo: change.moved?.to ?? null, isReady: written.isReady };
  }

  /** Reports to the alarm whether there was a notification of the change, if that is news. */
  async #sound(
    { payment: { storeId, serviceId }, seen, store }: Claim,
    asked: 'sweep' | 'refresh',
    { movedTo }: { movedTo: ServiceStatus | null },
  ): Promise<void> {
    if (seen.length > 0) {
      if (store.unannouncedChanges > 0) await this.alarm.notified(storeId);
      // A caller is often faster than the notification; a poll rarely is.
    } else if (movedTo !== null && serviceId !== null && asked === 'sweep')
      await this.alarm.changed(storeId, serviceId, movedTo);
  }

  async #get(
    storeId: string,
    serviceId: string,
    signal: AbortSignal,
    lease: PaymentLease,
  ): Promise<ServicePayment> {
    const { requestTimeoutMs: timeoutMs } = this.options;
    await lease.request(timeoutMs);
    const options = { ...this.stores.call(storeId), timeoutMs, signal, once: true };
    return parseServicePayment(await this.api.fetchPayment(serviceId, options));
  }

  /** A payment that the service gave us and no longer knows is left to a person; it stays due all the same. */
  async #fetch(
    { paymentId, fence }: Claim,
    { storeId }: PaymentEntity,
    serviceId: string,
    { cause, end, lease }: { cause: Cause; end: AbortSignal; lease: PaymentLease },
  ): Promise<ServicePayment> {
    try {
      return await this.#get(storeId, serviceId, end, lease);
    } catch (error) {
      if (error instanceof ServiceNotFoundError) {
        await this.database.transaction(async (manager) => {
          const { payment } = await lockPayment(manager, this.database, paymentId);
          if ((await lockDue(manager, paymentId))?.fence !== fence) return;
          const reason = `the service does not know payment ${serviceId} any more`;
          await raiseAnomaly(manager, this.database, payment, reason, { cause });
        });
      }
      throw error;
    }
  }

  /** Null if another worker has taken over: nothing is written (G11). */
  #apply(claim: Claim, reading: DueReading, again = false): Promise<Verdict | null> {
    const { paymentId, seen } = claim;
    return this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, this.database, paymentId);
      const due = await lockDue(manager, paymentId);
      if (due?.fence !== claim.fence) return null;
      await this.receiptApplier.apply(manager, locked.payment, reading.receipts, reading.cause);
      const { verdict, next } = await this.applier.apply(manager, locked, reading, due);
      const reason =
        verdict.kind === 'anomaly'
          ? verdict.reason
          : verdict.kind === 'stale' && again
            ? `status went back to ${verdict.status}`
            : null;
      if (reason !== null) await raiseAnomaly(manager, this.database, locked.payment, reason, reading);
      const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
      const lookAt = fits
        ? await this.operations.settleByReading(manager, locked.payment, reading.askedAt)
        : null;
      if (fits && reading.hold) await this.holds.keep(manager, reading.hold, locked);
      await this.owedReceipts.settle(manager, locked, reading.cause);
      if (verdict.kind === 'stale' && !again) return verdict;
      for (const { id, count } of seen)
        await manager.query(
          `UPDATE ${this.database.table(NotificationEntity)} known SET ${answeredUpTo(this.database, '$2::int')} WHERE id = $1`,
          [id, count],
        );
      const notified = verdict.kind === 'unchanged' ? Math.max(0, ...seen.map(({ count }) => count)) : 0;
      await this.claims.release(
        manager,
        claim,
        { ...next, at: earlier(next.at, lookAt) },
        { answered: fits ? reading.refunds.signals : 0, restMs: fruitlessDelayMs(notified) },
      );
      return verdict;
    });
  }

  #payment({ paymentId }: Claim): Promise<PaymentEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentEntity, { id: paymentId }));
  }

  /** Still no answer to the create: look again later. */
  async #postpone(claim: Claim): Promise<void> {
    const { payment, due } = claim;
    const { createdAt, holdDueAt, receiptStatus, capture } = payment;
    const termMs = termMsOf(payment, this.options.profile);
    const checks = due.checks + 1;
    await this.database.transaction(async (manager) => {
      const { status } = await manager.findOneByOrFail(PaymentEntity, { id: payment.id });
      const now = await this.database.businessTime(manager);
      const planned = { status, createdAt, holdDueAt, receiptStatus, capture };
      const at = nextCheckAt(planned, now, { checks: due.checks, termMs });
      await this.claims.release(manager, claim, { at, checks });
    });
  }
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Whether everything about a claimed payment is in its own row and its order's. */
function isPlain({ payment, due, isUnsettled, hasSiblings }: Claim): boolean {
  return !isUnsettled && !hasSiblings && payment.supersededAt === null && due.refundSignals === 0;
}
