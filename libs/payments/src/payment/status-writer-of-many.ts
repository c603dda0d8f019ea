import type { Cause } from '../common/cause.js';
import type { PaymentStatus, ServiceStatus } from '../common/payment-status.js';
import type { Database } from '../database/database.js';
import { EventEntity } from '../schema/event.entity.js';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import type { OrderTotals } from './order-totals.js';
import { deliveriesOf } from './record-event.js';

/** The fields that a payment takes over from the object that was read, besides its status. */
export type PaymentChange = Pick<
  PaymentEntity,
  | 'serviceId'
  | 'test'
  | 'authorizedMinor'
  | 'capturedMinor'
  | 'confirmation'
  | 'holdExpiresAt'
  | 'holdDueAt'
  | 'holdTries'
  | 'cancellation'
  | 'cardLast4'
  | 'receiptStatus'
  | 'object'
>;

/**
 * Writes to payments whose rows nobody has locked: many in one statement, status, event, deliveries and order totals together
 * (G5). Their decisions are based on earlier reads, so each write succeeds only while its order still has the version it had
 * then: locking an order increments it.
 */

/** A change of a payment, decided on rows that were read with its order. */
interface LedgerWrite {
  readonly payment: Pick<PaymentEntity, 'id' | 'storeId' | 'status'>;
  readonly order: Pick<OrderEntity, 'id' | 'version'>;
  /** null: nothing of it is new. */
  readonly fields: PaymentChange | null;
  /** null: its status stays. */
  readonly moved: Moved | null;
}

export interface Moved {
  readonly to: ServiceStatus;
  readonly from: PaymentStatus;
  readonly totals: OrderTotals & Pick<OrderEntity, 'state'>;
  readonly cause: Cause;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** The columns of such a row, for `jsonb_to_recordset`. */
export const LEDGER_COLUMNS = `payment_id uuid, store_id uuid, order_id uuid, version int, is_changed boolean,
          from_status text, to_status text, cause text, evidence jsonb,
          service_id text, test boolean, authorized_minor bigint, captured_minor bigint, confirmation jsonb,
          hold_expires_at timestamptz, hold_due_at timestamptz, hold_tries int, cancellation jsonb, card_last4 text, receipt_status text, object jsonb,
          paid_minor bigint, held_minor bigint, refunded_minor bigint, state text`;

/** Such a row. */
export function ledgerRow({ payment, order, fields, moved }: LedgerWrite): Readonly<Record<string, unknown>> {
  return {
    payment_id: payment.id,
    store_id: payment.storeId,
    order_id: order.id,
    version: order.version,
    is_changed: fields !== null,
    ...(moved && {
      from_status: moved.from,
      to_status: moved.to,
      cause: moved.cause,
      evidence: moved.evidence,
      paid_minor: moved.totals.paidMinor,
      held_minor: moved.totals.heldMinor,
      refunded_minor: moved.totals.refundedMinor,
      state: moved.totals.state,
    }),
    ...(fields && {
      service_id: fields.serviceId,
      test: fields.test,
      authorized_minor: fields.authorizedMinor,
      captured_minor: fields.capturedMinor,
      confirmation: fields.confirmation,
      hold_expires_at: fields.holdExpiresAt,
      hold_due_at: fields.holdDueAt,
      hold_tries: fields.holdTries,
      cancellation: fields.cancellation,
      card_last4: fields.cardLast4,
      receipt_status: fields.receiptStatus,
      object: fields.object,
    }),
  };
}

/**
 * SQL of the CTE `locked`: the orders of those rows of `given` that change something, if their version is still the same; locked
 * in the order of their ids, since statements that lock several would otherwise deadlock. A look-up by `ANY(ARRAY(…))` uses the
 * key, whatever the planner believes of the table's size.
 */
export function lockedOrders(database: Database): string {
  return `locked AS MATERIALIZED (
        SELECT place.id FROM ${database.table(OrderEntity)} place
        JOIN given ON given.order_id = place.id AND given.version = place.version
        WHERE given.is_changed AND place.id = ANY(ARRAY(SELECT order_id FROM given WHERE is_changed))
        ORDER BY place.id FOR NO KEY UPDATE OF place
      )`;
}

/** SQL of the CTEs that write the rows of `mine`; `changed` and `totals` return the payments' and orders' new rows. */
export function ledgerWrites(database: Database): string {
  const { now } = database;
  return `changed AS (
        UPDATE ${database.table(PaymentEntity)} payment
        SET status = COALESCE(to_status, status), service_id = mine.service_id, test = mine.test,
          authorized_minor = mine.authorized_minor, captured_minor = mine.captured_minor,
          confirmation = mine.confirmation, hold_expires_at = mine.hold_expires_at,
          hold_due_at = mine.hold_due_at, hold_tries = mine.hold_tries, cancellation = mine.cancellation,
          card_last4 = mine.card_last4, receipt_status = mine.receipt_status, object = mine.object, updated_at = CASE WHEN to_status IS NULL THEN updated_at ELSE ${now} END
        FROM mine WHERE payment.id = mine.payment_id AND is_changed
          AND payment.id = ANY(ARRAY(SELECT payment_id FROM mine WHERE is_changed))
        RETURNING payment.*
      ), totals AS (
        UPDATE ${database.table(OrderEntity)} place
        SET paid_minor = mine.paid_minor, held_minor = mine.held_minor, refunded_minor = mine.refunded_minor,
          state = mine.state, version = place.version + 1, updated_at = ${now}
        FROM mine WHERE place.id = mine.order_id AND to_status IS NOT NULL
          AND place.id = ANY(ARRAY(SELECT order_id FROM mine WHERE to_status IS NOT NULL))
        RETURNING place.*
      ), event AS (
        INSERT INTO ${database.table(EventEntity)}
          (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
        SELECT store_id, 'payment', payment_id, payment_id, 'payment.' || to_status, from_status, to_status, cause, evidence, ${now}
        FROM mine WHERE to_status IS NOT NULL
        RETURNING *
      ), announced AS (
        ${deliveriesOf(database)}
        RETURNING event_id
      )`;
}
