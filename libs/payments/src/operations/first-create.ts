import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DATABASE_NOW, plusMs } from '../clock.js';
import { Database, TERMS } from '../database/database.js';
import type { CreateIntent } from '../payment/create-intent.js';
import { DueEntity } from '../payment/due.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import type { StoreEntity } from '../stores/store.entity.js';
import { OperationEntity } from './operation.entity.js';
import type { SendClaim } from './operation-sender.js';
import { createBody, fingerprint } from './request-body.js';

/**
 * Records the first payment of an order, as most creates do: order, payment, its place in the queue, event and operation, with
 * the attempt that is about to be made counted and leased, in one statement and one commit before the request (G1). An order
 * that exists is decided about under its lock.
 */
@Injectable()
export class FirstCreate {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** `dueAt` is SQL of when the payment is looked at if nobody settles it. Null where the order exists. */
  async record(store: StoreEntity, intent: CreateIntent, dueAt: string): Promise<SendClaim | null> {
    const { database } = this;
    const { now } = database;
    const { profile, leaseMs } = this.options;
    const leaseEndsAtMs = Date.now() + leaseMs;
    const paymentId = randomUUID();
    const body = createBody(intent, paymentId, profile);
    const { rows } = await database.statement<Record<string, unknown>>(
      `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_record($1::jsonb) AS given (
          order_id uuid, store_id uuid, reference text, currency text, total_due_minor bigint, payment_id uuid, amount_minor bigint,
          capture boolean, method text, payment_method_id text, card_data boolean, description text, metadata jsonb, part text,
          hold_policy text, evidence jsonb, operation_id uuid, idempotence_key text, body text, fingerprint text
        ), terms
      ), place AS (
        INSERT INTO ${database.table(OrderEntity)} (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
        SELECT order_id, store_id, reference, currency, total_due_minor, ${now}, ${now} FROM given
        ON CONFLICT (store_id, reference) DO NOTHING
        RETURNING *
      ), payment AS (
        INSERT INTO ${database.table(PaymentEntity)} (id, store_id, order_id, status, currency, amount_minor, capture, method,
          payment_method_id, card_data, description, metadata, part, hold_policy, created_at, updated_at)
        SELECT payment_id, given.store_id, place.id, 'submitting', given.currency, amount_minor, capture, method,
          payment_method_id, card_data, description, metadata, part, hold_policy, ${now}, ${now}
        FROM given, place
        RETURNING *
      ), due AS (
        INSERT INTO ${database.table(DueEntity)} (payment_id, store_id, ready_at) SELECT id, store_id, ${dueAt} FROM payment
      ), event AS (
        INSERT INTO ${database.table(EventEntity)} (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
        SELECT payment.store_id, 'payment', id, id, 'payment.submitting', 'submitting', 'create', evidence, ${now} FROM payment, given
      ), operation AS (
        INSERT INTO ${database.table(OperationEntity)} (id, store_id, payment_id, kind, idempotence_key, body, resendable, fingerprint,
          outcome, attempts, lease_until, recorded_at, first_sent_at, last_sent_at)
        SELECT operation_id, payment.store_id, payment.id, 'create', idempotence_key, body, NOT payment.card_data, fingerprint,
          'unknown', 1, ${plusMs(DATABASE_NOW, leaseMs)}, ${now}, ${now}, ${now}
        FROM payment, given
        RETURNING *
      )
      SELECT ${database.columns(OrderEntity, 'place')}, ${database.columns(PaymentEntity, 'payment')},
        ${database.columns(OperationEntity, 'operation')}
      FROM place, payment, operation`,
      [
        JSON.stringify({
          order_id: randomUUID(),
          store_id: store.id,
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
          operation_id: randomUUID(),
          idempotence_key: randomUUID(),
          body,
          fingerprint: fingerprint('create', body),
        }),
      ],
    );
    const [row] = rows;
    if (!row) return null;
    return {
      operation: database.hydrate(OperationEntity, 'operation', row),
      payment: database.hydrate(PaymentEntity, 'payment', row),
      first: { order: database.hydrate(OrderEntity, 'place', row), store },
      attempts: 1,
      earlierUnknown: false,
      leaseEndsAtMs,
    };
  }
}
