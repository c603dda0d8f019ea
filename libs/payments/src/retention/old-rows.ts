import { plusMs } from '../common/clock.js';
import type { Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { BATCH, BEFORE_ALL, nextPage } from './page.js';
import { isSettled } from './settled.js';

/**
 * One walk through the records of a store that are long over, the oldest first: notifications, events and finished deliveries of
 * settled payments. The payments, orders, refunds and operations themselves stay, so that a notification replayed years later
 * changes nothing. Events of payouts, deals and payment methods stay too: they are all we know of those, and keep them from being
 * emitted twice. A batch costs the same whatever it keeps: what it keeps is skipped until the next walk. Two walks at once remove
 * each row once.
 */
export class OldRows {
  #event: string | null = '0';
  #notification: { readonly at: string; readonly id: string } | null = { at: '-infinity', id: BEFORE_ALL };

  constructor(
    private readonly database: Database,
    private readonly storeId: string,
    private readonly retentionMs: number,
  ) {}

  /** Whether everything that is old was looked at. */
  get isDone(): boolean {
    return this.#event === null && this.#notification === null;
  }

  /** Removes what is over among the next few rows, and returns how many. */
  async remove(): Promise<number> {
    const cutoff = plusMs(this.database.now, -this.retentionMs);
    let removed = 0;
    if (this.#event !== null) {
      const page = await nextPage<string>(this.database, oldEvents(this.database, cutoff), [
        this.storeId,
        this.#event,
      ]);
      this.#event = page.to;
      removed += page.changed;
    }
    if (this.#notification !== null) {
      const { at, id } = this.#notification;
      const page = await nextPage<{ at: string; id: string }>(
        this.database,
        oldNotifications(this.database, cutoff),
        [this.storeId, at, id],
      );
      this.#notification = page.to;
      removed += page.changed;
    }
    return removed;
  }
}

/** In the order in which they were recorded. A delivery that waits for a person keeps its event. */
function oldEvents(database: Database, cutoff: string): string {
  const events = database.table(PaymentsEventEntity);
  const deliveries = database.table(PaymentsDeliveryEntity);
  return `WITH page AS MATERIALIZED (
      SELECT id, payment_id, created_at FROM ${events}
      WHERE store_id = $1 AND payment_id IS NOT NULL AND id > $2
      ORDER BY id LIMIT ${BATCH}
    ), old AS MATERIALIZED (
      SELECT id, payment_id FROM page WHERE created_at < ${cutoff}
    ), gone AS MATERIALIZED (
      SELECT id FROM old
      WHERE EXISTS (
        SELECT 1 FROM ${database.table(PaymentsPaymentEntity)} payment
        WHERE payment.id = old.payment_id AND ${isSettled(database, cutoff)} OFFSET 0
      ) AND NOT EXISTS (
        SELECT 1 FROM ${deliveries} delivery WHERE delivery.event_id = old.id AND delivery.done_at IS NULL OFFSET 0
      )
    ), delivered AS (
      DELETE FROM ${deliveries} WHERE event_id = ANY(ARRAY(SELECT id FROM gone))
    ), removed AS (
      DELETE FROM ${events} WHERE id = ANY(ARRAY(SELECT id FROM gone)) RETURNING id
    )
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM removed) AS changed,
      (SELECT max(id)::text FROM old) AS "to"`;
}

/**
 * In the order in which they first came. Those that came again recently stay, and so do those of a payment that is not settled;
 * those of payments that are not ours go. For one that came again meanwhile its age is checked once more: the row is locked by
 * then.
 */
function oldNotifications(database: Database, cutoff: string): string {
  const notifications = database.table(PaymentsNotificationEntity);
  const isOld = `waiting_since IS NULL AND last_at < ${cutoff}`;
  return `WITH page AS MATERIALIZED (
      SELECT id, first_at, last_at, object_id FROM ${notifications}
      WHERE store_id = $1 AND waiting_since IS NULL AND first_at < ${cutoff} AND (first_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY first_at, id LIMIT ${BATCH}
    ), kept AS MATERIALIZED (
      SELECT payment.service_id FROM ${database.table(PaymentsPaymentEntity)} payment
      WHERE payment.store_id = $1 AND payment.service_id = ANY(ARRAY(SELECT object_id FROM page))
        AND NOT (${isSettled(database, cutoff)})
    ), removed AS (
      DELETE FROM ${notifications}
      WHERE id = ANY(ARRAY(
          SELECT id FROM page WHERE last_at < ${cutoff} AND object_id NOT IN (SELECT service_id FROM kept))) AND ${isOld}
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM page) AS seen, (SELECT count(*)::int FROM removed) AS changed,
      (SELECT json_build_object('at', first_at, 'id', id) FROM page ORDER BY first_at DESC, id DESC LIMIT 1) AS "to"`;
}
