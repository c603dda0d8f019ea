import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import { acrossStores } from './across-stores.js';

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

/** Those of all stores, known ones first, of each kind the newest. */
export function foreignNotifications(
  database: Database,
  stores: StoreRegistry,
  limit: number,
): Promise<ForeignNotification[]> {
  const newest = acrossStores(database, stores, {
    table: database.table(PaymentsNotificationEntity),
    condition: 'foreign_at IS NOT NULL',
    order: ['is_known', 'foreign_at'],
    latestFirst: true,
    limit: '$1::int',
  });
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<ForeignNotification[]>(
      `SELECT store_id AS store, event, object_id AS "objectId", sender_address AS "senderAddress", count,
           first_at AS "firstAt", last_at AS "lastAt", foreign_at AS "foreignAt", is_known AS "isKnown"
         FROM ${newest} newest ORDER BY is_known DESC, foreign_at DESC`,
      [limit],
    );
  });
}
