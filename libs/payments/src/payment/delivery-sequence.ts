import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';

/**
 * The order of a sequence (handler, payment). An open delivery names the one that waits for it; that one is due once the first has
 * ended: done, given up or removed. Whoever enters behind a delivery and whoever ends it change its row, so the second of them
 * sees what the first has done: nobody waits for one that has ended, and nobody who waits is forgotten. Those who enter one
 * sequence do it one after the other, under the lock of their order or store.
 */

/** The due time of one that waits for an earlier one. */
export const BEHIND = `timestamptz 'infinity'`;

/** SQL condition: neither done nor given up. Of a row found by its key: no index of open deliveries fits. */
const isOpen = (row: string) => `COALESCE(${row}.done_at, ${row}.parked_at) IS NULL`;

/**
 * SQL of the CTEs that put the rows of the CTE `entering` (event_id, handler_id, sequence) behind the last open delivery with an
 * earlier event, and before the one that waited for it; `entered` has them with what they wait for and are waited for by.
 */
export function entersBehind(database: Pick<Database, 'table'>): string {
  const deliveries = database.table(PaymentsDeliveryEntity);
  return `lined AS MATERIALIZED (
       SELECT *, row_number() OVER line AS number, lead(event_id) OVER line AS follower
       FROM entering WINDOW line AS (PARTITION BY handler_id, sequence ORDER BY event_id)
     ), earlier AS MATERIALIZED (
       SELECT lined.handler_id, lined.sequence, lined.event_id AS follower, before.event_id, before.next_event_id
       FROM lined JOIN ${deliveries} before ON before.handler_id = lined.handler_id AND before.event_id = (
         SELECT event_id FROM ${deliveries}
         WHERE handler_id = lined.handler_id AND sequence = lined.sequence AND event_id < lined.event_id
           AND done_at IS NULL AND parked_at IS NULL
         ORDER BY event_id DESC
         LIMIT 1
       )
       WHERE number = 1 AND ${isOpen('before')}
       ORDER BY before.event_id
       FOR NO KEY UPDATE OF before
     ), behind AS (
       UPDATE ${deliveries} before SET next_event_id = earlier.follower
       FROM earlier WHERE before.event_id = earlier.event_id AND before.handler_id = earlier.handler_id
     ), entered AS (
       SELECT lined.*, number > 1 OR earlier.event_id IS NOT NULL AS waits, COALESCE(lined.follower, earlier.next_event_id) AS next_event_id
       FROM lined LEFT JOIN earlier USING (handler_id, sequence)
     )`;
}

/** Makes the delivery due that waited for one which ends with this transaction. */
export async function makeNextDue(
  manager: EntityManager,
  database: Database,
  nextEventId: string,
  handlerId: string,
): Promise<void> {
  await manager.query(
    `UPDATE ${database.table(PaymentsDeliveryEntity)} next SET next_attempt_at = ${database.now}
     WHERE event_id = $1 AND handler_id = $2 AND ${isOpen('next')} AND next_attempt_at = ${BEHIND}`,
    [nextEventId, handlerId],
  );
}
