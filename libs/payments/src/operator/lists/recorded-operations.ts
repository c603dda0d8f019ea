import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { acrossStores } from '../across-stores.js';

/** A request that moves money or registers a receipt, as it was recorded before it was sent. */
export interface RecordedOperation {
  readonly id: string;
  readonly store: string;
  readonly paymentId: string;
  readonly orderReference: string;
  readonly kind: PaymentsOperationEntity['kind'];
  /** The refund that it asks for; null for every other kind. */
  readonly refundId: string | null;
  readonly idempotenceKey: string;
  /**
   * `confirmed`, `refused`: for good. `unknown`: an attempt is in progress or its answer was lost, so the service may have acted.
   * null: no attempt of unknown outcome; it is still to be sent.
   */
  readonly outcome: PaymentsOperationEntity['outcome'];
  /** Attempts so far. */
  readonly attempts: number;
  /** The last failure, if there was one: what the service or the network said, without a body. */
  readonly lastError: Readonly<Record<string, unknown>> | null;
  /** Business time, as the other times. */
  readonly recordedAt: Date;
  readonly firstSentAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly settledAt: Date | null;
}

/** A request with what it says. */
export interface RequestInFull extends RecordedOperation {
  /** The body, as JSON, without what it says of the buyer, which {@link PaymentsOperator.buyer} tells. No card data, no token. */
  readonly body: string;
}

/** Without an outcome: the oldest ones of all stores, by the index. */
export function unsettledOperations(
  database: Database,
  stores: StoreRegistry,
  limit: number,
): Promise<RecordedOperation[]> {
  const oldest = acrossStores(database, stores, {
    table: database.table(PaymentsOperationEntity),
    condition: `(outcome IS NULL OR outcome = 'unknown')`,
    order: ['recorded_at'],
    limit: '$1::int',
  });
  return readOperations<RecordedOperation>(database, `${oldest} operation`, [limit]);
}

/** Of one payment, the oldest first. */
export function operationsOf(database: Database, paymentId: string, limit: number): Promise<RequestInFull[]> {
  const ofIt = `(SELECT * FROM ${database.table(PaymentsOperationEntity)} WHERE payment_id = $2::uuid OFFSET 0) operation`;
  return readOperations<RequestInFull>(database, ofIt, [limit, paymentId], ', operation.body');
}

/** OFFSET 0 keeps each look with its row, whatever statistics say. */
function readOperations<Found extends RecordedOperation>(
  database: Database,
  rows: string,
  parameters: readonly unknown[],
  more = '',
): Promise<Found[]> {
  const payments = database.table(PaymentsPaymentEntity);
  const orders = database.table(PaymentsOrderEntity);
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Found[]>(
      `SELECT operation.id, operation.store_id AS "store", operation.payment_id AS "paymentId", shop_order.reference AS "orderReference",
           operation.kind, operation.refund_id AS "refundId", operation.idempotence_key AS "idempotenceKey", operation.outcome,
           operation.attempts, operation.last_error AS "lastError", operation.recorded_at AS "recordedAt",
           operation.first_sent_at AS "firstSentAt", operation.last_sent_at AS "lastSentAt", operation.settled_at AS "settledAt"${more}
         FROM (SELECT operation.* FROM ${rows} ORDER BY operation.recorded_at, operation.id LIMIT $1::int) operation
         CROSS JOIN LATERAL (SELECT order_id FROM ${payments} WHERE id = operation.payment_id OFFSET 0) payment
         CROSS JOIN LATERAL (SELECT reference FROM ${orders} WHERE id = payment.order_id OFFSET 0) shop_order
         ORDER BY operation.recorded_at, operation.id`,
      [...parameters],
    );
  });
}
