import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreTurns, type StoreQueue } from '../stores/store-turns.js';
import { PaymentLease } from './payment-lease.js';
import { RereadBudget } from './reread-budget.js';

/** The right to re-read and apply one payment, for as long as its fence stands. */
export interface Claim {
  readonly paymentId: string;
  readonly fence: number;
  /** No later than in the database. */
  readonly leaseEndsAtMs: number;
}

/** Leases on payments, in the database's own time: a moved clock frees no lease that a running worker holds. */
@Injectable()
export class Claims {
  constructor(
    private readonly database: Database,
    private readonly turns: StoreTurns,
    private readonly budget: RereadBudget,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Re-reads of this process, `slots` at once. */
  queue(slots: number): StoreQueue<Claim> {
    return this.turns.queue(slots, {
      waits: (storeId) => `${this.budget.left(storeId)} AND EXISTS (${this.#free(storeId)} LIMIT 1)`,
      claim: (storeId) => this.#next(storeId),
    });
  }

  /**
   * Claims a payment of the store that is due by time or has unhandled notifications. The fence is compared with the one
   * the search saw: a payment that another worker claimed, re-read and released in between is not read again.
   */
  async #next(storeId: string): Promise<Claim | null> {
    const leaseEndsAtMs = this.#leaseEndsAtMs();
    const payments = this.database.table(PaymentEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ id: string; fence: number }[], number]>(
        `WITH free AS (
         ${this.#free('$1')}
       ), picked AS (
         SELECT payment.id
         FROM ${payments} payment
         JOIN (SELECT id, fence, min(due_at) AS due_at FROM free GROUP BY id, fence) due
           ON due.id = payment.id AND due.fence = payment.fence
         WHERE ${this.budget.left('$1')}
         ORDER BY due.due_at
         LIMIT 1
         FOR NO KEY UPDATE OF payment SKIP LOCKED
       ), spent AS (
         ${this.budget.spend('$1')}
       )
       UPDATE ${payments} payment
       SET lease_until = ${this.#leaseEnd()}, fence = payment.fence + 1
       FROM picked WHERE payment.id = picked.id
       RETURNING payment.id, payment.fence`,
        [storeId],
      ),
    );
    const [row] = rows;
    return row ? { paymentId: row.id, fence: row.fence, leaseEndsAtMs } : null;
  }

  /** SQL of the store's payments that wait to be re-read and that no worker has, each as often as it has reasons. */
  #free(storeId: string): string {
    const payments = this.database.table(PaymentEntity);
    const free = `(payment.lease_until IS NULL OR payment.lease_until <= clock_timestamp())
           AND (payment.retry_at IS NULL OR payment.retry_at <= clock_timestamp())`;
    // The time as a subquery is asked for once, and the index finds what is due: the function itself would be called for
    // every payment that has a due time at all.
    return `SELECT payment.id, payment.fence, payment.next_check_at AS due_at FROM ${payments} payment
         WHERE payment.store_id = ${storeId} AND payment.next_check_at <= (SELECT ${this.database.now}) AND ${free}
         UNION ALL
         SELECT payment.id, payment.fence, notification.first_at
         FROM ${this.database.table(NotificationEntity)} notification
         JOIN ${payments} payment
           ON payment.store_id = notification.store_id AND payment.service_id = notification.object_id
         WHERE notification.store_id = ${storeId} AND notification.count > notification.handled_count
           AND notification.object_type = 'payment' AND ${free}`;
  }

  /** Claims this payment if no other worker has it. */
  async one(paymentId: string): Promise<Claim | null> {
    const leaseEndsAtMs = this.#leaseEndsAtMs();
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
    return row ? { paymentId, fence: row.fence, leaseEndsAtMs } : null;
  }

  /** What the worker calls before each step of its work. */
  lease({ paymentId, fence, leaseEndsAtMs }: Claim): PaymentLease {
    const extend = async (lastsMs: number): Promise<boolean> => {
      const [, count] = await this.database.transaction((manager) =>
        manager.query<[unknown[], number]>(
          `UPDATE ${this.database.table(PaymentEntity)}
         SET lease_until = ${plusMs('clock_timestamp()', lastsMs)} WHERE id = $1 AND fence = $2`,
          [paymentId, fence],
        ),
      );
      return count === 1;
    };
    return new PaymentLease(extend, leaseEndsAtMs, this.options.leaseSpareMs);
  }

  #leaseEndsAtMs(): number {
    return Date.now() + this.options.leaseMs;
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
