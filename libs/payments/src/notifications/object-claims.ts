import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { retryDelayMs } from '../reconcile/poll-plan.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { NotificationEntity } from './notification.entity.js';

/** What notifications can be about beside payments (section 6 of the service interface). */
export const objectTypes = ['refund', 'payout', 'deal', 'payment_method'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** The right to re-read the object of one notification, for as long as its fence stands. */
export interface ObjectClaim {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly objectType: ObjectType;
  readonly objectId: string;
  /** How far the notification had come before the re-read; what arrives later asks for another one. */
  readonly count: number;
  readonly attempts: number;
}

/** Leases on notifications about anything but payments, in the database's own time like those of payments. */
@Injectable()
export class ObjectClaims {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Claims the oldest unhandled one that no other worker has, of a store this process has credentials for. */
  async next(): Promise<ObjectClaim | null> {
    const notifications = this.database.table(NotificationEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[ObjectClaim[], number]>(
        `WITH picked AS (
         SELECT id FROM ${notifications}
         WHERE count > handled_count AND object_type <> 'payment' AND object_type = ANY($2) AND store_id = $1
           AND (lease_until IS NULL OR lease_until <= clock_timestamp())
           AND (retry_at IS NULL OR retry_at <= clock_timestamp())
         ORDER BY first_at
         LIMIT 1
         FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ${notifications} notification
       SET lease_until = ${plusMs('clock_timestamp()', this.options.leaseMs)}, fence = fence + 1
       FROM picked WHERE notification.id = picked.id
       RETURNING notification.id, fence, store_id AS "storeId", object_type AS "objectType",
         object_id AS "objectId", count, attempts`,
        [this.stores.shop.id, objectTypes],
      ),
    );
    return rows[0] ?? null;
  }

  /** Counts what was seen as handled; false, and nothing is written, where another worker has taken over (G11). */
  async settle(manager: EntityManager, { id, fence, count }: ObjectClaim): Promise<boolean> {
    const handled = { handledCount: count, attempts: 0, leaseUntil: null, retryAt: null };
    const { affected } = await manager.update(NotificationEntity, { id, fence }, handled);
    return affected === 1;
  }

  /** Gives the notification back after a re-read that failed, for later. */
  async defer({ id, fence, attempts }: ObjectClaim): Promise<void> {
    await this.database.transaction((manager) =>
      manager.update(
        NotificationEntity,
        { id, fence },
        {
          attempts: attempts + 1,
          leaseUntil: null,
          retryAt: () => plusMs('clock_timestamp()', retryDelayMs(attempts)),
        },
      ),
    );
  }
}
