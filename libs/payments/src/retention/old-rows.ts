import { plusMs } from '../common/clock.js';
import { isFinal, paymentStatuses } from '../common/payment-status.js';
import { unsettledRefundStatuses } from '../common/refund-status.js';
import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import { DeliveryEntity } from '../schema/delivery.entity.js';
import { DueEntity } from '../schema/due.entity.js';
import { EventEntity } from '../schema/event.entity.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { OperationEntity } from '../schema/operation.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { RefundEntity } from '../schema/refund.entity.js';

/** Rows that one statement looks at, and may remove: few enough to hold no lock for long. */
const BATCH = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The result of one statement: how many rows it looked at and removed, and where the next one continues. */
interface Page<Place> {
  readonly seen: number;
  readonly removed: number;
  readonly to: Place | null;
}

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
  get areGone(): boolean {
    return this.#event === null && this.#notification === null;
  }

  /** Removes what is over among the next few rows, and returns how many. */
  async remove(): Promise<number> {
    const cutoff = plusMs(this.database.now, -this.retentionMs);
    let removed = 0;
    if (this.#event !== null) {
      const page = await this.#page<string>(oldEvents(this.database, cutoff), [this.#event]);
      this.#event = page.to;
      removed += page.removed;
    }
    if (this.#notification !== null) {
      const { at, id } = this.#notification;
      const page = await this.#page<{ at: string; id: string }>(oldNotifications(this.database, cutoff), [
        at,
        id,
      ]);
      this.#notification = page.to;
      removed += page.removed;
    }
    return removed;
  }

  async #page<Place>(sql: string, from: readonly string[]): Promise<Page<Place>> {
    const [page] = await this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Page<Place>[]>(sql, [this.storeId, ...from]);
    });
    if (!page) throw new Error('PostgreSQL did not return what it removed.');
    return { ...page, to: page.seen < BATCH ? null : page.to };
  }
}

/** In the order in which they were recorded. A delivery that waits for a person keeps its event. */
function oldEvents(database: Database, cutoff: string): string {
  const events = database.table(EventEntity);
  const deliveries = database.table(DeliveryEntity);
  return `WITH page AS MATERIALIZED (
      SELECT id, payment_id, created_at FROM ${events}
      WHERE store_id = $1 AND payment_id IS NOT NULL AND id > $2
      ORDER BY id LIMIT ${BATCH}
    ), old AS MATERIALIZED (
      SELECT id, payment_id FROM page WHERE created_at < ${cutoff}
    ), gone AS MATERIALIZED (
      SELECT id FROM old
      WHERE EXISTS (
        SELECT 1 FROM ${database.table(PaymentEntity)} payment
        WHERE payment.id = old.payment_id AND ${isSettled(database, cutoff)} OFFSET 0
      ) AND NOT EXISTS (
        SELECT 1 FROM ${deliveries} delivery WHERE delivery.event_id = old.id AND delivery.done_at IS NULL OFFSET 0
      )
    ), delivered AS (
      DELETE FROM ${deliveries} WHERE event_id = ANY(ARRAY(SELECT id FROM gone))
    ), removed AS (
      DELETE FROM ${events} WHERE id = ANY(ARRAY(SELECT id FROM gone)) RETURNING id
    )
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM removed) AS removed,
      (SELECT max(id)::text FROM old) AS "to"`;
}

/**
 * In the order in which they first came. Those that came again recently stay, and so do those of a payment that is not settled;
 * those of payments that are not ours go. For one that came again meanwhile its age is checked once more: the row is locked by
 * then.
 */
function oldNotifications(database: Database, cutoff: string): string {
  const notifications = database.table(NotificationEntity);
  const isOld = `waiting_since IS NULL AND last_at < ${cutoff}`;
  return `WITH page AS MATERIALIZED (
      SELECT id, first_at, last_at, object_id FROM ${notifications}
      WHERE store_id = $1 AND waiting_since IS NULL AND first_at < ${cutoff} AND (first_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY first_at, id LIMIT ${BATCH}
    ), kept AS MATERIALIZED (
      SELECT payment.service_id FROM ${database.table(PaymentEntity)} payment
      WHERE payment.store_id = $1 AND payment.service_id = ANY(ARRAY(SELECT object_id FROM page))
        AND NOT (${isSettled(database, cutoff)})
    ), removed AS (
      DELETE FROM ${notifications}
      WHERE id = ANY(ARRAY(
          SELECT id FROM page WHERE last_at < ${cutoff} AND object_id NOT IN (SELECT service_id FROM kept))) AND ${isOld}
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM page) AS seen, (SELECT count(*)::int FROM removed) AS removed,
      (SELECT json_build_object('at', first_at, 'id', id) FROM page ORDER BY first_at DESC, id DESC LIMIT 1) AS "to"`;
}

/**
 * Over, with nothing of its own in progress. OFFSET 0 keeps each check with its payment: as a join PostgreSQL might read the
 * whole of a table for a few payments. COALESCE keeps it from the index of everything in progress, of any payment.
 */
function isSettled(database: Database, cutoff: string): string {
  return `payment.status IN (${list(paymentStatuses.filter((status) => isFinal(status)))})
    AND payment.updated_at < ${cutoff}
    AND NOT EXISTS (SELECT 1 FROM ${database.table(DueEntity)} due WHERE due.payment_id = payment.id)
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(OperationEntity)} operation
      WHERE operation.payment_id = payment.id AND COALESCE(operation.outcome, 'unknown') = 'unknown' OFFSET 0
    )
    AND NOT EXISTS (
      SELECT 1 FROM ${database.table(RefundEntity)} refund
      WHERE refund.payment_id = payment.id AND refund.status IN (${list(unsettledRefundStatuses)}) OFFSET 0
    )`;
}

function list(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
