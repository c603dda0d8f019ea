import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { StoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/**
 * A notification that was set aside: of a payment that was not made here, since another system uses the same store; of a refund,
 * payout, deal or payment method that the service did not show as notified for a quarter of an hour; or a forged one.
 */
export interface ForeignNotification {
  /** The store it came for. */
  readonly store: string;
  readonly event: string;
  /** The service's id of the payment or other object. */
  readonly objectId: string;
  readonly senderAddress: string;
  /** How often it came. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** When it was looked up and set aside. */
  readonly foreignAt: Date;
  /** Whether the service knew the object then. What it does not know anyone may have made up. */
  readonly isKnown: boolean;
}

/** Reads notifications that were set aside: those first whose object the service knows, so that no forger fills the list. */
@Injectable()
export class ForeignNotificationReader {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  /** The newest of each kind of each store, and of those the newest. */
  list(limit: number): Promise<ForeignNotification[]> {
    return this.database.read((from) =>
      from.query<ForeignNotification[]>(
        `SELECT store.id AS store, event, object_id AS "objectId", sender_address AS "senderAddress", count,
           first_at AS "firstAt", last_at AS "lastAt", foreign_at AS "foreignAt", is_known AS "isKnown"
         FROM ${this.database.table(StoreEntity)} store CROSS JOIN LATERAL (
           SELECT * FROM ${this.database.table(NotificationEntity)} notification
           WHERE notification.store_id = store.id AND notification.foreign_at IS NOT NULL
           ORDER BY notification.is_known DESC, notification.foreign_at DESC LIMIT $1
         ) newest
         WHERE ${this.stores.isManaged('store')} ORDER BY is_known DESC, foreign_at DESC LIMIT $1`,
        [limit],
      ),
    );
  }
}
