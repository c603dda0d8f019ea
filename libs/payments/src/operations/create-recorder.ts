import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { plusMs } from '../common/clock.js';
import { Database, TERMS } from '../database/database.js';
import { newId } from '../common/uuid.js';
import { leaseEnd } from '../database/lease.js';
import type { CreateIntent } from '../payment/create-intent.js';
import { DueEntity } from '../schema/due.entity.js';
import { EventEntity } from '../schema/event.entity.js';
import { newPayment } from '../payment/new-payment.js';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { StoreEntity } from '../schema/store.entity.js';
import { OperationEntity } from '../schema/operation.entity.js';
import type { SendClaim } from './send-claim.js';
import { createBody, fingerprint } from './request-body.js';

interface Row {
  readonly now: Date;
}

/**
 * Records payments that are to be created: payment, its place in the queue, event and operation, with the attempt that is
 * about to be made counted and leased, in one statement before the request (G1).
 */
@Injectable()
export class CreateRecorder {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * The first payment of an order, as most creates are, with the order, in a commit of its own. Null where the order exists:
   * that is decided about under its lock.
   */
  async first(store: StoreEntity, intent: CreateIntent): Promise<SendClaim | null> {
    const { database } = this;
    const { now } = database;
    const order = { id: newId(), storeId: store.id };
    const record = this.#record(order, intent);
    const { rows } = await database.statement<Row>(
      this.#sql(
        `INSERT INTO ${database.table(OrderEntity)} (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
        SELECT order_id, store_id, reference, currency, total_due_minor, ${now}, ${now} FROM given
        ON CONFLICT (store_id, reference) DO NOTHING
        RETURNING id`,
      ),
      [JSON.stringify(record.row)],
    );
    const [row] = rows;
    if (!row) return null;
    const { orderReference: reference, currency, totalDueMinor } = intent;
    const known = { ...order, reference, currency, totalDueMinor, version: 0 };
    return { ...record.claim(row.now), sole: { order: known, store } };
  }

  /** Another payment of an order that this transaction has locked. */
  async further(manager: EntityManager, order: OrderEntity, intent: CreateIntent): Promise<SendClaim> {
    const record = this.#record(order, intent);
    const [row] = await manager.query<Row[]>(this.#sql('SELECT order_id AS id FROM given'), [
      JSON.stringify(record.row),
    ]);
    if (!row) throw new Error('PostgreSQL did not record the payment.');
    return record.claim(row.now);
  }

  /** What the statement is given, and what it comes to at the time it says. */
  #record(order: Pick<OrderEntity, 'id' | 'storeId'>, intent: CreateIntent) {
    const leaseEndsAtMs = Date.now() + this.options.leaseMs;
    const paymentId = newId();
    const operation = {
      id: newId(),
      storeId: order.storeId,
      kind: 'create',
      idempotenceKey: randomUUID(),
      body: createBody(intent, paymentId, this.options.profile),
      resendable: !intent.cardData,
    } as const;
    const row = {
      order_id: order.id,
      store_id: order.storeId,
      reference: intent.orderReference,
      currency: intent.currency,
      total_due_minor: intent.totalDueMinor,
      payment_id: paymentId,
      amount_minor: intent.amountMinor,
      capture: intent.capture,
      method: intent.method,
      payment_method_id: intent.paymentMethodId,
      card_data: intent.cardData,
      description: intent.description,
      metadata: intent.metadata,
      part: intent.part,
      hold_policy: intent.holdPolicy,
      evidence: { amountMinor: intent.amountMinor, capture: intent.capture },
      operation_id: operation.id,
      idempotence_key: operation.idempotenceKey,
      body: operation.body,
      resendable: operation.resendable,
      fingerprint: fingerprint('create', operation.body),
    };
    const claim = (now: Date): SendClaim => ({
      operation: { ...operation, recordedAt: now },
      payment: newPayment(paymentId, order, intent, now),
      attempts: 1,
      earlierUnknown: false,
      leaseEndsAtMs,
    });
    return { row, claim };
  }

  /** `place`: SQL of the order's id; no row where nothing is to be recorded. */
  #sql(place: string): string {
    const { database } = this;
    const { now } = database;
    const { leaseMs, callDeadlineMs } = this.options;
    return `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_record($1::jsonb) AS given (
          order_id uuid, store_id uuid, reference text, currency text, total_due_minor bigint, payment_id uuid, amount_minor bigint,
          capture boolean, method text, payment_method_id text, card_data boolean, description text, metadata jsonb, part text,
          hold_policy text, evidence jsonb, operation_id uuid, idempotence_key text, body text, resendable boolean, fingerprint text
        ), terms
      ), place AS (
        ${place}
      ), payment AS (
        INSERT INTO ${database.table(PaymentEntity)} (id, store_id, order_id, status, currency, amount_minor, capture, method,
          payment_method_id, card_data, description, metadata, part, hold_policy, created_at, updated_at)
        SELECT payment_id, store_id, place.id, 'submitting', currency, amount_minor, capture, method,
          payment_method_id, card_data, description, metadata, part, hold_policy, ${now}, ${now}
        FROM given, place
        RETURNING id
      ), due AS (
        INSERT INTO ${database.table(DueEntity)} (payment_id, store_id, ready_at)
        SELECT payment.id, store_id, ${plusMs(now, callDeadlineMs)} FROM given, payment
      ), event AS (
        INSERT INTO ${database.table(EventEntity)} (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
        SELECT store_id, 'payment', payment.id, payment.id, 'payment.submitting', 'submitting', 'create', evidence, ${now}
        FROM given, payment
      ), operation AS (
        INSERT INTO ${database.table(OperationEntity)} (id, store_id, payment_id, kind, idempotence_key, body, resendable, fingerprint,
          outcome, attempts, lease_until, recorded_at, first_sent_at, last_sent_at)
        SELECT operation_id, store_id, payment.id, 'create', idempotence_key, body, resendable, fingerprint,
          'unknown', 1, ${leaseEnd(leaseMs)}, ${now}, ${now}, ${now}
        FROM given, payment
      )
      SELECT ${now} AS now FROM payment`;
  }
}
