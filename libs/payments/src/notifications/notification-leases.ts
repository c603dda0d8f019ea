import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { retryDelayMs } from '../apply/poll-plan.js';
import { plusMs } from '../common/clock.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database, TERMS } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsNotificationEntity, type NotificationStep } from '../schema/notification.entity.js';
import { RateLimiter, type Pace } from '../stores/rate-limiter.js';
import { StoreTurns, type StoreWork } from '../stores/store-turns.js';
import type { Work } from '../work/worker-pool.js';
import { headOfStep } from './notification-steps.js';

/** The right to re-read the object of one notification, for as long as its fence stands. */
export interface NotificationClaim {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly objectType: string;
  readonly objectId: string;
  /** How many notifications had arrived before the re-read; later ones cause another. */
  readonly count: number;
  readonly attempts: number;
  readonly event: string;
  /** Since its last arrival, in business time. */
  readonly waitedMs: number;
  /** Since its first. */
  readonly sinceFirstMs: number;
}

/** Of a notification that is set aside. */
interface SetAside {
  /** Whether the service knows the object. */
  readonly isKnown: boolean;
}

/** Of their own, so that these never hold up a payment; two, so that a store that hangs leaves one for the others. */
const SLOTS = 2;

/** Leases on notifications themselves, in the database's own time, if no payment of ours can be leased. */
@Injectable()
export class NotificationLeases {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly turns: StoreTurns,
    private readonly limiter: RateLimiter,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * What is ready for these steps; what is ready for the first of them goes first. What fails is reported, with what `failed` says
   * of it, and put off: behind those that were never tried, which a flood of forged ones must not delay.
   */
  work(
    steps: readonly NotificationStep[],
    run: StoreWork<NotificationClaim>['run'],
    failed: (claim: NotificationClaim) => string,
  ): Work<NotificationClaim> {
    const failures = new LogLimit(FAILURE_LOG_MS);
    return this.turns.work({
      slots: SLOTS,
      waits: (storeId) => this.#waitsForOne(storeId, steps),
      claim: async (storeId) => {
        for (const step of steps) {
          const claim = await this.#claim(storeId, step);
          if (claim !== null) return claim;
        }
        return null;
      },
      run,
      failed: async (error, claim) => {
        const count = failures.take();
        if (count !== null)
          this.#logger.warn(
            `${failed(claim)} and will be tried again: ${messageOf(error)}${andOthers(count)}`,
            { storeId: claim.storeId, serviceId: claim.objectId, attempt: claim.attempts },
          );
        await this.database.transaction((manager) => this.deferIn(manager, claim));
      },
    });
  }

  /** SQL condition: some store has one. */
  waits(steps: readonly NotificationStep[]): string {
    return this.turns.anyWaits((storeId) => this.#waitsForOne(storeId, steps));
  }

  #waitsForOne(storeId: string, steps: readonly NotificationStep[]): string {
    return `(${steps.map((step) => this.#waits(storeId, step)).join(' OR ')})`;
  }

  #waits(storeId: string, step: NotificationStep): string {
    return `${this.limiter.left(storeId, paceOf(step))} AND (${this.#first(storeId, step)}) IS NOT NULL`;
  }

  /** Claims what has waited longest in the store and no other worker has, if the store's rate limit leaves a re-read. */
  async #claim(storeId: string, step: NotificationStep): Promise<NotificationClaim | null> {
    const { database } = this;
    const until = leaseEnd(this.options.leaseMs);
    const { rows } = await database.statement<NotificationClaim>(
      `WITH ${TERMS}, ${this.limiter.turns('ARRAY[$1]', 'ARRAY[1]')}, picked AS MATERIALIZED (
         SELECT next.id FROM turn CROSS JOIN LATERAL (
           ${this.#first('turn.store_id', step)} FOR NO KEY UPDATE SKIP LOCKED
         ) next WHERE turn.${paceOf(step)} > 0
       ), spent AS (
         ${this.limiter.spend('SELECT $1::uuid AS store_id, 1 AS requests FROM picked')}
       )
       UPDATE ${database.table(PaymentsNotificationEntity)} known
       SET ready_at = ${database.inBusinessTime(until)}, lease_until = ${until}, fence = fence + 1
       WHERE id = ANY(ARRAY(SELECT id FROM picked))
       RETURNING id, fence, store_id AS "storeId", object_type AS "objectType", object_id AS "objectId", count, attempts, event,
         (extract(epoch FROM ${database.now} - last_at) * 1000)::float8 AS "waitedMs",
         (extract(epoch FROM ${database.now} - first_at) * 1000)::float8 AS "sinceFirstMs"`,
      [storeId],
    );
    return rows[0] ?? null;
  }

  /** SQL of the first one. Its lease is checked as well: a clock that is moved makes everything ready. */
  #first(storeId: string, step: NotificationStep): string {
    return `SELECT known.id FROM ${this.database.table(PaymentsNotificationEntity)} known
           WHERE ${isOver('known.lease_until')}
             AND ${headOfStep(this.database, 'known', storeId, step)} LIMIT 1`;
  }

  /**
   * Counts what was seen as handled; later arrivals are looked at again. False, and nothing is written, if another worker has
   * taken over (G11). `setAside`: the service does not confirm it; null: it does.
   */
  async settle(
    manager: EntityManager,
    { id, fence, count }: NotificationClaim,
    setAside: SetAside | null,
  ): Promise<boolean> {
    const more = (then: string) => () => `CASE WHEN count > ${count} THEN ${then} END`;
    const { affected } = await manager.update(
      PaymentsNotificationEntity,
      { id, fence },
      {
        handledCount: count,
        waitingSince: setAside ? null : more('last_at'),
        foreignAt: setAside ? () => this.database.now : null,
        isKnown: setAside?.isKnown ?? false,
        step: () => moved('re_read_again', 're_read'),
        readyAt: more(this.database.now),
        attempts: 0,
        leaseUntil: null,
      },
    );
    return affected === 1;
  }

  /** Returns the notification, unhandled, for later. */
  async deferIn(manager: EntityManager, { id, fence, attempts }: NotificationClaim): Promise<void> {
    const readyAt = () => plusMs(this.database.now, retryDelayMs(attempts));
    await manager.update(
      PaymentsNotificationEntity,
      { id, fence },
      {
        attempts: attempts + 1,
        leaseUntil: null,
        readyAt,
        step: () => moved('re_read', 're_read_again'),
      },
    );
  }

  /** Returns it for its last look, after which it is foreign; false: this was the last one. */
  async putOff({ id, fence, sinceFirstMs }: NotificationClaim): Promise<boolean> {
    if (sinceFirstMs >= this.options.foreignAfterMs) return false;
    const readyAt = () => plusMs('first_at', this.options.foreignAfterMs);
    await this.database.transaction((manager) =>
      manager.update(PaymentsNotificationEntity, { id, fence }, { attempts: 0, leaseUntil: null, readyAt }),
    );
    return true;
  }

  /** Returns it to be handed over: its payment is known by now. */
  async handOver({ id, fence }: NotificationClaim): Promise<void> {
    const readyAt = () => this.database.now;
    await this.database.transaction((manager) =>
      manager.update(
        PaymentsNotificationEntity,
        { id, fence },
        { step: 'hand_over', attempts: 0, leaseUntil: null, readyAt },
      ),
    );
  }
}

/** Whoever forges notifications of what the service does not know must not delay those of what it does. */
function paceOf(step: NotificationStep): Pace {
  return step === 'look_up' || step === 're_read_again' ? 'polls' : 'notified';
}

/** SQL of the step of a notification that goes from one to the other, if it is at the first. */
function moved(from: NotificationStep, to: NotificationStep): string {
  return `CASE step WHEN '${from}' THEN '${to}' ELSE step END`;
}
