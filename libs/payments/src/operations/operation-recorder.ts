import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { AirlineRequest } from '../api/requests/airline.js';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { holdRetryDelayMs } from '../holds/hold-plan.js';
import type { CreateIntent } from '../payment/create-intent.js';
import { want } from '../payment/due.js';
import type { LockedPayment } from '../payment/locks.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { openPayment, updateOrderTotals } from '../payment/transition.js';
import { FinishInProgressError, PaymentNotHeldError } from '../payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import type { StoreEntity } from '../stores/store.entity.js';
import { decideCreate, type CreateDecision } from './create-decision.js';
import { OperationEntity, type OperationKind } from './operation.entity.js';
import { CANCEL_BODY, captureBody, createBody, fingerprint } from './request-body.js';

/** Who sends an operation first; the sweep takes over from a caller once that call's time is up. */
export type SentBy = 'caller' | 'sweep';

interface NewOperation {
  readonly storeId: string;
  readonly paymentId: string;
  readonly refundId?: string;
  readonly kind: OperationKind;
  readonly body: string;
  /** Default true: the body is all that is sent. */
  readonly resendable?: boolean;
}

export interface RecordedCreate {
  readonly decision: CreateDecision;
  /** Set where the decision opened a payment. */
  readonly paymentId: string | null;
}

/** Records intents: payment and operation rows with their key and body, before any request leaves (G1). */
@Injectable()
export class OperationRecorder {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Decides under the order's lock what a create means and, where it means a new payment, records it. */
  recordCreate(store: StoreEntity, intent: CreateIntent): Promise<RecordedCreate> {
    return this.database.transaction(async (manager) => {
      const order = await this.#lockOrder(manager, store, intent);
      const payments = await manager.findBy(PaymentEntity, { orderId: order.id });
      const decision = decideCreate(intent, payments);
      if (decision.kind !== 'open') return { decision, paymentId: null };
      for (const { id } of decision.supersede) await this.#supersede(manager, order, id);
      const paymentId = await openPayment(manager, this.database, order, intent, this.due('caller'));
      // What is due decides the order's state too.
      Object.assign(order, { totalDueMinor: intent.totalDueMinor });
      await updateOrderTotals(manager, this.database, order, {
        paymentId,
        cause: 'create',
        supersededPaid: false,
      });
      const body = createBody(intent, paymentId, this.options.profile);
      const resendable = !intent.cardData;
      await this.insert(manager, { storeId: store.id, paymentId, kind: 'create', body, resendable });
      return { decision, paymentId };
    });
  }

  /**
   * Records the capture or cancel of a locked payment and returns the operation's id. The same finish already under
   * way, or done, is joined, so that a double click is one operation.
   * @throws PaymentNotHeldError
   * @throws FinishInProgressError
   */
  async recordFinish(
    manager: EntityManager,
    { payment }: LockedPayment,
    {
      kind,
      amountMinor = payment.authorizedMinor,
      airline = null,
      sentBy,
    }: {
      kind: 'capture' | 'cancel';
      amountMinor?: number | undefined;
      airline?: AirlineRequest | null;
      sentBy: SentBy;
    },
  ): Promise<string> {
    const body = kind === 'capture' ? captureBody(amountMinor, payment.currency, airline) : CANCEL_BODY;
    const earlier = await this.#findFinish(manager, payment.id);
    if (earlier?.fingerprint === fingerprint(kind, body)) return earlier.id;
    if (payment.status !== 'waiting_for_capture')
      throw new PaymentNotHeldError(payment.id, kind, payment.status);
    if (earlier) throw new FinishInProgressError(payment.id, kind, earlier.kind);
    // A hold that was polled for days would otherwise see its capture repeated once an hour.
    await want(manager, this.database, payment, this.due(sentBy), { afresh: true });
    return this.insert(manager, { storeId: payment.storeId, paymentId: payment.id, kind, body });
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

  async #lockOrder(manager: EntityManager, store: StoreEntity, intent: CreateIntent): Promise<OrderEntity> {
    const { database } = this;
    const [row] = await manager.query<Record<string, unknown>[]>(
      `INSERT INTO ${database.table(OrderEntity)} AS locked
         (id, store_id, reference, currency, total_due_minor, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, ${database.now}, ${database.now})
       ON CONFLICT (store_id, reference) DO UPDATE SET version = locked.version + 1
       RETURNING ${database.columns(OrderEntity, 'locked')}`,
      [randomUUID(), store.id, intent.orderReference, intent.currency, intent.totalDueMinor],
    );
    if (!row) throw new Error('PostgreSQL returned no order.');
    return database.hydrate(OrderEntity, 'locked', row);
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
    if (finish?.kind === 'capture') throw new FinishInProgressError(paymentId, 'replace', finish.kind);
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
    await this.recordFinish(manager, locked, { kind: 'cancel', sentBy: 'sweep' });
  }

  /** SQL of when the sweep sees to what is recorded now. */
  due(sentBy: SentBy): string {
    return sentBy === 'caller' ? plusMs(this.database.now, this.options.callDeadlineMs) : this.database.now;
  }

  /** Writes an operation down with a key of its own; returns its id. */
  async insert(manager: EntityManager, operation: NewOperation): Promise<string> {
    const id = randomUUID();
    await manager
      .createQueryBuilder()
      .insert()
      .into(OperationEntity)
      .values({
        ...operation,
        id,
        idempotenceKey: randomUUID(),
        fingerprint: fingerprint(operation.kind, operation.body),
        recordedAt: () => this.database.now,
      })
      .execute();
    return id;
  }
}
