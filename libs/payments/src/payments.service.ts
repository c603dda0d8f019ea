import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { QueryFailedError, type EntityManager } from 'typeorm';
import { ServiceError } from './api/service-errors.js';
import { Database } from './database/database.js';
import { NotificationEntity } from './notifications/notification.entity.js';
import { OperationEntity, type OperationKind } from './operations/operation.entity.js';
import { OperationRecorder } from './operations/operation-recorder.js';
import { OperationSender, type SendResult } from './operations/operation-sender.js';
import {
  readCreateInput,
  type CreateIntent,
  type CreatePaymentInput,
} from './payment/create-payment.input.js';
import { EventEntity } from './payment/event.entity.js';
import { lockPayment } from './payment/locks.js';
import { parseAmount, type Amount } from './payment/money.js';
import { OrderEntity } from './payment/order.entity.js';
import { PaymentEntity } from './payment/payment.entity.js';
import { orderView, paymentView, type Order, type Payment } from './payment/payment.view.js';
import { timelineOf, type TimelineEntry } from './payment/timeline.js';
import {
  OperationRefusedError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentInputError,
  PaymentNotFoundError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
} from './payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './payments.module-definition.js';
import { Reconciler } from './reconcile/reconciler.js';
import { StoreRegistry } from './stores/store.registry.js';
import { WorkSignal } from './sweeps/work-signal.js';

const WAIT_FOR_OTHER_MS = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Takes payments. Every method may be called twice, at once, or again after a crash. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly recorder: OperationRecorder,
    private readonly sender: OperationSender,
    private readonly reconciler: Reconciler,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Creates a payment for an order (section 2.2) and returns it, usually `pending` with a `confirmationUrl` to send
   * the buyer to. The same create again (two tabs, a double click, a retry) returns the same payment.
   *
   * @throws PaymentInputError for a field that breaks a rule; nothing was stored or sent
   * @throws OrderAlreadyPaidError where the order's payment is held or paid already
   * @throws OrderAmountExceededError where the order's payments would exceed what is due
   * @throws FinishInProgressError with `replace`, where the order's hold is being captured
   * @throws OrderPaymentOpenError where another payment of the order is open
   * @throws PaymentRejectedError where the service refused; its answer is the `cause`
   * @throws PaymentOutcomeUnknownError where the service gave no answer in time; call again to resume
   */
  async create(input: CreatePaymentInput): Promise<Payment> {
    const intent = readCreateInput(input, this.options.profile);
    // Paid or held a moment ago, its notification still on the way: find out before it is replaced.
    if (intent.replace) await this.#rereadUnfinished(intent.orderReference);
    for (;;) {
      const { decision, paymentId } = await this.recorder.recordCreate(this.stores.shop, intent);
      switch (decision.kind) {
        case 'open':
          if (paymentId === null) throw new Error('A decision to open a payment records one.');
          if (decision.supersede.length > 0) this.signal.wake();
          return mustBeAccepted(await this.#sendCreate(paymentId));
        case 'resume': {
          const payment = await this.#sendCreate(decision.paymentId);
          if (payment.status === 'pending') return payment;
          break;
        }
        case 'same': {
          await this.#reread(decision.paymentId);
          const payment = await this.get(decision.paymentId);
          if (payment.status === 'pending') return payment;
          break;
        }
        case 'paid':
          throw new OrderAlreadyPaidError(intent.orderReference, decision.paymentId, decision.status);
        case 'exceeded':
          throw exceeded(intent, decision);
        case 'open-elsewhere':
          throw new OrderPaymentOpenError(intent.orderReference, decision.openPaymentId);
      }
      // The payment we came back to has ended or was held meanwhile: decide anew with what is true now.
    }
  }

  /**
   * The payment as we know it; nothing is asked of the service.
   * @throws PaymentNotFoundError
   */
  async get(paymentId: string): Promise<Payment> {
    const { payment, order } = await this.#find(paymentId);
    return paymentView(payment, order);
  }

  /** All payments of an order, oldest first; empty where the order is unknown. */
  async findByOrder(orderReference: string): Promise<Payment[]> {
    const order = await this.#findOrder(orderReference);
    if (!order) return [];
    const payments = await this.#manager.find(PaymentEntity, {
      where: { orderId: order.id },
      order: { createdAt: 'ASC' },
    });
    return payments.map((payment) => paymentView(payment, order));
  }

  /** What an order's payments add up to; null where the order has never had one. */
  async getOrder(orderReference: string): Promise<Order | null> {
    const order = await this.#findOrder(orderReference);
    return order && orderView(order);
  }

  /**
   * Everything that happened to a payment, oldest first: its own events and the notifications that came in.
   * @throws PaymentNotFoundError
   */
  async timeline(paymentId: string): Promise<TimelineEntry[]> {
    const { payment } = await this.#find(paymentId);
    const events = await this.#manager.find(EventEntity, { where: { paymentId }, order: { id: 'ASC' } });
    const { storeId, serviceId } = payment;
    const notifications =
      serviceId === null
        ? []
        : await this.#manager.findBy(NotificationEntity, { storeId, objectId: serviceId });
    return timelineOf(events, notifications);
  }

  /**
   * Captures a held payment, whole or in part; the rest returns to the buyer (sections 1.7 and 4). The same capture
   * again joins the first. With a handler's `manager` the capture is recorded in that transaction and sent after
   * its commit; the payment comes back as it is now.
   *
   * @throws PaymentInputError for an amount that is not above zero and at most the held one
   * @throws PaymentNotFoundError
   * @throws PaymentNotHeldError where there is no hold to capture
   * @throws FinishInProgressError where another capture or cancel is under way
   * @throws OperationRefusedError where the service refused
   * @throws PaymentOutcomeUnknownError where the service gave no answer in time; the sweep goes on with it
   */
  capture(paymentId: string, options: { amount?: Amount; manager?: EntityManager } = {}): Promise<Payment> {
    return this.#finish(paymentId, 'capture', options);
  }

  /**
   * Cancels a held payment; the whole hold returns to the buyer. Otherwise like {@link capture}. A pending payment
   * cannot be canceled at the service: it ends by itself.
   */
  cancel(paymentId: string, options: { manager?: EntityManager } = {}): Promise<Payment> {
    return this.#finish(paymentId, 'cancel', options);
  }

  /**
   * Re-reads the payment from the service now, applies what it says and returns the result: for the page the
   * buyer returns to.
   * @throws PaymentNotFoundError
   * @throws ServiceError where the service gives no usable answer; `get()` still tells what is known
   * @throws PaymentOutcomeUnknownError where another process is at it for longer than a call may take
   */
  async refresh(paymentId: string): Promise<Payment> {
    await this.#find(paymentId);
    await this.reconciler.refresh(paymentId);
    return this.get(paymentId);
  }

  get #manager(): EntityManager {
    return this.database.dataSource.manager;
  }

  async #sendCreate(paymentId: string): Promise<Payment> {
    const { id } = await this.#manager.findOneByOrFail(OperationEntity, { paymentId, kind: 'create' });
    const error = await this.#settle(paymentId, id, 'create');
    const payment = await this.get(paymentId);
    if (payment.status === 'rejected' && error !== null) throw rejected(paymentId, error);
    return payment;
  }

  async #rereadUnfinished(orderReference: string): Promise<void> {
    const payments = await this.findByOrder(orderReference);
    const unfinished = payments.filter(
      ({ status, superseded }) => !superseded && (status === 'pending' || status === 'waiting_for_capture'),
    );
    for (const { id } of unfinished) await this.#reread(id);
  }

  /** A re-read that a create depends on; without it the create's own outcome is not known. */
  async #reread(paymentId: string): Promise<void> {
    try {
      await this.reconciler.refresh(paymentId);
    } catch (error) {
      throw new PaymentOutcomeUnknownError(paymentId, 're-read', { cause: withoutBodies(error) });
    }
  }

  async #finish(
    paymentId: string,
    kind: 'capture' | 'cancel',
    { amount, manager }: { amount?: Amount; manager?: EntityManager },
  ): Promise<Payment> {
    const record = async (transaction: EntityManager) => {
      await this.#find(paymentId, transaction);
      const locked = await lockPayment(transaction, paymentId);
      const amountMinor = amount && partOf(locked.payment, amount);
      const sentBy = manager ? 'sweep' : 'caller';
      const operationId = await this.recorder.recordFinish(transaction, locked, {
        kind,
        amountMinor,
        sentBy,
      });
      return { operationId, view: paymentView(locked.payment, locked.order) };
    };
    if (manager) {
      const ours = manager.dataSource === this.database.dataSource;
      if (!ours || !manager.queryRunner?.isTransactionActive) {
        throw new PaymentInputError(
          'options.manager',
          "must be the EntityManager of an open transaction of the module's own data source, as a handler gets it",
        );
      }
      return (await record(manager)).view;
    }
    const { operationId } = await this.database.transaction(record);
    const error = await this.#settle(paymentId, operationId, kind);
    const { outcome } = await this.#manager.findOneByOrFail(OperationEntity, { id: operationId });
    if (outcome === 'refused') {
      // Whatever it is that the service would not do it to: find out, so that the caller learns the true state.
      await this.reconciler.refresh(paymentId).catch(() => undefined);
      const { status } = await this.get(paymentId);
      throw new OperationRefusedError(paymentId, kind, status, reasonOf(error), { cause: error });
    }
    return this.get(paymentId);
  }

  /** Sends an operation, or waits for whoever is sending it, until it is settled. Returns the service's refusal, if any. */
  async #settle(paymentId: string, operationId: string, kind: OperationKind): Promise<unknown> {
    const deadline = performance.now() + this.options.callDeadlineMs;
    let looked = false;
    do {
      const result = await this.#send(paymentId, operationId, kind);
      if (result.kind === 'settled') {
        this.signal.wake();
        return result.error;
      }
      if (result.kind === 'unknown') {
        throw new PaymentOutcomeUnknownError(paymentId, kind, { cause: result.error });
      }
      if (result.kind === 'expired') {
        // One look tells all there is to know; another fifty milliseconds later would only load the service.
        if (looked) break;
        await this.#reread(paymentId);
        looked = true;
        continue;
      }
      await delay(WAIT_FOR_OTHER_MS);
    } while (performance.now() < deadline);
    throw new PaymentOutcomeUnknownError(paymentId, kind);
  }

  /** A database that fails half-way leaves the outcome unknown too, and is no other case for the caller. */
  async #send(paymentId: string, operationId: string, kind: OperationKind): Promise<SendResult> {
    try {
      return await this.sender.send(operationId, 'caller');
    } catch (error) {
      throw new PaymentOutcomeUnknownError(paymentId, kind, { cause: withoutBodies(error) });
    }
  }

  async #find(
    paymentId: string,
    manager = this.#manager,
  ): Promise<{ payment: PaymentEntity; order: OrderEntity }> {
    // Anything but a uuid would be an error of the database, not of the caller.
    const where = { id: paymentId, storeId: this.stores.shop.id };
    const payment = UUID.test(paymentId) ? await manager.findOneBy(PaymentEntity, where) : null;
    if (!payment) throw new PaymentNotFoundError(paymentId);
    return { payment, order: await manager.findOneByOrFail(OrderEntity, { id: payment.orderId }) };
  }

  #findOrder(reference: string): Promise<OrderEntity | null> {
    return this.#manager.findOneBy(OrderEntity, { storeId: this.stores.shop.id, reference });
  }
}

/** A failed query carries its parameters, request bodies among them: only what it says goes out. */
function withoutBodies(error: unknown): unknown {
  return error instanceof QueryFailedError ? new Error(error.message) : error;
}

/** A payment just opened that another process saw refused. */
function mustBeAccepted(payment: Payment): Payment {
  if (payment.status === 'rejected') throw rejected(payment.id, null);
  return payment;
}

function partOf(payment: PaymentEntity, amount: Amount): number {
  const amountMinor = parseAmount(amount);
  if (amount.currency !== payment.currency)
    throw new PaymentInputError('amount.currency', `must be ${payment.currency}`);
  if (amountMinor === 0)
    throw new PaymentInputError('amount.value', 'must be above zero; to take nothing, cancel');
  if (payment.status === 'waiting_for_capture' && amountMinor > payment.authorizedMinor) {
    throw new PaymentInputError('amount.value', 'must be at most the held amount');
  }
  return amountMinor;
}

function exceeded(
  intent: CreateIntent,
  decision: { claimedMinor: number; openPaymentId: string | null },
): OrderAmountExceededError {
  return new OrderAmountExceededError(
    intent.orderReference,
    decision.claimedMinor,
    intent.totalDueMinor,
    decision.openPaymentId,
  );
}

function rejected(paymentId: string, error: unknown): PaymentRejectedError {
  return new PaymentRejectedError(paymentId, reasonOf(error), { cause: error });
}

function reasonOf(error: unknown): string {
  return error instanceof ServiceError ? (error.details.description ?? error.message) : 'see its timeline.';
}
