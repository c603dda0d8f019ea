import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { MoreThan, Raw } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { readServicePayment, type ServicePayment } from '../api/service-payment.js';
import { Database } from '../database/database.js';
import { HoldKeeper, type HoldChoice } from '../holds/hold-keeper.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../log-limit.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import type { Cause } from '../payment/cause.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { PaymentNotFoundError, PaymentOutcomeUnknownError } from '../payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { RefundReader } from '../refunds/refund-reader.js';
import { Shutdown } from '../sweeps/shutdown.js';
import { WorkSignal } from '../sweeps/work-signal.js';
import { raiseAnomaly } from './anomaly.js';
import { Applier, type Reading } from './applier.js';
import { Claims, type Claim } from './claims.js';
import { OperationResolver } from './operation-resolver.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { PaymentLease } from './payment-lease.js';
import { SilenceAlarm } from './silence-alarm.js';
import { fruitlessDelayMs, nextCheckAt, retryDelayMs } from './poll-plan.js';

const WAIT_FOR_OTHER_MS = 50;
/** A caller waits for its re-read, also in a process that ends. */
const NEVER = new AbortController().signal;

/** How far each notification had come before the re-read; what arrives later asks for another one. */
type SeenNotifications = readonly Pick<NotificationEntity, 'id' | 'count'>[];

/** What a re-read found, and what is to be done with a hold that is due. */
interface DueReading extends Reading {
  /** When the payment was due before it was read. */
  readonly dueAt: Date | null;
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
  readonly #logger = new Logger('Payments');
  readonly #failures = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly claims: Claims,
    private readonly operations: OperationResolver,
    private readonly refunds: RefundReader,
    private readonly applier: Applier,
    private readonly holds: HoldKeeper,
    private readonly alarm: SilenceAlarm,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** What a worker of `slots` does: reconciles one payment that is due or notified; false where there is none. */
  worker(slots: number): () => Promise<boolean> {
    const queue = this.claims.queue(slots);
    return () =>
      queue.run(
        (claim) => this.#run(claim, 'sweep'),
        (error, { paymentId }) => {
          const count = this.shutdown.hasBegun ? null : this.#failures.take();
          if (count === null) return;
          const message = error instanceof Error ? error.message : String(error);
          this.#logger.warn(
            `Payment ${paymentId} could not be re-read and will be tried again: ${message}${andOthers(count)}`,
          );
        },
      );
  }

  /**
   * Re-reads one payment now and waits for it; a worker that is at it already is waited for first.
   * @throws ServiceError where the service gives no answer
   */
  async refresh(paymentId: string): Promise<void> {
    const deadline = performance.now() + this.options.callDeadlineMs;
    for (;;) {
      const claim = await this.claims.one(paymentId);
      if (claim) return this.#run(claim, 'refresh');
      const exists = await this.database.read((from) => from.existsBy(PaymentEntity, { id: paymentId }));
      if (!exists) throw new PaymentNotFoundError(paymentId);
      if (performance.now() > deadline) throw new PaymentOutcomeUnknownError(paymentId, 're-read');
      await delay(WAIT_FOR_OTHER_MS);
    }
  }

  async #run(claim: Claim, cause: Cause): Promise<void> {
    try {
      await this.claims.release(claim, await this.#reconcile(claim, cause));
      this.signal.wake();
    } catch (error) {
      // Broken off, not failed: another process may take it at once.
      if (cause === 'sweep' && this.shutdown.hasBegun) await this.claims.release(claim, 0);
      else await this.#defer(claim);
      throw error;
    }
  }

  /** Returns how long the sweep is to keep away from the payment, in ms. */
  async #reconcile(claim: Claim, asked: Cause): Promise<number> {
    const before = await this.#payment(claim);
    const seen = await this.#unhandled(before);
    const cause = asked === 'sweep' && seen.length > 0 ? 'notification' : asked;
    const end = asked === 'sweep' ? this.shutdown.signal : NEVER;
    const lease = this.claims.lease(claim);
    const askedAt = await this.operations.resolve(before, end, lease);
    const payment = await this.#payment(claim);
    const { serviceId } = payment;
    if (serviceId === null) {
      await this.#postpone(claim);
      return 0;
    }
    // No lock is held and no transaction open while the service is asked.
    const object = await this.#read(claim, payment, serviceId, { cause, end, lease });
    const refunds = await this.refunds.read(payment, object, end, lease);
    const hold = await this.holds.choose(payment, object, lease);
    const evidence = { source: 're-read', notifications: seen.length };
    const reading: DueReading = {
      object,
      cause,
      evidence,
      refunds,
      hold,
      askedAt,
      dueAt: payment.nextCheckAt,
    };
    const verdict = await this.#apply(claim, reading, seen);
    if (seen.length > 0) await this.alarm.notified(payment.storeId);
    // A caller who asks is often faster than the notification; a poll seldom is.
    else if (verdict?.kind === 'move' && asked === 'sweep')
      await this.alarm.changed(payment.storeId, serviceId, verdict.to);
    // Backwards in one read is staleness of a replica on their side; backwards in two is a fact to be told.
    if (verdict?.kind === 'stale')
      await this.#apply(
        claim,
        { ...reading, object: await this.#get(payment.storeId, serviceId, end, lease) },
        seen,
        true,
      );
    const told = verdict?.kind === 'unchanged' ? Math.max(0, ...seen.map(({ count }) => count)) : 0;
    return fruitlessDelayMs(told);
  }

  /** Repeats included, a re-read may take as long as one attempt of anything else. */
  async #get(
    storeId: string,
    serviceId: string,
    signal: AbortSignal,
    lease: PaymentLease,
  ): Promise<ServicePayment> {
    const { requestTimeoutMs: timeoutMs } = this.options;
    await lease.outlive(timeoutMs);
    const options = { ...this.stores.call(storeId), timeoutMs, signal };
    return readServicePayment(await this.api.readPayment(serviceId, options));
  }

  /** A payment the service gave us and no longer knows is for a person; it stays due all the same. */
  async #read(
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
          const { payment } = await lockPayment(manager, paymentId);
          if (payment.fence !== fence) return;
          const reason = `the service does not know payment ${serviceId} any more`;
          await raiseAnomaly(manager, this.database, payment, reason, { cause });
        });
      }
      throw error;
    }
  }

  #apply(claim: Claim, reading: DueReading, seen: SeenNotifications, again = false) {
    return this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, claim.paymentId);
      // We were paused past our lease and another worker has taken over: write nothing (G11).
      if (locked.payment.fence !== claim.fence) return null;
      const { payment: before } = locked;
      const verdict = await this.applier.apply(manager, locked, reading);
      const reason =
        verdict.kind === 'anomaly'
          ? verdict.reason
          : verdict.kind === 'stale' && again
            ? `status went back to ${verdict.status}`
            : null;
      if (reason !== null) await raiseAnomaly(manager, this.database, locked.payment, reason, reading);
      const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
      const lookAt = fits ? await this.operations.settleByReading(manager, before, reading.askedAt) : null;
      if (lookAt !== null) {
        const due = `'${lookAt.toISOString()}'::timestamptz`;
        await manager.update(PaymentEntity, before.id, { nextCheckAt: () => `LEAST(next_check_at, ${due})` });
      }
      // Made due since we began to read: what we read may be from before the reason.
      const { nextCheckAt: dueAt } = before;
      if (dueAt !== null && dueAt.getTime() !== reading.dueAt?.getTime())
        await manager.update(
          PaymentEntity,
          { id: before.id, nextCheckAt: MoreThan(dueAt) },
          { nextCheckAt: dueAt },
        );
      if (fits && reading.hold) await this.holds.keep(manager, reading.hold, locked);
      if (verdict.kind !== 'stale' || again) {
        for (const { id, count } of seen) {
          await manager.update(
            NotificationEntity,
            { id, handledCount: Raw((column) => `${column} < ${count}`) },
            { handledCount: count },
          );
        }
      }
      return verdict;
    });
  }

  /** Unhandled notifications of the payment's object, with the count seen before the GET. */
  async #unhandled({ storeId, serviceId }: PaymentEntity): Promise<SeenNotifications> {
    if (serviceId === null) return [];
    return this.database.read((from) =>
      from
        .createQueryBuilder(NotificationEntity, 'notification')
        .select(['notification.id', 'notification.count'])
        .where('notification.storeId = :storeId AND notification.objectId = :serviceId', {
          storeId,
          serviceId,
        })
        .andWhere(`notification.objectType = 'payment' AND notification.count > notification.handledCount`)
        .orderBy('notification.id')
        .getMany(),
    );
  }

  #payment({ paymentId }: Claim): Promise<PaymentEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentEntity, { id: paymentId }));
  }

  /** Still no answer to the create: look again later. */
  #postpone({ paymentId, fence }: Claim): Promise<void> {
    return this.database.transaction(async (manager) => {
      const payment = await manager.findOneByOrFail(PaymentEntity, { id: paymentId });
      const dueAt = nextCheckAt(payment, await this.database.businessTime(manager));
      await manager.update(
        PaymentEntity,
        { id: paymentId, fence },
        { checks: payment.checks + 1, nextCheckAt: dueAt },
      );
    });
  }

  async #defer(claim: Claim): Promise<void> {
    const { paymentId: id, fence } = claim;
    const checks = await this.database.transaction(async (manager) => {
      const payment = await manager.findOneByOrFail(PaymentEntity, { id });
      await manager.update(PaymentEntity, { id, fence }, { checks: payment.checks + 1 });
      return payment.checks;
    });
    await this.claims.release(claim, retryDelayMs(checks));
  }
}
