import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../common/clock.js';
import { lists } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { wanted } from '../payment/due.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { only } from '../stores/store-turns.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { WorkSignal } from '../work/work-signal.js';
import { headOfStep } from './notification-steps.js';

/** One statement hands over at most this many notifications of each store, and of this many stores. */
const BATCH = 64;
const STORES = 8;

/**
 * Hands notifications to their payments: makes each payment due. So there is one queue of re-reads, whatever the reason, and a
 * hundred repeats are one re-read. The door itself touches no payment's row, and waits for none.
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
    if ((await this.#handOver(stores)) === 0) return false;
    this.signal.wake('payments');
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
  async #handOver(stores: readonly string[]): Promise<number> {
    const { database } = this;
    const due = database.table(PaymentsDueEntity);
    const notifications = database.table(PaymentsNotificationEntity);
    const { affected } = await database.statement(
      `WITH ${TERMS}, notified AS MATERIALIZED (
         SELECT notified.* FROM ${lists('$1::uuid[]')} AS asked (store_id) CROSS JOIN terms CROSS JOIN LATERAL (
           SELECT id, store_id, object_id FROM ${notifications} known
           WHERE ${this.#head('known', 'asked.store_id')} LIMIT ${BATCH}
         ) notified
       ), known AS MATERIALIZED (
         SELECT notified.id AS notification_id, payment.id AS payment_id, payment.store_id
         FROM notified CROSS JOIN LATERAL (
           -- By the index, one by one, however many the planner takes them for.
           SELECT id, store_id FROM ${database.table(PaymentsPaymentEntity)}
           WHERE store_id = notified.store_id AND service_id = notified.object_id OFFSET 0
         ) payment
       ), queued AS MATERIALIZED (
         SELECT payment_id FROM ${due} WHERE payment_id = ANY(ARRAY(SELECT payment_id FROM known))
         ORDER BY payment_id FOR NO KEY UPDATE SKIP LOCKED
       ), woken AS (
         UPDATE ${due} due SET ${wanted(database, database.now)}
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
         INSERT INTO ${due} (payment_id, store_id, lane, ready_at)
         SELECT id, store_id, 'notified', ${database.now} FROM unqueued ORDER BY id
         ON CONFLICT (payment_id) DO NOTHING
         RETURNING payment_id
       ), done AS MATERIALIZED (
         SELECT notified.id, known.payment_id IS NULL AS stray FROM notified LEFT JOIN known ON known.notification_id = notified.id
         WHERE known.payment_id IS NULL OR known.payment_id IN (SELECT payment_id FROM woken UNION ALL SELECT payment_id FROM opened)
       ), locked AS MATERIALIZED (
         SELECT id FROM ${notifications} WHERE id = ANY(ARRAY(SELECT id FROM done))
         ORDER BY store_id, object_id, event FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ${notifications} notified
       SET step = CASE WHEN stray THEN 'look_up' ELSE 'hand_over' END,
         ready_at = CASE WHEN stray AND foreign_at IS NULL
           THEN GREATEST(${database.now}, ${plusMs('first_at', lookUpAfterMs(this.options))}) END
       FROM done WHERE notified.id = done.id AND notified.id = ANY(ARRAY(SELECT id FROM locked))`,
      [stores],
    );
    return affected;
  }

  #ofStore(storeId: string): string {
    return `(SELECT true FROM ${this.database.table(PaymentsNotificationEntity)} notified
      WHERE ${this.#head('notified', storeId)} LIMIT 1) IS NOT NULL`;
  }

  #head(alias: string, storeId: string): string {
    return headOfStep(this.database, alias, storeId, 'hand_over');
  }
}

/** No call waits for the answer to its create any longer than that. */
function lookUpAfterMs({
  callDeadlineMs,
  foreignAfterMs,
}: Pick<ResolvedPaymentsOptions, 'callDeadlineMs' | 'foreignAfterMs'>): number {
  return Math.min(callDeadlineMs, foreignAfterMs);
}
