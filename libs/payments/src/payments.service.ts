import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isRecord, ServiceError } from './api/service-errors.js';
import { Database } from './database/database.js';
import { OperationCalls } from './operations/operation-calls.js';
import { OperationEntity } from './operations/operation.entity.js';
import { OperationRecorder } from './operations/operation-recorder.js';
import {
  readCreateInput,
  type CreateIntent,
  type CreatePaymentInput,
} from './payment/create-payment.input.js';
import { lockPayment } from './payment/locks.js';
import { parseAmount, type Amount } from './payment/money.js';
import type { PaymentEntity } from './payment/payment.entity.js';
import { PaymentReader } from './payment/payment.reader.js';
import { paymentView, type Order, type Payment } from './payment/payment.view.js';
import type { TimelineEntry } from './payment/timeline.js';
import {
  OperationRefusedError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  PaymentInputError,
  PaymentRejectedError,
} from './payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './payments.module-definition.js';
import { Reconciler } from './reconcile/reconciler.js';
import { StoreRegistry } from './stores/store.registry.js';
import { WorkSignal } from './sweeps/work-signal.js';

/** Takes payments. Every method may be called twice, at once, or again after a crash. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly reader: PaymentReader,
    private readonly recorder: OperationRecorder,
    private readonly calls: OperationCalls,
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
          await this.calls.reread(decision.paymentId);
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
  get(paymentId: string): Promise<Payment> {
    return this.reader.get(paymentId);
  }

  /** All payments of an order, oldest first; empty where the order is unknown. */
  findByOrder(orderReference: string): Promise<Payment[]> {
    return this.reader.findByOrder(orderReference);
  }

  /** What an order's payments add up to; null where the order has never had one. */
  getOrder(orderReference: string): Promise<Order | null> {
    return this.reader.getOrder(orderReference);
  }

  /**
   * Everything that happened to a payment, oldest first: its own events and the notifications that came in.
   * @throws PaymentNotFoundError
   */
  timeline(paymentId: string): Promise<TimelineEntry[]> {
    return this.reader.timeline(paymentId);
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
    await this.reader.find(paymentId);
    await this.reconciler.refresh(paymentId);
    return this.get(paymentId);
  }

  async #sendCreate(paymentId: string): Promise<Payment> {
    const { id } = await this.database.dataSource.manager.findOneByOrFail(OperationEntity, {
      paymentId,
      kind: 'create',
    });
    const error = await this.calls.settle(paymentId, id, 'create');
    const payment = await this.get(paymentId);
    if (payment.status === 'rejected' && error !== null) throw rejected(paymentId, error);
    return payment;
  }

  async #rereadUnfinished(orderReference: string): Promise<void> {
    const payments = await this.findByOrder(orderReference);
    const unfinished = payments.filter(
      ({ status, superseded }) => !superseded && (status === 'pending' || status === 'waiting_for_capture'),
    );
    for (const { id } of unfinished) await this.calls.reread(id);
  }

  async #finish(
    paymentId: string,
    kind: 'capture' | 'cancel',
    { amount, manager }: { amount?: Amount; manager?: EntityManager },
  ): Promise<Payment> {
    const record = async (transaction: EntityManager) => {
      await this.reader.find(paymentId, transaction);
      const locked = await lockPayment(transaction, paymentId);
      const amountMinor = amount === undefined ? undefined : partOf(locked.payment, amount);
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
    const error = await this.calls.settle(paymentId, operationId, kind);
    const { outcome } = await this.database.dataSource.manager.findOneByOrFail(OperationEntity, {
      id: operationId,
    });
    if (outcome === 'refused') {
      // Whatever it is that the service would not do it to: find out, so that the caller learns the true state.
      await this.reconciler.refresh(paymentId).catch(() => undefined);
      const { status } = await this.get(paymentId);
      throw new OperationRefusedError(paymentId, kind, status, reasonOf(error), { cause: error });
    }
    return this.get(paymentId);
  }
}

/** A payment just opened that another process saw refused. */
function mustBeAccepted(payment: Payment): Payment {
  if (payment.status === 'rejected') throw rejected(payment.id, null);
  return payment;
}

function partOf(payment: PaymentEntity, amount: Amount): number {
  // A JavaScript caller's null must not capture the whole hold.
  if (!isRecord(amount))
    throw new PaymentInputError('amount', 'must be { value, currency }, or left out for the whole hold');
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
