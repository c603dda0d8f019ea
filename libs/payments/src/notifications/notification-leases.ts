import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { retryDelayMs } from '../reconcile/poll-plan.js';
import { RereadBudget } from '../reconcile/reread-budget.js';
import { StoreRegistry } from '../stores/store.registry.js';
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
}

/** Leases on notifications themselves, in the database's own time, where no payment of ours can be leased. */
@Injectable()
export class NotificationLeases {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly budget: RereadBudget,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Claims the oldest unhandled one that no other worker has, of a store this process has credentials for and the budget
   * a re-read for. `condition` is SQL about the row `known`.
   */
  async claim(condition: string): Promise<NotificationClaim | null> {
    const notifications = this.database.table(NotificationEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[NotificationClaim[], number]>(
        `WITH picked AS (
         SELECT id FROM ${notifications} known
         WHERE count > handled_count AND store_id = $1 AND ${condition}
           AND (lease_until IS NULL OR lease_until <= clock_timestamp())
           AND (retry_at IS NULL OR retry_at <= clock_timestamp())
           AND ${this.budget.left('$1')}
         ORDER BY first_at
         LIMIT 1
         FOR NO KEY UPDATE SKIP LOCKED
       ), spent AS (
         ${this.budget.spend('$1')}
       )
       UPDATE ${notifications} notification
       SET lease_until = ${plusMs('clock_timestamp()', this.options.leaseMs)}, fence = fence + 1
       FROM picked WHERE notification.id = picked.id
       RETURNING notification.id, fence, store_id AS "storeId", object_type AS "objectType",
         object_id AS "objectId", count, attempts`,
        [this.stores.shop.id],
      ),
    );
    return rows[0] ?? null;
  }

  /** Counts what was seen as handled; false, and nothing is written, where another worker has taken over (G11). */
  async settle(
    manager: EntityManager,
    { id, fence, count }: NotificationClaim,
    fields: QueryDeepPartialEntity<Pick<NotificationEntity, 'foreignAt'>> = {},
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
