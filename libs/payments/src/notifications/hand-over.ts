import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../common/clock.js';
import { unsettledRefundStatuses } from '../common/refund-status.js';
import { lists } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { wantedAt } from '../payment/due.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsNotificationEntity, type NotificationStep } from '../schema/notification.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { only } from '../stores/store-turns.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { WorkSignal } from '../work/work-signal.js';
import { headOfStep } from './notification-steps.js';

/** One statement hands over at most this many notifications of each store, and of this many stores. */
const BATCH = 64;
const STORES = 8;

/** SQL of the statuses of a refund that can still change. */
const UNSETTLED = unsettledRefundStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Hands notifications to their payments: makes each payment due. So there is one queue of re-reads, whatever the reason, and a
 * hundred repeats are one re-read. The door itself touches no payment's row, and waits for none.
 *
 * A refund's is handed to the payment that it names, whose refunds are listed then: a thousand forged ones cost that one payment a
 * re-read, and those that name no payment of ours wait behind all others, to be looked for once. Of a refund that has ended nothing
 * is news.
 *
 * Notifications of a payment that is not known are left to be looked up in the end; the first re-read after its id is known sees
 * them (G7).
 */
@Injectable()
export class HandOver {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: there is something to hand over. */
  get waits(): string {
    const { shop, mayHaveConnected } = this.stores;
    if (!mayHaveConnected && shop !== null) return this.#ofStore(only(shop.id));
    return `EXISTS (SELECT FROM ${this.database.table(PaymentsStoreEntity)} store WHERE ${this.#ofStore('store.id')})`;
  }

  /** Hands a batch over; false if there is none. */
  async runNext(): Promise<boolean> {
    const stores = await this.#waiting();
    if (stores.length === 0) return false;
    const next = await this.#handOver(stores);
    if (next.length === 0) return false;
    this.signal.wake('payments');
    if (next.includes('re_read_again')) this.signal.wake('objects');
    return true;
  }

  async #waiting(): Promise<string[]> {
    const { shop, mayHaveConnected } = this.stores;
    if (!mayHaveConnected && shop !== null) return [shop.id];
    const rows = await this.database.read((from) =>
      from.query<{ id: string }[]>(
        `SELECT store.id FROM ${this.database.table(PaymentsStoreEntity)} store
         WHERE ${this.#ofStore('store.id')} ORDER BY random() LIMIT ${STORES}`,
      ),
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Rows are locked in an order of their own, and the notifications last, as by an apply. Rows locked by somebody else are left for the next time, since their owner may be waiting for rows locked here.
   */
  async #handOver(stores: readonly string[]): Promise<NotificationStep[]> {
    const { database } = this;
    const due = database.table(PaymentsDueEntity);
    const notifications = database.table(PaymentsNotificationEntity);
    const { rows } = await database.statement<{ step: NotificationStep }>(
      `WITH ${TERMS}, notified AS MATERIALIZED (
         SELECT notified.* FROM ${lists('$1::uuid[]')} AS asked (store_id) CROSS JOIN terms CROSS JOIN LATERAL (
           SELECT id, store_id, object_type, object_id, of_payment, count FROM ${notifications} known
           WHERE ${this.#head('known', 'asked.store_id')} LIMIT ${BATCH}
         ) notified
       ), refunded AS MATERIALIZED (
         SELECT notified.id AS notification_id, refund.payment_id, refund.status NOT IN (${UNSETTLED}) AS is_over
         FROM notified CROSS JOIN LATERAL (
           SELECT payment_id, status FROM ${database.table(PaymentsRefundEntity)}
           WHERE store_id = notified.store_id AND service_id = notified.object_id OFFSET 0
         ) refund WHERE notified.object_type = 'refund'
       ), known AS MATERIALIZED (
         SELECT notified.id AS notification_id, payment.id AS payment_id, notified.object_type = 'refund' AS is_refund
         FROM notified CROSS JOIN LATERAL (
           -- By the index, one by one, however many the planner takes them for.
           SELECT id FROM ${database.table(PaymentsPaymentEntity)}
           WHERE store_id = notified.store_id
             AND service_id = CASE notified.object_type WHEN 'refund' THEN notified.of_payment ELSE notified.object_id END OFFSET 0
         ) payment WHERE notified.id <> ALL(ARRAY(SELECT notification_id FROM refunded))
         UNION ALL
         SELECT notification_id, payment_id, true FROM refunded WHERE NOT is_over
       ), queued AS MATERIALIZED (
         SELECT payment_id FROM ${due} WHERE payment_id = ANY(ARRAY(SELECT payment_id FROM known))
         ORDER BY payment_id FOR NO KEY UPDATE SKIP LOCKED
       ), woken AS (
         UPDATE ${due} due SET ${wantedAt(database, database.now)}, refund_signals = due.refund_signals + ${signalOf('due.payment_id')}
         WHERE payment_id = ANY(ARRAY(SELECT payment_id FROM queued))
         RETURNING payment_id
       ), unqueued AS MATERIALIZED (
         -- Whoever holds a place in the queue that is not committed yet has the payment locked: an insert would wait for its end.
         SELECT id, store_id FROM ${database.table(PaymentsPaymentEntity)}
         WHERE id = ANY(ARRAY(
           SELECT payment_id FROM known
           EXCEPT SELECT payment_id FROM ${due} WHERE payment_id = ANY(ARRAY(SELECT payment_id FROM known))))
         ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
       ), opened AS (
         INSERT INTO ${due} (payment_id, store_id, lane, ready_at, refund_signals)
         SELECT id, store_id, 'notified', ${database.now}, ${signalOf('id')} FROM unqueued ORDER BY id
         ON CONFLICT (payment_id) DO NOTHING
         RETURNING payment_id
       ), done AS MATERIALIZED (
         SELECT notified.id, notified.count, notified.object_type = 'refund' AS is_refund, known.payment_id IS NULL AND is_over IS NULL AS stray
         FROM notified LEFT JOIN known ON known.notification_id = notified.id LEFT JOIN refunded ON refunded.notification_id = notified.id
         WHERE known.payment_id IS NULL OR known.payment_id IN (SELECT payment_id FROM woken UNION ALL SELECT payment_id FROM opened)
       ), locked AS MATERIALIZED (
         SELECT id FROM ${notifications} WHERE id = ANY(ARRAY(SELECT id FROM done))
         ORDER BY store_id, object_id, event FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ${notifications} notified
       SET step = CASE WHEN NOT stray THEN 'hand_over' WHEN is_refund THEN 're_read_again' ELSE 'look_up' END,
         ready_at = CASE
           WHEN stray AND foreign_at IS NOT NULL THEN NULL
           WHEN stray AND is_refund THEN ${database.now}
           WHEN stray THEN GREATEST(${database.now}, ${plusMs('first_at', lookUpAfterMs(this.options))})
           -- One that came meanwhile may name another payment.
           WHEN is_refund AND notified.count > done.count THEN ${database.now} END,
         -- A payment's own are handled by its re-read; a refund's, once its payment is to be read, for refunds too.
         handled_count = CASE WHEN is_refund AND NOT stray THEN done.count ELSE notified.handled_count END,
         waiting_since = CASE WHEN is_refund AND NOT stray THEN CASE WHEN notified.count > done.count THEN last_at END
           ELSE notified.waiting_since END,
         foreign_at = CASE WHEN NOT is_refund OR stray THEN foreign_at END
       FROM done WHERE notified.id = done.id AND notified.id = ANY(ARRAY(SELECT id FROM locked))
       RETURNING notified.step`,
      [stores],
    );
    return rows.map(({ step }) => step);
  }

  #ofStore(storeId: string): string {
    return `(SELECT true FROM ${this.database.table(PaymentsNotificationEntity)} notified
      WHERE ${this.#head('notified', storeId)} LIMIT 1) IS NOT NULL`;
  }

  #head(alias: string, storeId: string): string {
    return headOfStep(this.database, alias, storeId, 'hand_over');
  }
}

/** SQL of how many requests to list its refunds a payment gets. */
function signalOf(paymentId: string): string {
  return `CASE WHEN ${paymentId} = ANY(ARRAY(SELECT payment_id FROM known WHERE is_refund)) THEN 1 ELSE 0 END`;
}

/** No call waits for the answer to its create any longer than that. */
function lookUpAfterMs({
  callDeadlineMs,
  foreignAfterMs,
}: Pick<ResolvedPaymentsOptions, 'callDeadlineMs' | 'foreignAfterMs'>): number {
  return Math.min(callDeadlineMs, foreignAfterMs);
}
