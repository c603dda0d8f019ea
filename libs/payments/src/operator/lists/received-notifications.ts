import { In } from 'typeorm';
import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsNotificationEntity, type NotificationStep } from '../../schema/notification.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { acrossStores, type AcrossStores } from '../across-stores.js';

/** A notification that was stored: once for each event of an object, however often it came. */
export interface StoredNotification {
  readonly id: string;
  readonly store: string;
  readonly event: string;
  /** The service's id of the payment, refund or other object. */
  readonly objectId: string;
  /** Where the last one came from. */
  readonly senderAddress: string;
  /** How often it came. */
  readonly count: number;
  /** How often of those it led to a re-read that is over. */
  readonly handledCount: number;
  /** What is done with it next; it is handled or set aside unless `waitingSince` is there. */
  readonly step: NotificationStep;
  /** Failed re-reads since the last that succeeded. */
  readonly attempts: number;
  /** Business time, as the other times. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly waitingSince: Date | null;
  /** Since when it is set aside: its object is not ours, or is not shown as notified. */
  readonly foreignAt: Date | null;
}

/** A notification with what it said. */
export interface NotificationInFull extends StoredNotification {
  /** The last body, as it came. No state is ever taken from it. */
  readonly body: string;
}

/** Not handled yet: the longest waiting of all stores, by the index. */
export function waitingNotifications(
  database: Database,
  stores: StoreRegistry,
  limit: number,
): Promise<StoredNotification[]> {
  const condition = 'waiting_since IS NOT NULL';
  return listNotifications(
    database,
    stores,
    { condition, order: ['waiting_since'] },
    'waiting_since, id',
    limit,
  );
}

/** Handled or set aside: those of all stores that came last for the first time, by the index. */
export function pastNotifications(
  database: Database,
  stores: StoreRegistry,
  limit: number,
): Promise<StoredNotification[]> {
  return listNotifications(
    database,
    stores,
    { condition: 'waiting_since IS NULL', order: ['first_at', 'id'], latestFirst: true },
    'first_at DESC, id DESC',
    limit,
  );
}

/** Of these objects of the service, the oldest first. */
export async function notificationsOf(
  database: Database,
  storeId: string,
  objectIds: readonly string[],
): Promise<NotificationInFull[]> {
  const rows = await database.read((from) =>
    from.find(PaymentsNotificationEntity, {
      where: { storeId, objectId: In([...objectIds]) },
      order: { firstAt: 'ASC', id: 'ASC' },
    }),
  );
  return rows.map((row) => ({
    id: row.id,
    store: row.storeId,
    event: row.event,
    objectId: row.objectId,
    senderAddress: row.senderAddress,
    count: row.count,
    handledCount: row.handledCount,
    step: row.step,
    attempts: row.attempts,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    waitingSince: row.waitingSince,
    foreignAt: row.foreignAt,
    body: row.body,
  }));
}

function listNotifications(
  database: Database,
  stores: StoreRegistry,
  which: Omit<AcrossStores, 'table' | 'limit'>,
  order: string,
  limit: number,
): Promise<StoredNotification[]> {
  const table = database.table(PaymentsNotificationEntity);
  const found = acrossStores(database, stores, { ...which, table, limit: '$1::int' });
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<StoredNotification[]>(
      `SELECT found.id, found.store_id AS "store", found.event, found.object_id AS "objectId", found.sender_address AS "senderAddress",
           found.count, found.handled_count AS "handledCount", found.step, found.attempts, found.first_at AS "firstAt",
           found.last_at AS "lastAt", found.waiting_since AS "waitingSince", found.foreign_at AS "foreignAt"
         FROM ${found} found ORDER BY ${order}`,
      [limit],
    );
  });
}
