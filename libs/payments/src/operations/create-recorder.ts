import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { StoredConfirmation } from '../api/objects/confirmation.js';
import { plusMs } from '../common/clock.js';
import { newId } from '../common/uuid.js';
import { Database, TERMS } from '../database/database.js';
import { JsonColumns } from '../database/json-columns.js';
import { leaseEnd } from '../database/lease.js';
import { StatementTexts } from '../database/statement-texts.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { Ledger } from '../payment/ledger.js';
import { overpaidEvents, totalsOf } from '../payment/order-totals.js';
import { owedBody } from '../receipts/owed-body.js';
import { owedKeys } from '../receipts/owed-keys.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import { prepaidMinor } from '../receipts/unsettled.js';
import { DueEntity } from '../schema/due.entity.js';
import { EventEntity } from '../schema/event.entity.js';
import { intentFields, paymentFields } from '../schema/ledger-fields.js';
import { OperationEntity } from '../schema/operation.entity.js';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import type { StoreEntity } from '../schema/store.entity.js';
import { decideCreate, type CreateDecision } from './create-decision.js';
import { OperationRecorder } from './operation-recorder.js';
import { outcomeUnknown } from './outcome-unknown.js';
import { recordedBody } from './personal-data.js';
import { createBody, fingerprint } from './request-body.js';
import type { SendClaim } from './send-claim.js';

const ofPayment = new JsonColumns(PaymentEntity, [...intentFields, ...paymentFields]);

interface Row {
  readonly now: Date;
}

/** The result of a create; `claim`: the attempt that its caller makes. */
type RecordedCreate =
  | Exclude<CreateDecision<PaymentEntity>, { kind: 'open' }>
  | (Extract<CreateDecision<PaymentEntity>, { kind: 'open' }> & { readonly claim: SendClaim });

/**
 * Records payments to be created: payment, its place in the queue, event and operation, with the next attempt counted and leased,
 * in one statement before the request (G1).
 */
@Injectable()
export class CreateRecorder {
  readonly #texts: StatementTexts<'order' | 'payment'>;

  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly operations: OperationRecorder,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#texts = new StatementTexts(database, (recorded) =>
      this.#sql(recorded === 'order' ? this.#newOrder : 'SELECT order_id AS id FROM given'),
    );
  }

  /**
   * The first payment of an order, as most creates are, is recorded with it; otherwise what a create means is decided under its
   * lock.
   */
  async record(store: StoreEntity, intent: CreateIntent): Promise<RecordedCreate> {
    const first = await this.#first(store, intent);
    return first ? { kind: 'open', supersede: [], claim: first } : this.#decided(store, intent);
  }

  /** Null if the order exists. */
  async #first(store: StoreEntity, intent: CreateIntent): Promise<SendClaim | null> {
    const order = { id: newId(), storeId: store.id };
    const prepared = this.#prepared(order, intent);
    const recording = this.database.statement<Row>(this.#texts.get('order'), [JSON.stringify(prepared.row)]);
    const { rows } = await recording.catch((error: unknown) => this.#failed(error, prepared.paymentId));
    const [row] = rows;
    if (!row) return null;
    const { orderReference: reference, currency, totalDueMinor } = intent;
    const known = { ...order, reference, currency, totalDueMinor, version: 0, state: 'unpaid' } as const;
    return { ...prepared.claim(row.now), sole: { order: known, store } };
  }

  #decided(store: StoreEntity, intent: CreateIntent): Promise<RecordedCreate> {
    let paymentId: string | null = null;
    const recording = this.#withOrder(store, intent, async (manager, order) => {
      paymentId = null;
      const payments = await manager.findBy(PaymentEntity, { orderId: order.id });
      const decision = decideCreate(intent, payments);
      if (decision.kind !== 'open') return decision;
      for (const payment of decision.supersede) await this.operations.supersede(manager, { order, payment });
      const prepared = this.#prepared(order, intent);
      ({ paymentId } = prepared);
      const [row] = await manager.query<Row[]>(this.#texts.get('payment'), [JSON.stringify(prepared.row)]);
      if (!row) throw new Error('PostgreSQL did not record the payment.');
      const claim = prepared.claim(row.now);
      // What is due decides the order's state too; a payment that is not paid yet adds nothing.
      const totals = totalsOf(intent, payments);
      const { payment } = claim;
      const about = { paymentId: payment.id, cause: 'create', supersededPaid: false } as const;
      const events = overpaidEvents(order, totals, about);
      await this.ledger.write(manager, { payment, order, after: null, totals, events });
      return { ...decision, claim };
    });
    return recording.catch((error: unknown) => this.#failed(error, paymentId));
  }

  /** `paymentId`: what was to be recorded; null: nothing. If it is recorded, the sweep sends it. */
  #failed(error: unknown, paymentId: string | null): never {
    throw paymentId !== null && this.database.mayHaveCommitted(error)
      ? outcomeUnknown(paymentId, 'create', error)
      : error;
  }

  /** In a transaction that begins with the lock on the order. */
  #withOrder<T>(
    store: StoreEntity,
    { orderReference, currency, totalDueMinor }: CreateIntent,
    work: (manager: EntityManager, order: OrderEntity) => Promise<T>,
  ): Promise<T> {
    const { database } = this;
    const sql = (terms: string) => `WITH ${TERMS} INSERT INTO ${database.table(OrderEntity)} AS locked
         (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
       SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, ${database.now}, ${database.now} FROM terms
       ON CONFLICT (store_id, reference) DO UPDATE SET version = locked.version + 1
       RETURNING ${terms}, ${database.columns(OrderEntity, 'locked')}`;
    const parameters = [newId(), store.id, orderReference, currency, totalDueMinor];
    return database.transactionFrom({ sql, parameters }, (manager, { rows: [row] }) => {
      if (!row) throw new Error('PostgreSQL returned no order.');
      return work(manager, database.hydrate(OrderEntity, 'locked', row));
    });
  }

  /** The statement's parameters, and the claim that results, given the time that the statement returns. */
  #prepared(order: Pick<OrderEntity, 'id' | 'storeId'>, intent: CreateIntent) {
    const leaseEndsAtMs = Date.now() + this.options.leaseMs;
    const paymentId = newId();
    const operation = {
      id: newId(),
      storeId: order.storeId,
      kind: 'create',
      idempotenceKey: randomUUID(),
      ...createBody(intent, paymentId, this.options.profile),
      resendable: !intent.cardData,
    } as const;
    const row = {
      reference: intent.orderReference,
      total_due_minor: intent.totalDueMinor,
      ...ofPayment.row(this.database, newPayment(paymentId, order, intent, new Date(0))),
      evidence: { amountMinor: intent.amountMinor, capture: intent.capture },
      operation_id: operation.id,
      idempotence_key: operation.idempotenceKey,
      body: operation.body,
      personal: operation.personal,
      resendable: operation.resendable,
      fingerprint: fingerprint('create', operation),
      ...(intent.receiptsAfter && owedRow(intent.receipt)),
    };
    const claim = (now: Date): SendClaim => ({
      operation: { ...operation, recordedAt: now },
      payment: newPayment(paymentId, order, intent, now),
      attempts: 1,
      earlierUnknown: false,
      leaseEndsAtMs,
    });
    return { paymentId, row, claim };
  }

  /** `order`: SQL of the order's id; no row if nothing is to be recorded. */
  #sql(order: string): string {
    const { database } = this;
    const { now } = database;
    const { leaseMs, callDeadlineMs, fiscalization } = this.options;
    const owes = fiscalization?.scenario === 'after_payment';
    return `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_record($1::jsonb) AS given (
          reference text, total_due_minor bigint, ${ofPayment.definition(database)},
          evidence jsonb, operation_id uuid, idempotence_key text, body text, personal text, resendable boolean, fingerprint text, receipt_id uuid, receipt_body text, receipt_personal text
        ), terms
      ), order_row AS (
        ${order}
      ), payment AS (
        INSERT INTO ${database.table(PaymentEntity)} (${ofPayment.names(database)}, created_at, updated_at)
        SELECT ${ofPayment.names(database, 'given')}, ${now}, ${now} FROM given, order_row
        RETURNING id
      ), due AS (
        INSERT INTO ${database.table(DueEntity)} (payment_id, store_id, ready_at)
        SELECT payment.id, store_id, ${plusMs(now, callDeadlineMs)} FROM given, payment
      ), event AS (
        INSERT INTO ${database.table(EventEntity)} (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
        SELECT store_id, 'payment', payment.id, payment.id, 'payment.submitting', 'submitting', 'create', evidence, ${now}
        FROM given, payment
      ), operation AS (
        INSERT INTO ${database.table(OperationEntity)} (id, store_id, payment_id, kind, idempotence_key, body, personal, has_personal, resendable, fingerprint,
          outcome, attempts, lease_until, recorded_at, first_sent_at, last_sent_at)
        SELECT operation_id, store_id, payment.id, 'create', idempotence_key, body, personal, personal IS NOT NULL, resendable, fingerprint,
          'unknown', 1, ${leaseEnd(leaseMs)}, ${now}, ${now}, ${now}
        FROM given, payment
      )${owes ? this.#owed : ''}
      SELECT ${now} AS now FROM payment`;
  }

  /** No row if the order exists. */
  get #newOrder(): string {
    const { now } = this.database;
    return `INSERT INTO ${this.database.table(OrderEntity)} (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
        SELECT order_id, store_id, reference, currency, total_due_minor, ${now}, ${now} FROM given
        ON CONFLICT (store_id, reference) DO NOTHING
        RETURNING id`;
  }

  get #owed(): string {
    const { database } = this;
    return `, receipt AS (
        INSERT INTO ${database.table(ReceiptEntity)} (id, store_id, payment_id, receipt_key, type, status, amount_minor, currency, body, personal,
          created_at, updated_at)
        SELECT receipt_id, store_id, payment.id, '${owedKeys.payment}', 'payment', 'owed', amount_minor, currency, receipt_body, receipt_personal,
          ${database.now}, ${database.now}
        FROM given, payment WHERE receipt_id IS NOT NULL
      )`;
  }
}

/** The receipt that is kept until the money has moved. */
function owedRow(receipt: ReceiptInput | null): object {
  if (receipt === null) return {};
  const { body, personal } = recordedBody(owedBody('payment', receipt));
  return { receipt_id: newId(), receipt_body: body, receipt_personal: personal };
}

/** Its type alone: where the buyer returns to is in the request. */
function requested({ confirmation }: CreateIntent): StoredConfirmation | null {
  return confirmation && { type: confirmation.type };
}

/** A payment as it is recorded, before any request to the service. */
function newPayment(
  id: string,
  order: Pick<OrderEntity, 'id' | 'storeId'>,
  intent: CreateIntent,
  createdAt: Date,
): PaymentEntity {
  return {
    id,
    storeId: order.storeId,
    orderId: order.id,
    serviceId: null,
    status: 'submitting',
    currency: intent.currency,
    amountMinor: intent.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    refundReservedMinor: 0,
    capture: intent.capture,
    method: intent.method,
    paymentMethodId: intent.paymentMethodId,
    cardData: intent.cardData,
    description: intent.description,
    metadata: { ...intent.metadata },
    part: intent.part,
    supersededAt: null,
    confirmation: requested(intent),
    test: null,
    holdExpiresAt: null,
    holdPolicy: intent.holdPolicy,
    holdDueAt: null,
    holdTries: 0,
    cancellation: null,
    cardLast4: null,
    receiptStatus: null,
    receiptsAfter: intent.receiptsAfter,
    receiptDigest: intent.receipt && receiptDigest(intent.receipt, id),
    prepaidMinor: intent.receipt ? prepaidMinor(intent.receipt) : 0,
    unsettledMinor: 0,
    unsettledSince: null,
    unsettledDueAt: null,
    object: null,
    createdAt,
    updatedAt: createdAt,
  };
}
