import type { EntityManager } from 'typeorm';
import { PaymentNotFoundError } from '../common/payments.errors.js';
import { newId } from '../common/uuid.js';
import { TERMS, TERMS_OF_GUEST, type Database } from '../database/database.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** SQL of the assignment of everyone who locks the row `locked` of an order. */
export const LOCKS_ORDER = 'version = locked.version + 1';

/** An order and one of its payments, both locked until the transaction ends. */
export interface LockedPayment {
  readonly order: PaymentsOrderEntity;
  readonly payment: PaymentsPaymentEntity;
}

/**
 * Locks a payment in the one order that every transaction keeps (order → payment → refund → operation → due), so that no two can
 * deadlock. The order's version is incremented with its lock, so that no write based on an earlier read succeeds after it.
 * @throws PaymentNotFoundError also for a payment of another store, if one is named
 */
export async function lockPayment(
  manager: EntityManager,
  database: Database,
  paymentId: string,
  storeId: string | null = null,
): Promise<LockedPayment> {
  const rows = await manager.query<Row[]>(lockSql(database), [paymentId, storeId]);
  return lockedIn(database, paymentId, rows);
}

/**
 * Runs `work` in a transaction that begins with these locks.
 * @throws PaymentNotFoundError
 */
export function withPayment<T>(
  database: Database,
  { id: paymentId, storeId }: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>,
  work: (manager: EntityManager, locked: LockedPayment) => Promise<T>,
  bounds: { readonly waitMs?: number } = {},
): Promise<T> {
  const first = { sql: (terms: string) => lockSql(database, { terms }), parameters: [paymentId, storeId] };
  return database.transactionFrom(
    first,
    (manager, { rows }) => work(manager, lockedIn(database, paymentId, rows)),
    bounds,
  );
}

/** Runs `work` in a transaction that begins with the lock on an order, which is recorded if there is none. */
export function withOrder<T>(
  database: Database,
  order: Pick<PaymentsOrderEntity, 'storeId' | 'reference' | 'currency' | 'totalDueMinor'>,
  work: (manager: EntityManager, order: PaymentsOrderEntity) => Promise<T>,
): Promise<T> {
  const sql = (terms: string) => `WITH ${TERMS} INSERT INTO ${database.table(PaymentsOrderEntity)} AS locked
       (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
     SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, ${database.now}, ${database.now} FROM terms
     ON CONFLICT (store_id, reference) DO UPDATE SET ${LOCKS_ORDER}
     RETURNING ${terms}, ${database.columns(PaymentsOrderEntity, 'locked')}`;
  const parameters = [newId(), order.storeId, order.reference, order.currency, order.totalDueMinor];
  return database.transactionFrom({ sql, parameters }, (manager, { rows: [row] }) => {
    if (!row) throw new Error('PostgreSQL returned no order.');
    return work(manager, database.hydrate(PaymentsOrderEntity, 'locked', row));
  });
}

/** Likewise of an order that is known: null if there is none. */
export function withKnownOrder<T>(
  database: Database,
  { storeId, reference }: Pick<PaymentsOrderEntity, 'storeId' | 'reference'>,
  work: (manager: EntityManager, order: PaymentsOrderEntity | null) => Promise<T>,
): Promise<T> {
  const sql = (
    terms: string,
  ) => `WITH ${TERMS} UPDATE ${database.table(PaymentsOrderEntity)} AS locked SET ${LOCKS_ORDER}
     WHERE id = (SELECT id FROM terms, ${database.table(PaymentsOrderEntity)} WHERE store_id = $1 AND reference = $2)
     RETURNING ${terms}, ${database.columns(PaymentsOrderEntity, 'locked')}`;
  return database.transactionFrom({ sql, parameters: [storeId, reference] }, (manager, { rows: [row] }) =>
    work(manager, row ? database.hydrate(PaymentsOrderEntity, 'locked', row) : null),
  );
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The payment is locked last, and its row is read after that: a previous holder of the order's lock may have changed it. `terms`: of
 * the transaction that begins with it; in one of the host's own this is our first statement.
 */
function lockSql(database: Database, begun?: { readonly terms: string }): string {
  const payments = database.table(PaymentsPaymentEntity);
  return `WITH ${begun ? `${TERMS}, ` : ''}order_row AS (
      UPDATE ${database.table(PaymentsOrderEntity)} locked SET ${LOCKS_ORDER}
      WHERE id = (SELECT order_id FROM ${begun ? 'terms, ' : ''}${payments} WHERE id = $1 AND store_id = COALESCE($2, store_id))
      RETURNING *
    )
    SELECT ${begun?.terms ?? TERMS_OF_GUEST}, ${database.columns(PaymentsOrderEntity, 'order_row')}, ${database.columns(PaymentsPaymentEntity, 'payment')}
    FROM order_row JOIN ${payments} payment ON payment.id = $1
    FOR NO KEY UPDATE OF payment`;
}

function lockedIn(database: Database, paymentId: string, [row]: readonly Row[]): LockedPayment {
  if (!row) throw new PaymentNotFoundError(paymentId);
  return {
    order: database.hydrate(PaymentsOrderEntity, 'order_row', row),
    payment: database.hydrate(PaymentsPaymentEntity, 'payment', row),
  };
}
