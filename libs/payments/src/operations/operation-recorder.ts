import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { AirlineRequest } from '../api/requests/airline.js';
import { plusMs } from '../common/clock.js';
import { Database } from '../database/database.js';
import { newId } from '../common/uuid.js';
import { leaseEnd } from '../database/lease.js';
import { holdRetryDelayMs } from '../holds/hold-plan.js';
import type { CreateIntent } from '../payment/create-intent.js';
import { wantSql } from '../payment/due.js';
import type { LockedPayment } from '../payment/locks.js';
import { OrderEntity } from '../schema/order.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { updateOrderTotals } from '../payment/transition.js';
import { OperationInProgressError, PaymentNotHeldError } from '../common/payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { StoreEntity } from '../schema/store.entity.js';
import { decideCreate, type CreateDecision } from './create-decision.js';
import { CreateRecorder } from './create-recorder.js';
import { OperationEntity, type OperationKind } from '../schema/operation.entity.js';
import type { SendClaim } from './send-claim.js';
import { CANCEL_BODY, captureBody, fingerprint } from './request-body.js';

/** What is asked for of a payment that the service knows. */
export interface NewOperation {
  readonly refundId?: string | null;
  readonly kind: Exclude<OperationKind, 'create'>;
  readonly body: string;
}

/** An operation that was recorded, or found. */
export interface Recorded {
  readonly operationId: string;
  /** The attempt that its caller makes, counted and leased with it; null: it was there before, or the sweep sends it. */
  readonly claim: SendClaim | null;
}

export interface RecordedCreate {
  readonly decision: CreateDecision;
  /** Set where the decision opened a payment. */
  readonly claim: SendClaim | null;
}

/** Records intents: payment and operation rows with their key and body, before any request leaves (G1). */
@Injectable()
export class OperationRecorder {
  constructor(
    private readonly database: Database,
    private readonly creates: CreateRecorder,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Decides under the order's lock what a create means and, where it means a new payment, records it. */
  recordCreate(store: StoreEntity, intent: CreateIntent): Promise<RecordedCreate> {
    return this.#withOrder(store, intent, async (manager, order) => {
      const payments = await manager.findBy(PaymentEntity, { orderId: order.id });
      const decision = decideCreate(intent, payments);
      if (decision.kind !== 'open') return { decision, claim: null };
      for (const { id } of decision.supersede) await this.#supersede(manager, order, id);
      const claim = await this.creates.further(manager, order, intent);
      // What is due decides the order's state too; a payment that is not paid yet adds nothing.
      Object.assign(order, { totalDueMinor: intent.totalDueMinor });
      const { id: paymentId } = claim.payment;
      const change = { paymentId, cause: 'create', supersededPaid: false } as const;
      await updateOrderTotals(manager, this.database, order, { ...change, payments });
      return { decision, claim };
    });
  }

  /**
   * Records the capture or cancel of a locked payment. The same finish already under way, or done, is joined, so that a
   * double click is one operation.
   * @throws PaymentNotHeldError
   * @throws OperationInProgressError
   */
  async recordFinish(
    manager: EntityManager,
    locked: LockedPayment,
    {
      kind,
      amountMinor = locked.payment.authorizedMinor,
      airline = null,
      caller,
    }: {
      kind: 'capture' | 'cancel';
      amountMinor?: number | undefined;
      airline?: AirlineRequest | null;
      caller: StoreEntity | null;
    },
  ): Promise<Recorded> {
    const { payment } = locked;
    const body = kind === 'capture' ? captureBody(amountMinor, payment.currency, airline) : CANCEL_BODY;
    const earlier = await this.#findFinish(manager, payment.id);
    if (earlier?.fingerprint === fingerprint(kind, body)) return { operationId: earlier.id, claim: null };
    if (payment.status !== 'waiting_for_capture')
      throw new PaymentNotHeldError(payment.id, kind, payment.status);
    if (earlier) throw new OperationInProgressError(payment.id, kind, earlier.kind);
    return this.insert(manager, locked, { kind, body }, caller);
  }

  /** The capture or cancel that counts: under way or confirmed. A refused one has left the payment as it was. */
  #findFinish(manager: EntityManager, paymentId: string): Promise<OperationEntity | null> {
    const finish = { paymentId, kind: In(['capture', 'cancel']) };
    return manager.findOne(OperationEntity, {
      where: [
        { ...finish, outcome: IsNull() },
        { ...finish, outcome: Not('refused') },
      ],
    });
  }

  /** In a transaction that begins with the lock on the order. */
  #withOrder<T>(
    store: StoreEntity,
    { orderReference, currency, totalDueMinor }: CreateIntent,
    work: (manager: EntityManager, order: OrderEntity) => Promise<T>,
  ): Promise<T> {
    const { database } = this;
    const sql = (terms: string) => `INSERT INTO ${database.table(OrderEntity)} AS locked
         (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, ${database.now}, ${database.now})
       ON CONFLICT (store_id, reference) DO UPDATE SET version = locked.version + 1
       RETURNING ${terms}, ${database.columns(OrderEntity, 'locked')}`;
    const parameters = [newId(), store.id, orderReference, currency, totalDueMinor];
    return database.transactionFrom({ sql, parameters }, (manager, [row]) => {
      if (!row) throw new Error('PostgreSQL returned no order.');
      return work(manager, database.hydrate(OrderEntity, 'locked', row));
    });
  }

  async #supersede(manager: EntityManager, order: OrderEntity, paymentId: string): Promise<void> {
    await manager.update(PaymentEntity, paymentId, {
      supersededAt: () => this.database.now,
      updatedAt: () => this.database.now,
    });
    await recordEvent(manager, this.database, aboutPayment({ id: paymentId, storeId: order.storeId }), {
      name: 'payment.superseded',
      cause: 'replace',
      evidence: {},
    });
    const payment = await manager.findOneByOrFail(PaymentEntity, { id: paymentId });
    const finish = await this.#findFinish(manager, paymentId);
    // Its money is being taken: one more payment beside it would be a second charge.
    if (finish?.kind === 'capture') throw new OperationInProgressError(paymentId, 'replace', finish.kind);
    await this.releaseSuperseded(manager, { order, payment });
  }

  /**
   * A superseded payment that is held takes nothing: its hold is canceled, and due to be seen to again, with growing
   * pauses, until it is gone.
   */
  async releaseSuperseded(manager: EntityManager, locked: LockedPayment): Promise<void> {
    const { payment } = locked;
    if (payment.supersededAt === null || payment.status !== 'waiting_for_capture') return;
    const holdTries = payment.holdTries + 1;
    await manager.update(PaymentEntity, payment.id, {
      holdTries,
      holdDueAt: () => plusMs(this.database.now, holdRetryDelayMs(holdTries)),
    });
    if (await this.#findFinish(manager, payment.id)) return;
    await this.recordFinish(manager, locked, { kind: 'cancel', caller: null });
  }

  /**
   * Writes an operation of a locked payment down with a key of its own, and makes the payment due. `caller`: the store of the
   * caller who sends it first, with the attempt that is about to be made counted and leased; the sweep takes over once that
   * call's time is up. null: the sweep sends it.
   */
  async insert(
    manager: EntityManager,
    { order, payment }: LockedPayment,
    { refundId = null, kind, body }: NewOperation,
    caller: StoreEntity | null,
  ): Promise<Recorded> {
    const { database } = this;
    const { now } = database;
    const { leaseMs, callDeadlineMs } = this.options;
    const leaseEndsAtMs = Date.now() + leaseMs;
    const operationId = newId();
    const { id: paymentId, storeId, orderId } = payment;
    const operation = {
      id: operationId,
      storeId,
      kind,
      idempotenceKey: randomUUID(),
      body,
      resendable: true,
    };
    // A hold that was polled for days would otherwise see its capture repeated once an hour.
    const due = wantSql(database, caller ? plusMs(now, callDeadlineMs) : now, { afresh: true });
    const attempt = caller
      ? `'unknown', 1, ${leaseEnd(leaseMs)}, ${now}, ${now}`
      : 'NULL, 0, NULL, NULL, NULL';
    const [row] = await manager.query<{ recordedAt: Date; isAlone: boolean }[]>(
      `WITH queued AS (
         ${due}
       )
       INSERT INTO ${database.table(OperationEntity)} (id, store_id, payment_id, refund_id, kind, idempotence_key, body,
         fingerprint, recorded_at, outcome, attempts, lease_until, first_sent_at, last_sent_at)
       VALUES ($3, $2, $1, $4, $5, $6, $7, $8, ${now}, ${attempt})
       RETURNING recorded_at AS "recordedAt", NOT EXISTS (
         SELECT FROM ${database.table(PaymentEntity)} other WHERE other.order_id = $9 AND other.id <> $1) AS "isAlone"`,
      [
        paymentId,
        storeId,
        operationId,
        refundId,
        kind,
        operation.idempotenceKey,
        body,
        fingerprint(kind, body),
        orderId,
      ],
    );
    if (!row) throw new Error('PostgreSQL did not record the operation.');
    if (caller === null) return { operationId, claim: null };
    const { recordedAt, isAlone } = row;
    const claim = { payment, attempts: 1, earlierUnknown: false, leaseEndsAtMs };
    const isSole = isAlone && payment.supersededAt === null;
    return {
      operationId,
      claim: {
        ...claim,
        operation: { ...operation, recordedAt },
        ...(isSole && { sole: { order, store: caller } }),
      },
    };
  }
}
