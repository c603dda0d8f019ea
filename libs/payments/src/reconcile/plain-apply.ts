import { Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { DATABASE_NOW } from '../clock.js';
import { Database, TERMS } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { HandlerEntity } from '../handlers/handler.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import type { Cause } from '../payment/cause.js';
import { DueEntity } from '../payment/due.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { Grouped } from '../sweeps/grouped.js';
import type { Claim } from './claims.js';
import type { PlainChange } from './plain-change.js';

/** Payments of one statement. */
const MOST = 64;

interface PlainWrite {
  readonly claim: Claim;
  readonly change: PlainChange;
  readonly cause: Cause;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/**
 * Writes plain changes, many at once, in one statement: status, event, deliveries, order totals, the notifications that are
 * answered by it, and the payment's next place in the queue, all or nothing (G5). Nothing was locked while they were
 * decided: each goes through only if its lease still stands (G11), and one that changes the payment only if its order has
 * the version that it was read with, which everybody raises who locks it. Whatever does not go through is decided again,
 * under the locks.
 */
@Injectable()
export class PlainApply {
  readonly #group = new Grouped<PlainWrite, boolean>((writes) => this.#writeGroup(writes), MOST);

  constructor(private readonly database: Database) {}

  /** Whether it went through. One row that the database refuses is no reason for the others of its group to fail. */
  async write(write: PlainWrite): Promise<boolean> {
    try {
      return await this.#group.add(write);
    } catch (error) {
      if (error instanceof QueryFailedError) return false;
      throw error;
    }
  }

  async #writeGroup(writes: readonly PlainWrite[]): Promise<boolean[]> {
    const { rows } = await this.database.statement<{ id: string }>(this.#sql, [
      JSON.stringify(writes.map(rowOf)),
    ]);
    const written = new Set(rows.map(({ id }) => id));
    return writes.map(({ claim }) => written.has(claim.paymentId));
  }

  /**
   * Rows are locked in the order that everything keeps: orders, then payments, then the queue, then notifications, and each
   * kind in an order of its own. What is looked up by `ANY(ARRAY(…))` is found by its key, whatever the planner believes of
   * the tables' size.
   */
  get #sql(): string {
    const { database } = this;
    const { now } = database;
    const [orders, payments, due, events, notifications] = [
      OrderEntity,
      PaymentEntity,
      DueEntity,
      EventEntity,
      NotificationEntity,
    ].map((entity) => database.table(entity));
    const restEnd = database.inBusinessTime(`(${DATABASE_NOW} + rest_ms * interval '1 ms')`);
    return `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_recordset($1::jsonb) AS given (
          payment_id uuid, store_id uuid, fence uuid, order_id uuid, version int, is_changed boolean,
          from_status text, to_status text, cause text, evidence jsonb,
          service_id text, test boolean, authorized_minor bigint, captured_minor bigint, confirmation_url text,
          hold_expires_at timestamptz, hold_due_at timestamptz, hold_tries int, cancellation jsonb, object jsonb,
          paid_minor bigint, held_minor bigint, refunded_minor bigint, state text,
          ready_at timestamptz, checks int, rest_ms int, seen jsonb
        ), terms
      ), locked AS MATERIALIZED (
        SELECT place.id FROM ${orders} place JOIN given ON given.order_id = place.id AND given.version = place.version
        WHERE given.is_changed AND place.id = ANY(ARRAY(SELECT order_id FROM given WHERE is_changed))
        ORDER BY place.id FOR NO KEY UPDATE OF place
      ), leased AS MATERIALIZED (
        SELECT due.payment_id, due.wanted_at FROM ${due} due JOIN given ON given.payment_id = due.payment_id AND given.fence = due.fence
        WHERE due.payment_id = ANY(ARRAY(
          SELECT payment_id FROM given WHERE NOT is_changed OR order_id IN (SELECT id FROM locked)))
        ORDER BY due.payment_id FOR NO KEY UPDATE OF due
      ), mine AS MATERIALIZED (
        SELECT given.*, LEAST(given.ready_at, CASE WHEN wanted_at IS NOT NULL THEN GREATEST(wanted_at, ${restEnd}) END) AS next_at
        FROM given JOIN leased USING (payment_id)
      ), changed AS (
        UPDATE ${payments} payment
        SET status = COALESCE(to_status, status), service_id = mine.service_id, test = mine.test,
          authorized_minor = mine.authorized_minor, captured_minor = mine.captured_minor,
          confirmation_url = mine.confirmation_url, hold_expires_at = mine.hold_expires_at,
          hold_due_at = mine.hold_due_at, hold_tries = mine.hold_tries, cancellation = mine.cancellation,
          object = mine.object, updated_at = CASE WHEN to_status IS NULL THEN updated_at ELSE ${now} END
        FROM mine WHERE payment.id = mine.payment_id AND is_changed
          AND payment.id = ANY(ARRAY(SELECT payment_id FROM mine WHERE is_changed))
      ), totals AS (
        UPDATE ${orders} place
        SET paid_minor = mine.paid_minor, held_minor = mine.held_minor, refunded_minor = mine.refunded_minor,
          state = mine.state, version = place.version + 1, updated_at = ${now}
        FROM mine WHERE place.id = mine.order_id AND to_status IS NOT NULL
          AND place.id = ANY(ARRAY(SELECT order_id FROM mine WHERE to_status IS NOT NULL))
      ), event AS (
        INSERT INTO ${events} (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
        SELECT store_id, 'payment', payment_id, payment_id, 'payment.' || to_status, from_status, to_status, cause, evidence, ${now}
        FROM mine WHERE to_status IS NOT NULL
        RETURNING id, name, store_id, payment_id, created_at
      ), told AS (
        INSERT INTO ${database.table(DeliveryEntity)} (event_id, handler_id, store_id, sequence, next_attempt_at)
        SELECT event.id, handler.id, event.store_id, event.payment_id, event.created_at
        FROM event JOIN ${database.table(HandlerEntity)} handler ON handler.event = event.name
        WHERE handler.retired_at IS NULL
        FOR KEY SHARE OF handler
      ), over AS (
        DELETE FROM ${due} due USING mine
        WHERE due.payment_id = mine.payment_id AND next_at IS NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE next_at IS NULL))
      ), queued AS (
        UPDATE ${due} due
        SET ready_at = next_at, checks = mine.checks, failing = false, lease_until = NULL, fence = NULL, wanted_at = NULL,
          rest_until = CASE WHEN rest_ms > 0 THEN ${DATABASE_NOW} + rest_ms * interval '1 ms' END
        FROM mine WHERE due.payment_id = mine.payment_id AND next_at IS NOT NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE next_at IS NOT NULL))
      ), heard AS MATERIALIZED (
        SELECT known.id, answered.count FROM ${notifications} known
        JOIN (SELECT seen.id, seen.count FROM mine CROSS JOIN LATERAL jsonb_to_recordset(mine.seen) AS seen (id uuid, count int)) answered
          ON answered.id = known.id
        WHERE known.id = ANY(ARRAY(SELECT (one.told ->> 'id')::uuid FROM mine, jsonb_array_elements(mine.seen) AS one (told)))
        ORDER BY known.store_id, known.object_id, known.event FOR NO KEY UPDATE OF known
      ), answered AS (
        UPDATE ${notifications} known SET handled_count = GREATEST(handled_count, heard.count)
        FROM heard WHERE known.id = heard.id AND known.id = ANY(ARRAY(SELECT id FROM heard))
      )
      SELECT payment_id AS id FROM mine`;
  }
}

/** A write as the statement reads it. */
function rowOf({ claim, change, cause, evidence }: PlainWrite): object {
  const { paymentId, fence, payment, order, seen } = claim;
  const { moved, fields, next, restMs } = change;
  return {
    payment_id: paymentId,
    store_id: payment.storeId,
    fence,
    order_id: order.id,
    version: order.version,
    is_changed: fields !== null,
    ...(moved && {
      from_status: moved.from,
      to_status: moved.to,
      cause,
      evidence,
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
      confirmation_url: fields.confirmationUrl,
      hold_expires_at: fields.holdExpiresAt,
      hold_due_at: fields.holdDueAt,
      hold_tries: fields.holdTries,
      cancellation: fields.cancellation,
      object: fields.object,
    }),
    ready_at: next.at,
    checks: next.checks,
    rest_ms: restMs,
    seen,
  };
}
