import { Inject, Injectable, Logger } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { isFinal, paymentStatuses } from '../payment/payment-status.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { RefundEntity } from '../refunds/refund.entity.js';
import { unsettledRefundStatuses } from '../refunds/refund-status.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** Rows that one transaction removes: few enough to hold no lock for long. */
const BATCH = 500;
/** Business time from one pass to the next. */
const EVERY_MS = 86_400_000;
/** In the database's own time. */
const LEASE_MS = 60_000;

const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/**
 * Removes what has been told and is long over: notifications, events and finished deliveries of settled payments. The
 * payments, orders, refunds and operations themselves stay, so that a notification replayed years later changes nothing.
 * Events of payouts, deals and payment methods stay too: they are all we know of those, and keep them from being told twice.
 */
@Injectable()
export class Retention {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Removes one batch if a pass is due; false where there is nothing left to remove. */
  async runNext(): Promise<boolean> {
    const { retentionMs } = this.options;
    if (retentionMs === null || !(await this.#lease())) return false;
    const cutoff = plusMs(this.database.now, -retentionMs);
    const removed = (await this.#removeEvents(cutoff)) + (await this.#removeNotifications(cutoff));
    if (removed > 0) {
      this.#logger.log(`Removed ${removed} rows about payments settled before the retention time.`);
      await this.#release({});
      return true;
    }
    await this.#release({ retentionAt: () => plusMs(this.database.now, EVERY_MS) });
    return false;
  }

  async #lease(): Promise<boolean> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE ${this.database.table(StoreEntity)}
         SET retention_lease_until = ${plusMs('clock_timestamp()', LEASE_MS)}
         WHERE id = $1 AND (retention_at IS NULL OR retention_at <= ${this.database.now})
           AND (retention_lease_until IS NULL OR retention_lease_until <= clock_timestamp())
         RETURNING id`,
        [this.stores.shop.id],
      ),
    );
    return rows.length > 0;
  }

  async #release(next: { retentionAt?: () => string }): Promise<void> {
    await this.database.transaction((manager) =>
      manager.update(StoreEntity, { id: this.stores.shop.id }, { ...next, retentionLeaseUntil: null }),
    );
  }

  /** Oldest first. A delivery that waits for a person keeps its event. */
  #removeEvents(cutoff: string): Promise<number> {
    const deliveries = this.database.table(DeliveryEntity);
    return this.#remove(
      `WITH gone AS (
         SELECT event.id FROM ${this.database.table(EventEntity)} event
         JOIN ${this.database.table(PaymentEntity)} payment ON payment.id = event.payment_id
         WHERE event.store_id = $1 AND event.created_at < ${cutoff} AND ${this.#isSettled(cutoff)}
           AND NOT EXISTS (
             SELECT 1 FROM ${deliveries} delivery WHERE delivery.event_id = event.id AND delivery.done_at IS NULL
           )
         ORDER BY event.id
         LIMIT ${BATCH}
       ), told AS (
         DELETE FROM ${deliveries} USING gone WHERE event_id = gone.id
       )
       DELETE FROM ${this.database.table(EventEntity)} event USING gone WHERE event.id = gone.id`,
    );
  }

  /** Those of a payment that is not settled stay; those of none of ours go. */
  #removeNotifications(cutoff: string): Promise<number> {
    const notifications = this.database.table(NotificationEntity);
    return this.#remove(
      `DELETE FROM ${notifications} WHERE id IN (
         SELECT known.id FROM ${notifications} known
         LEFT JOIN ${this.database.table(PaymentEntity)} payment
           ON payment.store_id = known.store_id AND payment.service_id = known.object_id
         WHERE known.store_id = $1 AND known.last_at < ${cutoff}
           AND (known.count <= known.handled_count OR known.foreign_at IS NOT NULL)
           AND (payment.id IS NULL OR ${this.#isSettled(cutoff)})
         ORDER BY known.last_at
         LIMIT ${BATCH}
       )`,
    );
  }

  /** Over, and with nothing of its own under way. */
  #isSettled(cutoff: string): string {
    return `payment.status IN (${list(paymentStatuses.filter((status) => isFinal(status)))})
      AND payment.updated_at < ${cutoff} AND payment.next_check_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM ${this.database.table(OperationEntity)} operation
        WHERE operation.payment_id = payment.id AND (operation.outcome IS NULL OR operation.outcome = 'unknown')
      )
      AND NOT EXISTS (
        SELECT 1 FROM ${this.database.table(RefundEntity)} refund
        WHERE refund.payment_id = payment.id AND refund.status IN (${list(unsettledRefundStatuses)})
      )`;
  }

  async #remove(sql: string): Promise<number> {
    const [, affected] = await this.database.transaction((manager) =>
      manager.query<[unknown[], number]>(sql, [this.stores.shop.id]),
    );
    return affected;
  }
}
