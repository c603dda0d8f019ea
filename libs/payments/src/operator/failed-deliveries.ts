import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** A delivery that was given up: its handler has failed as often as it may, and it waits for a person. */
export interface ParkedDelivery {
  readonly eventId: string;
  readonly handlerId: string;
  readonly eventName: string;
  /** The store it came for; with it `PaymentsService` finds the payment. */
  readonly store: string;
  /** null for an event that has no payment of ours. */
  readonly paymentId: string | null;
  /** Runs so far. */
  readonly attempts: number;
  readonly lastError: string | null;
  readonly parkedAt: Date;
}

/** A delivery whose handler has failed: it will be run again, or was given up. */
export interface FailedDelivery extends Omit<ParkedDelivery, 'parkedAt'> {
  /** When it was given up; null: it will be run again. */
  readonly parkedAt: Date | null;
  /** When it is run again, in business time; null: never by itself, or it is being run now. */
  readonly nextAttemptAt: Date | null;
}

/** SQL condition on an open delivery: a run of it has failed. The first one, while it runs, has not. */
export function hasFailed(alias: string): string {
  return `(${alias}.attempts > 1 OR ${alias}.attempts = 1 AND ${alias}.last_error IS NOT NULL)`;
}

/** SQL of the handlers and stores with open deliveries of this kind: from one to the next, by their index. */
export function linesOf(deliveries: string, condition: string): string {
  const next = (from: string) => `(SELECT handler_id, store_id FROM ${deliveries}
      WHERE done_at IS NULL AND parked_at IS NULL AND ${condition}${from} ORDER BY handler_id, store_id LIMIT 1)`;
  return `(WITH RECURSIVE line AS (
      ${next('')} UNION ALL
      SELECT next.* FROM line CROSS JOIN LATERAL ${next(' AND (handler_id, store_id) > (line.handler_id, line.store_id)')} next
    ) SELECT * FROM line) lines`;
}

/**
 * Not those that were given up. The next to run of each handler and store, by the index; of the lines whose next ones are the first of
 * all, those that follow.
 */
export function failingDeliveries(
  database: Database,
  limit: number,
  handlerId: string | null = null,
): Promise<FailedDelivery[]> {
  const ofHandler = handlerId === null ? '' : ' AND handler_id = $2';
  const next = (line: string, count: string) => `SELECT * FROM ${database.table(PaymentsDeliveryEntity)} tried
      WHERE handler_id = ${line}.handler_id AND store_id = ${line}.store_id AND done_at IS NULL AND parked_at IS NULL
        AND attempts > 0 AND ${hasFailed('tried')}
      ORDER BY next_attempt_at LIMIT ${count}`;
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<FailedDelivery[]>(
      `SELECT ${failedColumns()}
         FROM (
           SELECT head.* FROM (
             SELECT first.handler_id, first.store_id FROM ${linesOf(database.table(PaymentsDeliveryEntity), `attempts > 0${ofHandler}`)}
             CROSS JOIN LATERAL (${next('lines', '1')}) first
             ORDER BY first.next_attempt_at LIMIT $1::int
           ) foremost CROSS JOIN LATERAL (${next('foremost', '$1::int')}) head
           ORDER BY head.next_attempt_at, head.event_id
           LIMIT $1::int
         ) failed
         JOIN ${database.table(PaymentsEventEntity)} event ON event.id = failed.event_id
         ORDER BY failed.next_attempt_at, failed.event_id`,
      handlerId === null ? [limit] : [limit, handlerId],
    );
  });
}

/** Of one order, those given up too; the oldest events first. OFFSET 0 keeps each look with its row, whatever statistics say. */
export function failedOfOrder(
  database: Database,
  storeId: string,
  reference: string,
  limit: number,
): Promise<FailedDelivery[]> {
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<FailedDelivery[]>(
      `SELECT ${failedColumns()}
         FROM ${database.table(PaymentsOrderEntity)} ours
         CROSS JOIN LATERAL (SELECT id FROM ${database.table(PaymentsPaymentEntity)} WHERE order_id = ours.id OFFSET 0) payment
         CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentsEventEntity)} WHERE payment_id = payment.id OFFSET 0) event
         CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentsDeliveryEntity)} WHERE event_id = event.id AND done_at IS NULL OFFSET 0) failed
         WHERE ours.store_id = $1 AND ours.reference = $2 AND (failed.parked_at IS NOT NULL OR ${hasFailed('failed')})
         ORDER BY event.id, failed.handler_id
         LIMIT $3::int`,
      [storeId, reference, limit],
    );
  });
}

function failedColumns(): string {
  const isWaiting = `failed.parked_at IS NULL AND ${isOver('failed.lease_until')}`;
  return `failed.event_id AS "eventId", failed.handler_id AS "handlerId", event.name AS "eventName", event.store_id AS "store",
      event.payment_id AS "paymentId", failed.attempts, failed.last_error AS "lastError", failed.parked_at AS "parkedAt",
      CASE WHEN ${isWaiting} THEN failed.next_attempt_at END AS "nextAttemptAt"`;
}
