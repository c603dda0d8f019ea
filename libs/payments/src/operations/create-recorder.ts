import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { thisMoment } from '../common/moment.js';
import { OrderNotFoundError, RecoveryInProgressError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Change, Written } from '../payment/change.js';
import { currentPayment } from '../payment/current-payment.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { mustBeInCurrency, type TotalDue } from '../payment/inputs/total-due.input.js';
import { Ledger } from '../payment/ledger.js';
import { withKnownOrder, withOrder } from '../payment/locks.js';
import { readForCreate, toShow } from '../payment/order-payments.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { orderView, type Order } from '../views/payment.view.js';
import { WorkSignal } from '../work/work-signal.js';
import { answerCreate, totalChange, type CreateAnswer } from './answer-create.js';
import { HeldPayments } from './held-payments.js';
import { openFirst, type OpenTerms } from './open-payment.js';
import { outcomeUnknown } from './outcome-unknown.js';
import type { SendClaim } from './send-claim.js';

type Named = Pick<PaymentsOrderEntity, 'storeId' | 'reference'>;

/** The result of a create. */
type RecordedCreate =
  | Exclude<CreateAnswer, { kind: 'open' }>
  /** `claim`: the attempt that its caller makes. */
  | { readonly kind: 'open'; readonly claim: SendClaim };

/** Records payments to be created, each with its place in the queue and the attempt that its caller makes, before the request (G1). */
@Injectable()
export class CreateRecorder {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * The first payment of an order, as most creates are, is recorded with it in one statement; otherwise what a create means is decided
   * under its lock.
   * @throws RecoveryInProgressError
   */
  record(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    { isSearched, traceparent }: { readonly isSearched: boolean; readonly traceparent: string | null },
  ): Promise<RecordedCreate> {
    return this.gate.pass(async () => {
      await this.gate.learn();
      const terms = { ...this.options, traceparent };
      const claim = await this.#first(store, intent, terms);
      return claim ? { kind: 'open', claim } : this.#next(store, intent, isSearched, terms);
    });
  }

  /**
   * Another sum is due for an order, whatever it was.
   * @throws PaymentInputError
   * @throws OrderNotFoundError
   * @throws RecoveryInProgressError
   */
  changeTotalDue(named: Named, due: TotalDue): Promise<Order> {
    return this.gate
      .pass(() =>
        withKnownOrder(this.database, named, async (manager, order) => {
          // Before the order is looked for: it may be forgotten, or have a total that a try found again overwrites.
          if (!(await this.gate.letsIn(manager, named.storeId)))
            throw new RecoveryInProgressError(named.reference);
          if (!order) throw new OrderNotFoundError(named.reference);
          const shown = currentPayment(order, await toShow(manager, this.database, order));
          const payment = shown ?? (await manager.findOneBy(PaymentsPaymentEntity, { orderId: order.id }));
          if (!payment) throw new OrderNotFoundError(named.reference);
          mustBeInCurrency(due, order);
          if (order.totalDueMinor === due.totalDueMinor) return { order, isAnnounced: false };
          const change = totalChange(order, payment, due.totalDueMinor, 'total');
          const { isAnnounced } = await this.ledger.write(manager, change);
          return { order, isAnnounced };
        }),
      )
      .then(({ order, isAnnounced }) => {
        if (isAnnounced) this.signal.wake('deliveries');
        return orderView(order);
      });
  }

  /** Null if the order exists, or no payment may be opened now. */
  async #first(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    terms: OpenTerms,
  ): Promise<SendClaim | null> {
    const begunAt = thisMoment();
    const { order, payment, operation, change } = openFirst(store.id, intent, terms);
    const written = await this.ledger
      .record(change, this.gate.openingTerms())
      .catch((error: unknown) => this.#failed(error, payment.id));
    if (!written) return null;
    const { now } = written;
    this.#heed(written);
    return {
      operation: { ...operation, recordedAt: now },
      payment: withFields(payment, { createdAt: now, updatedAt: now }),
      attempts: 1,
      earlierUnknown: false,
      begunAt,
      asRecorded: { order, store },
    };
  }

  /** @throws RecoveryInProgressError: what is recorded in the transaction so far is not kept */
  async #next(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    isSearched: boolean,
    terms: OpenTerms,
  ): Promise<RecordedCreate> {
    const { orderReference: reference, ...due } = intent;
    let openedId: string | null = null;
    const { answer, order, begunAt, written } = await withOrder(
      this.database,
      { storeId: store.id, reference, ...due },
      async (manager, locked) => {
        openedId = null;
        // Under the lock, for which this may have waited: what the lease has left, and what the time of the answer is, goes by this.
        const lockedAt = thisMoment();
        const state = await readForCreate(manager, this.database, locked, intent);
        const decided = answerCreate(state, intent, isSearched, terms);
        if (decided.answer.kind === 'open') {
          openedId = decided.answer.opening.payment.id;
          for (const payment of decided.answer.supersede)
            await this.held.supersede(manager, { order: locked, payment }, 'replace');
        }
        return {
          ...decided,
          order: locked,
          begunAt: lockedAt,
          written: await this.#write(manager, decided.change),
        };
      },
    ).catch((error: unknown) => this.#failed(error, openedId));
    if (written) this.#heed(written);
    if (answer.kind !== 'open') return answer;
    if (answer.supersede.length > 0) this.signal.wake('payments');
    const { payment, operation } = answer.opening;
    const claim = {
      operation,
      payment: withFields(payment, {}),
      attempts: 1,
      earlierUnknown: false,
      begunAt,
    };
    return { kind: 'open', claim: { ...claim, asRecorded: { order, store } } };
  }

  /** @throws RecoveryInProgressError: a try that the recovery finds again has a total of its own, and may be what is opened here */
  async #write(manager: EntityManager, change: Change | null): Promise<Written | null> {
    if (change === null) return null;
    const written = await this.ledger.write(manager, change, this.gate.openingTerms());
    if (!written) throw new RecoveryInProgressError(change.order.reference);
    return written;
  }

  #heed({ seen, isAnnounced }: Written): void {
    if (seen) this.gate.saw(seen);
    if (isAnnounced) this.signal.wake('deliveries');
  }

  /** `paymentId`: what was to be recorded; null: nothing. If it is recorded, the sweep sends it. */
  #failed(error: unknown, paymentId: string | null): never {
    throw paymentId !== null && this.database.mayHaveCommitted(error)
      ? outcomeUnknown(paymentId, 'create', error)
      : error;
  }
}
