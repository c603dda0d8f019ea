import { plusMs } from '../clock.js';
import type { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { isFinal, paymentStatuses } from '../payment/payment-status.js';
import { RefundEntity } from '../refunds/refund.entity.js';
import { unsettledRefundStatuses } from '../refunds/refund-status.js';

/** Rows that one transaction removes: few enough to hold no lock for long. */
const BATCH = 500;

/**
 * Removes a batch of what has been told of a store and is long over, and tells how much: notifications, events and finished
 * deliveries of settled payments. The payments, orders, refunds and operations themselves stay, so that a notification
 * replayed years later changes nothing. Events of payouts, deals and payment methods stay too: they are all we know of
 * those, and keep them from being told twice. Run twice at once, both remove the same rows, and one of them none.
 */
export async function removeOldRows(
  database: Database,
  storeId: string,
  retentionMs: number,
): Promise<number> {
  const cutoff = plusMs(database.now, -retentionMs);
  let removed = 0;
  for (const sql of [oldEvents(database, cutoff), oldNotifications(database, cutoff)]) {
    const [, affected] = await database.transaction((manager) =>
      manager.query<[unknown[], number]>(sql, [storeId]),
    );
    removed += affected;
  }
  return removed;
}

/** Oldest first. A delivery that waits for a person keeps its event. */
function oldEvents(database: Database, cutoff: string): string {
  const deliveries = database.table(DeliveryEntity);
  return `WITH gone AS (
      SELECT event.id FROM ${database.table(EventEntity)} event
      JOIN ${database.table(PaymentEntity)} payment ON payment.id = event.payment_id
      WHERE event.store_id = $1 AND event.created_at < ${cutoff} AND ${isSettled(database, cutoff)}
        AND NOT EXISTS (
          SELECT 1 FROM ${deliveries} delivery WHERE delivery.event_id = event.id AND delivery.done_at IS NULL
        )
      ORDER BY event.id
      LIMIT ${BATCH}
    ), told AS (
      DELETE FROM ${deliveries} USING gone WHERE event_id = gone.id
    )
    DELETE FROM ${database.table(EventEntity)} event USING gone WHERE event.id = gone.id`;
}

/** Those of a payment that is not settled stay; those of none of ours go. */
function oldNotifications(database: Database, cutoff: string): string {
  const notifications = database.table(NotificationEntity);
  return `DELETE FROM ${notifications} WHERE id IN (
      SELECT known.id FROM ${notifications} known
      LEFT JOIN ${database.table(PaymentEntity)} payment
        ON payment.store_id = known.store_id AND payment.service_id = known.object_id
      WHERE known.store_id = $1 AND known.last_at < ${cutoff}
        AND (known.count <= known.handled_count OR known.foreign_at IS NOT NULL)
        AND (payment.id IS NULL OR ${isSettled(database, cutoff)})
      ORDER BY known.last_at
      LIMIT ${BATCH}
    )`;
}

/** Over, and with nothing of its own under way. */
function isSettled(database: Database, cutoff: string): string {
  return `payment.status IN (${list(paymentStatuses.filter((status) => isFinal(status)))})
    AND payment.updated_at < ${cutoff} AND payment.next_check_at IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(OperationEntity)} operation
      WHERE operation.payment_id = payment.id AND (operation.outcome IS NULL OR operation.outcome = 'unknown')
    )
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(RefundEntity)} refund
      WHERE refund.payment_id = payment.id AND refund.status IN (${list(unsettledRefundStatuses)})
    )`;
}

function list(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
