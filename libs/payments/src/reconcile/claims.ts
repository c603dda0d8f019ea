import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { RereadBudget } from './reread-budget.js';

/** The right to re-read and apply one payment, for as long as its fence stands. */
export interface Claim {
  readonly paymentId: string;
  readonly fence: number;
}

/** Leases on payments, in the database's own time: a moved clock frees no lease that a running worker holds. */
@Injectable()
export class Claims {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly budget: RereadBudget,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Claims a payment that is due by time or has unhandled notifications, of a store this process has credentials
   * for. The fence is compared with the one the search saw: a payment that another worker claimed, re-read and
   * released in between is not read again.
   */
  async next(): Promise<Claim | null> {
    const payments = this.database.table(PaymentEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ id: string; fence: number }[], number]>(
        `WITH due AS (
         SELECT id, next_check_at AS due_at FROM ${payments}
         WHERE next_check_at <= ${this.database.now} AND store_id = $1
         UNION ALL
         SELECT payment.id, notification.first_at
         FROM ${this.database.table(NotificationEntity)} notification
         JOIN ${payments} payment
           ON payment.store_id = notification.store_id AND payment.service_id = notification.object_id
         WHERE notification.count > notification.handled_count AND notification.object_type = 'payment'
           AND notification.store_id = $1
       ), free AS (
         SELECT payment.id, payment.fence, min(due.due_at) AS due_at
         FROM due JOIN ${payments} payment ON payment.id = due.id
         WHERE (payment.lease_until IS NULL OR payment.lease_until <= clock_timestamp())
           AND (payment.retry_at IS NULL OR payment.retry_at <= clock_timestamp())
         GROUP BY payment.id
       ), picked AS (
         SELECT payment.id
         FROM ${payments} payment JOIN free ON free.id = payment.id AND free.fence = payment.fence
         WHERE ${this.budget.left('$1')}
         ORDER BY free.due_at
         LIMIT 1
         FOR NO KEY UPDATE OF payment SKIP LOCKED
       ), spent AS (
         ${this.budget.spend('$1')}
       )
       UPDATE ${payments} payment
       SET lease_until = ${this.#leaseEnd()}, fence = payment.fence + 1
       FROM picked WHERE payment.id = picked.id
       RETURNING payment.id, payment.fence`,
        [this.stores.shop.id],
      ),
    );
    const [row] = rows;
    return row ? { paymentId: row.id, fence: row.fence } : null;
  }

  /** Claims this payment if no other worker has it. */
  async one(paymentId: string): Promise<Claim | null> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ fence: number }[], number]>(
        `UPDATE ${this.database.table(PaymentEntity)}
       SET lease_until = ${this.#leaseEnd()}, fence = fence + 1
       WHERE id = $1 AND (lease_until IS NULL OR lease_until <= clock_timestamp())
       RETURNING fence`,
        [paymentId],
      ),
    );
    const [row] = rows;
    return row ? { paymentId, fence: row.fence } : null;
  }

  /** Gives the payment back, unless another worker has taken it over; `retryMs` keeps the sweep away for so long. */
  async release({ paymentId, fence }: Claim, retryMs: number): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.database.table(PaymentEntity)}
       SET lease_until = NULL,
           retry_at = ${retryMs === 0 ? 'NULL' : plusMs('clock_timestamp()', retryMs)}
       WHERE id = $1 AND fence = $2`,
        [paymentId, fence],
      ),
    );
  }

  #leaseEnd(): string {
    return plusMs('clock_timestamp()', this.options.leaseMs);
  }
}
