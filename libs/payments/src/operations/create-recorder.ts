import { Inject, Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { plusMs } from '../common/clock.js';
import { thisMoment } from '../common/moment.js';
import { OrderNotFoundError, RecoveryInProgressError } from '../common/payments.errors.js';
import { newId } from '../common/uuid.js';
import { Database, TERMS } from '../database/database.js';
import { JsonColumns } from '../database/json-columns.js';
import { leaseEnd } from '../database/lease.js';
import { StatementTexts } from '../database/statement-texts.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { currentPayment } from '../payment/current-payment.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { mustBeInCurrency, type TotalDue } from '../payment/inputs/total-due.input.js';
import { nextTry, receiptIdOf } from '../payment/intent-key.js';
import { Ledger } from '../payment/ledger.js';
import { withKnownOrder, withOrder } from '../payment/locks.js';
import { newestTries, toDecideBy, toShow } from '../payment/order-payments.js';
import { sumsOf } from '../payment/order-totals.js';
import { paymentMark, type MarkedPayment } from '../payment/payment-mark.js';
import { writeTotalDue } from '../payment/total-due.js';
import { owedBody } from '../receipts/owed-body.js';
import { owedKeys } from '../receipts/owed-keys.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import type { SeenMark } from '../rollback/commit-mark.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { intentFields, paymentFields, withFields } from '../schema/ledger-fields.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { orderView, type Order } from '../views/payment.view.js';
import { WorkSignal } from '../work/work-signal.js';
import { decideCreate, isFound, type CreateDecision } from './create-decision.js';
import { HeldPayments } from './held-payments.js';
import { newPayment, saidOf } from './new-payment.js';
import { outcomeUnknown } from './outcome-unknown.js';
import { recordedBody } from './personal-data.js';
import { isKeyReused } from './refused-operation.js';
import { createBody, fingerprint } from './request-body.js';
import type { SendClaim } from './send-claim.js';
import { unmadeOf } from './unmade.js';

const ofPayment = new JsonColumns(PaymentsPaymentEntity, [...intentFields, ...paymentFields]);

interface Row {
  readonly now: Date;
  readonly seen: SeenMark;
}

type Gate = Awaited<ReturnType<RecoveryGate['variant']>>;

/** The result of a create; `claim`: the attempt that its caller makes. */
type RecordedCreate =
  | Exclude<CreateDecision<PaymentsPaymentEntity>, { kind: 'open' }>
  | (Extract<CreateDecision<PaymentsPaymentEntity>, { kind: 'open' }> & { readonly claim: SendClaim })
  /** The service has another payment under the key of one that was refused, and the database has forgotten it. */
  | {
      readonly kind: 'forgotten';
      readonly marked: Pick<MarkedPayment, 'orderReference' | 'part' | 'tryNumber'>;
      readonly since: Date;
    };

/**
 * Records payments to be created: payment, its place in the queue, event and operation, with the next attempt counted and leased,
 * in one statement before the request (G1).
 */
@Injectable()
export class CreateRecorder {
  readonly #texts: StatementTexts<`${'order' | 'payment'}, ${Gate}`>;

  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    private readonly gate: RecoveryGate,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#texts = new StatementTexts(database, (variant) =>
      this.#sql(variant.startsWith('order') ? this.#newOrder : 'SELECT order_id AS id FROM given'),
    );
  }

  /**
   * The first payment of an order, as most creates are, is recorded with it; otherwise what a create means is decided under its
   * lock.
   * @throws RecoveryInProgressError
   */
  record(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    { isSearched = false }: { readonly isSearched?: boolean } = {},
  ): Promise<RecordedCreate> {
    return this.gate.pass(() => this.#record(store, intent, isSearched));
  }

  /**
   * Another sum is due for an order, whatever it was.
   * @throws PaymentInputError
   * @throws OrderNotFoundError
   * @throws RecoveryInProgressError
   */
  changeTotalDue(named: Pick<PaymentsOrderEntity, 'storeId' | 'reference'>, due: TotalDue): Promise<Order> {
    return this.gate.pass(() => this.#changeTotalDue(named, due));
  }

  async #changeTotalDue(
    named: Pick<PaymentsOrderEntity, 'storeId' | 'reference'>,
    due: TotalDue,
  ): Promise<Order> {
    const { order, isAnnounced } = await withKnownOrder(this.database, named, async (manager, known) => {
      // Before the order is looked for: it may be forgotten, or have a total that a try found again overwrites.
      await this.#mustBeLetIn(manager, named);
      if (!known) throw new OrderNotFoundError(named.reference);
      const shown = currentPayment(known, await toShow(manager, this.database, known));
      const payment = shown ?? (await manager.findOneBy(PaymentsPaymentEntity, { orderId: known.id }));
      if (!payment) throw new OrderNotFoundError(named.reference);
      mustBeInCurrency(due, known);
      const { totalDueMinor } = due;
      if (known.totalDueMinor === totalDueMinor) return { order: known, isAnnounced: false };
      const total = { totalDueMinor, payment, cause: 'total' } as const;
      const told = await writeTotalDue(manager, this.ledger, known, total);
      return { order: known, isAnnounced: told };
    });
    if (isAnnounced) this.signal.wake('deliveries');
    return orderView(order);
  }

  async #record(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    isSearched: boolean,
  ): Promise<RecordedCreate> {
    const gate = await this.gate.variant();
    const first = await this.#first(store, intent, gate);
    if (first) return { kind: 'open', supersede: [], claim: first };
    const { recorded, isAnnounced } = await this.#decided(store, intent, gate, isSearched);
    if (isAnnounced) this.signal.wake('deliveries');
    if (recorded.kind === 'open' && recorded.supersede.length > 0) this.signal.wake('payments');
    return recorded;
  }

  /** Null if the order exists, or no payment may be opened now. */
  async #first(store: PaymentsStoreEntity, intent: CreateIntent, gate: Gate): Promise<SendClaim | null> {
    const order = { id: newId(), storeId: store.id };
    const prepared = this.#prepared(order, intent, 1);
    const sql = this.#texts.get(`order, ${gate}`);
    const recording = this.database.statement<Row>(sql, this.#parameters(prepared.row));
    const { rows } = await recording.catch((error: unknown) => this.#failed(error, prepared.paymentId));
    const [row] = rows;
    if (!row) return null;
    this.gate.saw(row.seen);
    const { orderReference: reference, currency, totalDueMinor } = intent;
    const known = {
      ...order,
      reference,
      currency,
      totalDueMinor,
      version: 0,
      state: 'unpaid',
      waivedMinor: 0,
      wasPaid: false,
      ...sumsOf([]),
    } as const;
    return { ...prepared.claim(row.now), asRecorded: { order: known, store } };
  }

  /** @throws RecoveryInProgressError: what is recorded in the transaction so far is not kept */
  #decided(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    gate: Gate,
    isSearched: boolean,
  ): Promise<{ recorded: RecordedCreate; isAnnounced: boolean }> {
    let paymentId: string | null = null;
    const { orderReference: reference, ...due } = intent;
    const recording = withOrder(
      this.database,
      { storeId: store.id, reference, ...due },
      async (manager, order) => {
        paymentId = null;
        const payments = await toDecideBy(manager, this.database, order, intent);
        const decision = decideCreate(intent, order, payments);
        if (decision.kind !== 'open') {
          const found = isFound(decision) ? payments.find(({ id }) => id === decision.paymentId) : undefined;
          if (found === undefined || order.totalDueMinor === intent.totalDueMinor)
            return { recorded: decision, isAnnounced: false };
          await this.#mustBeLetIn(manager, order);
          const isAnnounced = await this.#writeTotal(manager, order, intent, found);
          return { recorded: decision, isAnnounced };
        }
        const tries = await newestTries(manager, this.database, order, intent.part);
        const forgotten = isSearched ? null : await this.#forgotten(manager, intent, tries);
        if (forgotten !== null) return { recorded: forgotten, isAnnounced: false };
        for (const payment of decision.supersede)
          await this.held.supersede(manager, { order, payment }, 'replace');
        const prepared = this.#prepared(order, intent, nextTry(intent.part, tries));
        ({ paymentId } = prepared);
        const sql = this.#texts.get(`payment, ${gate}`);
        const [row] = await manager.query<Row[]>(sql, this.#parameters(prepared.row));
        if (!row) throw new RecoveryInProgressError(reference);
        this.gate.saw(row.seen);
        const claim = prepared.claim(row.now);
        // What is due decides the order's state too; a payment that is not paid yet adds nothing.
        const isAnnounced = await this.#writeTotal(manager, order, intent, claim.payment);
        return { recorded: { ...decision, claim }, isAnnounced };
      },
    );
    return recording.catch((error: unknown) => this.#failed(error, paymentId));
  }

  /**
   * Before a total is written: a try that the recovery finds brings its own total, over whatever was said since.
   * @throws RecoveryInProgressError
   */
  async #mustBeLetIn(
    manager: EntityManager,
    { storeId, reference }: Pick<PaymentsOrderEntity, 'storeId' | 'reference'>,
  ): Promise<void> {
    if (!(await this.gate.letsIn(manager, storeId))) throw new RecoveryInProgressError(reference);
  }

  /** `payment`: the one that the create opens or finds. Returns whether handlers have something to do. */
  #writeTotal(
    manager: EntityManager,
    order: PaymentsOrderEntity,
    { totalDueMinor }: CreateIntent,
    payment: PaymentsPaymentEntity,
  ): Promise<boolean> {
    return writeTotalDue(manager, this.ledger, order, { totalDueMinor, payment, cause: 'create' });
  }

  #parameters(row: object): unknown[] {
    return [JSON.stringify(row), ...this.gate.expected];
  }

  /** Of a payment whose key was used for one that has no row here. */
  async #forgotten(
    manager: EntityManager,
    { orderReference, part }: CreateIntent,
    payments: readonly PaymentsPaymentEntity[],
  ): Promise<Extract<RecordedCreate, { kind: 'forgotten' }> | null> {
    const unmade = unmadeOf(part, payments);
    if (unmade.length === 0) return null;
    const creates = await manager.findBy(PaymentsOperationEntity, {
      paymentId: In(unmade.map(({ id }) => id)),
      kind: 'create',
    });
    const reused = creates.find(isKeyReused);
    const payment = unmade.find(({ id }) => id === reused?.paymentId);
    if (!reused || !payment) return null;
    const { tryNumber } = payment;
    return { kind: 'forgotten', marked: { orderReference, part, tryNumber }, since: reused.recordedAt };
  }

  /** `paymentId`: what was to be recorded; null: nothing. If it is recorded, the sweep sends it. */
  #failed(error: unknown, paymentId: string | null): never {
    throw paymentId !== null && this.database.mayHaveCommitted(error)
      ? outcomeUnknown(paymentId, 'create', error)
      : error;
  }

  /** The statement's parameters, and the claim that results, given the time that the statement returns. */
  #prepared(order: Pick<PaymentsOrderEntity, 'id' | 'storeId'>, intent: CreateIntent, tryNumber: number) {
    const begunAt = thisMoment();
    const paymentId = newId();
    const said = saidOf(order.storeId, intent, tryNumber);
    const payment = newPayment(paymentId, order, said, this.telemetry.traceparent());
    const mark = paymentMark(order.storeId, said);
    const operation = {
      id: newId(),
      storeId: order.storeId,
      kind: 'create',
      refundId: null,
      receiptId: null,
      idempotenceKey: payment.intentKey,
      ...createBody(intent, mark, this.options.profile),
      resendable: !intent.cardData,
    } as const;
    const row = {
      reference: intent.orderReference,
      total_due_minor: intent.totalDueMinor,
      ...ofPayment.row(this.database, payment),
      evidence: { amountMinor: intent.amountMinor, capture: intent.capture },
      operation_id: operation.id,
      idempotence_key: operation.idempotenceKey,
      body: operation.body,
      personal: operation.personal,
      resendable: operation.resendable,
      fingerprint: fingerprint('create', operation),
      ...(intent.receiptsAfter && owedRow(intent.receipt, payment)),
    };
    const claim = (now: Date): SendClaim => ({
      operation: { ...operation, recordedAt: now },
      payment: withFields(payment, { createdAt: now, updatedAt: now }),
      attempts: 1,
      earlierUnknown: false,
      begunAt,
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
        ), terms WHERE ${this.gate.condition('given.store_id')}
      ), order_row AS (
        ${order}
      ), payment AS (
        INSERT INTO ${database.table(PaymentsPaymentEntity)} (${ofPayment.names(database)}, created_at, updated_at)
        SELECT ${ofPayment.names(database, 'given')}, ${now}, ${now} FROM given, order_row
        RETURNING id
      ), due AS (
        INSERT INTO ${database.table(PaymentsDueEntity)} (payment_id, store_id, ready_at)
        SELECT payment.id, store_id, ${plusMs(now, callDeadlineMs)} FROM given, payment
      ), event AS (
        INSERT INTO ${database.table(PaymentsEventEntity)} (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
        SELECT store_id, 'payment', payment.id, payment.id, 'payment.submitting', 'submitting', 'create', evidence, ${now}
        FROM given, payment
      ), operation AS (
        INSERT INTO ${database.table(PaymentsOperationEntity)} (id, store_id, payment_id, kind, idempotence_key, body, personal, has_personal, resendable, fingerprint,
          outcome, attempts, lease_until, recorded_at, first_sent_at, last_sent_at)
        SELECT operation_id, store_id, payment.id, 'create', idempotence_key, body, personal, personal IS NOT NULL, resendable, fingerprint,
          'unknown', 1, ${leaseEnd(leaseMs)}, ${now}, ${now}, ${now}
        FROM given, payment
      )${owes ? this.#owed : ''}
      SELECT ${now} AS now, ${this.gate.seen} AS seen, ${database.durableForRequest} FROM payment`;
  }

  /** No row if the order exists. */
  get #newOrder(): string {
    const { now } = this.database;
    return `INSERT INTO ${this.database.table(PaymentsOrderEntity)} (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
        SELECT order_id, store_id, reference, currency, total_due_minor, ${now}, ${now} FROM given
        ON CONFLICT (store_id, reference) DO NOTHING
        RETURNING id`;
  }

  get #owed(): string {
    const { database } = this;
    return `, receipt AS (
        INSERT INTO ${database.table(PaymentsReceiptEntity)} (id, store_id, payment_id, receipt_key, type, status, amount_minor, currency, body, personal,
          created_at, updated_at)
        SELECT receipt_id, store_id, payment.id, '${owedKeys.payment}', 'payment', 'owed', amount_minor, currency, receipt_body, receipt_personal,
          ${database.now}, ${database.now}
        FROM given, payment WHERE receipt_id IS NOT NULL
      )`;
  }
}

/** The receipt that is kept until the money has moved. */
function owedRow(receipt: ReceiptInput | null, payment: PaymentsPaymentEntity): object {
  if (receipt === null) return {};
  const { body, personal } = recordedBody(owedBody('payment', receipt));
  const id = receiptIdOf(payment, owedKeys.payment, null);
  return { receipt_id: id, receipt_body: body, receipt_personal: personal };
}
