import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { plusMs } from '../clock.js';
import type { ColumnValues } from '../database/column-values.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { retryDelayMs } from '../reconcile/poll-plan.js';
import { StoreBudget } from '../stores/store-budget.js';
import { StoreTurns, type StoreQueue } from '../stores/store-turns.js';
import { NotificationEntity } from './notification.entity.js';

/** The right to re-read the object of one notification, for as long as its fence stands. */
export interface NotificationClaim {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly objectType: string;
  readonly objectId: string;
  /** How far the notification had come before the re-read; what arrives later asks for another one. */
  readonly count: number;
  readonly attempts: number;
  readonly event: string;
  /** Since it came last, in business time. */
  readonly waitedMs: number;
}

/** Leases on notifications themselves, in the database's own time, where no payment of ours can be leased. */
@Injectable()
export class NotificationLeases {
  constructor(
    private readonly database: Database,
    private readonly turns: StoreTurns,
    private readonly budget: StoreBudget,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Unhandled ones, `slots` at once. `condition` makes SQL about the row `known`, anew each time: the clock may have moved. */
  queue(slots: number, condition: () => string): StoreQueue<NotificationClaim> {
    return this.turns.queue(slots, {
      waits: (storeId) => `EXISTS (${this.#free(storeId, condition())})`,
      claim: (storeId) => this.#claim(storeId, condition()),
    });
  }

  /** SQL condition: some store has one. */
  waits(condition: string): string {
    return this.turns.anyWaits((storeId) => `EXISTS (${this.#free(storeId, condition)})`);
  }

  /** Claims the oldest of the store that no other worker has, where the budget has a re-read left. */
  async #claim(storeId: string, condition: string): Promise<NotificationClaim | null> {
    const notifications = this.database.table(NotificationEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[NotificationClaim[], number]>(
        `WITH picked AS (
         ${this.#free('$1', condition)}
         ORDER BY first_at
         LIMIT 1
         FOR NO KEY UPDATE SKIP LOCKED
       ), spent AS (
         ${this.budget.spend('SELECT $1::uuid AS store_id, 1 AS requests FROM picked')}
       )
       UPDATE ${notifications} notification
       SET lease_until = ${plusMs('clock_timestamp()', this.options.leaseMs)}, fence = fence + 1
       FROM picked WHERE notification.id = picked.id
       RETURNING notification.id, fence, store_id AS "storeId", object_type AS "objectType",
         object_id AS "objectId", count, attempts, event,
         (extract(epoch FROM ${this.database.now} - last_at) * 1000)::float8 AS "waitedMs"`,
        [storeId],
      ),
    );
    return rows[0] ?? null;
  }

  #free(storeId: string, condition: string): string {
    return `SELECT known.id FROM ${this.database.table(NotificationEntity)} known
         WHERE known.count > known.handled_count AND known.store_id = ${storeId} AND ${condition}
           AND (known.lease_until IS NULL OR known.lease_until <= clock_timestamp())
           AND (known.retry_at IS NULL OR known.retry_at <= clock_timestamp())
           AND ${this.budget.left(storeId)}`;
  }

  /** Counts what was seen as handled; false, and nothing is written, where another worker has taken over (G11). */
  async settle(
    manager: EntityManager,
    { id, fence, count }: NotificationClaim,
    fields: ColumnValues<Pick<NotificationEntity, 'foreignAt'>> = {},
  ): Promise<boolean> {
    const handled = { ...fields, handledCount: count, attempts: 0, leaseUntil: null, retryAt: null };
    const { affected } = await manager.update(NotificationEntity, { id, fence }, handled);
    return affected === 1;
  }

  /** Gives the notification back, unhandled, for later. */
  defer(claim: NotificationClaim): Promise<void> {
    return this.database.transaction((manager) => this.deferIn(manager, claim));
  }

  async deferIn(manager: EntityManager, { id, fence, attempts }: NotificationClaim): Promise<void> {
    await manager.update(
      NotificationEntity,
      { id, fence },
      {
        attempts: attempts + 1,
        leaseUntil: null,
        retryAt: () => plusMs('clock_timestamp()', retryDelayMs(attempts)),
      },
    );
  }
}
