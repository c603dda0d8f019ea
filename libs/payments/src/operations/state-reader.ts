import type { EntityManager, ObjectLiteral } from 'typeorm';
import { DATABASE_NOW } from '../common/clock.js';
import { PaymentNotFoundError } from '../common/payments.errors.js';
import type { Database, Reader } from '../database/database.js';
import { isOver } from '../database/lease.js';
import type { PaymentTable } from '../payment/change.js';
import { isAsked, lockDue } from '../payment/due.js';
import type { Queued } from '../payment/queue.js';
import type { AdmissionSql, State } from '../payment/state.js';
import { recoveringSql } from '../rollback/recovery-windows.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { paymentTables } from '../schema/payment-rows.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { OrderRow } from '../schema/rows.js';

type Row = Readonly<Record<string, unknown>> &
  Pick<State, 'now' | 'databaseNow' | 'anomalies' | 'isRecovering' | 'admission'> & {
    readonly [Table in PaymentTable]: readonly ObjectLiteral[];
  } & {
    /** null: it has no place in the queue. */
    readonly isAsked: boolean | null;
    readonly isTaken: boolean;
  };

/** As it was read. */
export type ReadState = State & { readonly order: OrderRow };

/**
 * `storeId`: of its caller; null: whatever store it is of.
 * @throws PaymentNotFoundError also for a payment of another store
 */
export async function readState(
  database: Database,
  from: Reader,
  paymentId: string,
  storeId: string | null,
  admission: AdmissionSql | null,
): Promise<ReadState> {
  const sql = `SELECT ${database.now} AS now, ${DATABASE_NOW} AS "databaseNow", ${database.columns(PaymentsOrderEntity, 'shop_order')},
        ${database.columns(PaymentsPaymentEntity, 'payment')}, ${allRows(database, 'refunds')}, ${allRows(database, 'receipts')}, ${allRows(database, 'problems')},
        ${allRows(database, 'operations')}, ${anomaliesSql(database)} AS anomalies, ${database.columns(PaymentsDueEntity, 'due')},
        ${isAsked(database, 'due')} AS "isAsked", NOT ${isOver('due.lease_until')} AS "isTaken", ${recoveringSql(database, 'payment.store_id')} AS "isRecovering",
        ${admission?.sql ?? 'NULL::json'} AS admission
      FROM ${database.table(PaymentsPaymentEntity)} payment
      JOIN ${database.table(PaymentsOrderEntity)} shop_order ON shop_order.id = payment.order_id
      LEFT JOIN ${database.table(PaymentsDueEntity)} due ON due.payment_id = payment.id
      WHERE payment.id = $1 AND payment.store_id = COALESCE($2, payment.store_id)`;
  const [row] = await from.query<Row[]>(sql, [paymentId, storeId, ...(admission?.parameters ?? [])]);
  if (!row) throw new PaymentNotFoundError(paymentId);
  return {
    now: row.now,
    databaseNow: row.databaseNow,
    order: database.hydrate(PaymentsOrderEntity, 'shop_order', row),
    payment: database.hydrate(PaymentsPaymentEntity, 'payment', row),
    refunds: row.refunds.map((one) => database.entityOf(paymentTables.refunds.entity, one)),
    receipts: row.receipts.map((one) => database.entityOf(paymentTables.receipts.entity, one)),
    problems: row.problems.map((one) => database.entityOf(paymentTables.problems.entity, one)),
    operations: row.operations.map((one) => database.entityOf(paymentTables.operations.entity, one)),
    queued: queuedIn(database, row),
    anomalies: row.anomalies,
    isRecovering: row.isRecovering,
    admission: row.admission,
  };
}

/** Of a payment that is locked in this transaction: nobody claims its operations, nor moves its place, until that ends. */
export async function readHeldState(
  database: Database,
  manager: EntityManager,
  paymentId: string,
): Promise<ReadState> {
  await manager.query(
    `SELECT FROM ${database.table(PaymentsOperationEntity)} WHERE payment_id = $1 AND settled_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
    [paymentId],
  );
  await lockDue(manager, paymentId);
  return readState(database, manager, paymentId, null, null);
}

function queuedIn(database: Database, row: Row): Queued | null {
  if (row.isAsked === null) return null;
  const due = database.hydrate(PaymentsDueEntity, 'due', row);
  const { readyAt, wantedAt, checks, lane, refundSignals, fence } = due;
  const { isAsked: asked, isTaken } = row;
  return { readyAt, wantedAt, checks, lane, refundSignals, fence, isAsked: asked, isTaken };
}

function anomaliesSql(database: Database): string {
  const events = database.table(PaymentsEventEntity);
  return `(SELECT COALESCE(json_agg(evidence ->> 'reason'), '[]') FROM ${events} event WHERE event.payment_id = payment.id AND name = 'payment.anomaly')`;
}

/** SQL of all rows of the payment. json: jsonb refuses some valid JSON (\u0000). */
function allRows(database: Database, table: PaymentTable): string {
  const { entity, order } = paymentTables[table];
  return `(SELECT COALESCE(json_agg(own ORDER BY ${order}), '[]') FROM ${database.table(entity)} own WHERE own.payment_id = payment.id) AS ${table}`;
}
