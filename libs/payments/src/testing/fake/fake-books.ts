import type { PaymentObject } from '../../api/objects/payment.js';
import type { RefundObject } from '../../api/objects/refund.js';
import { parseServicePayment } from '../../api/service-payment.js';
import { parseServiceRefund } from '../../api/service-refund.js';
import { decide } from '../../apply/decide.js';
import { judgeRefunds } from '../../apply/refunds/judge-refunds.js';
import { mustBeName, mustBeOptions } from '../../common/arguments.js';
import type { Cause } from '../../common/cause.js';
import { PaymentInputError, PaymentNotFoundError, StoreNotFoundError } from '../../common/payments.errors.js';
import { storeRule, type StoreScope } from '../../common/store.scope.js';
import { isUuid, newId } from '../../common/uuid.js';
import { newPayment, saidOf } from '../../operations/new-payment.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import type { Change, ChangeEvent } from '../../payment/change.js';
import type { CreateIntent } from '../../payment/inputs/create-intent.js';
import { nextTry } from '../../payment/intent-key.js';
import { orderEvents, sumsOf, totalsAfter } from '../../payment/order-totals.js';
import { aboutPayment } from '../../payment/record-event.js';
import { fieldsOf, withRefundSums } from '../../payment/refunds/refund-status-writer.js';
import { statusChange } from '../../payment/status-change.js';
import type { TimelineEvent } from '../../payment/timeline.js';
import { withTotalDue } from '../../payment/total-due.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { ACCOUNT_ID, pendingPayment } from './service-answers.js';

/** A payment with all that is known of it. */
export interface FakePayment {
  readonly payment: PaymentsPaymentEntity;
  readonly order: PaymentsOrderEntity;
  readonly intent: CreateIntent;
  /** Oldest first. */
  readonly refunds: FakeRefund[];
  readonly events: TimelineEvent[];
  /** As the service last said it. */
  object: PaymentObject;
  /** The fingerprint of its capture or cancel; null: there was none. */
  finish: string | null;
}

export interface FakeRefund {
  readonly refund: PaymentsRefundEntity;
  /** What the request said besides, as the module records it. */
  readonly said: string;
}

type Terms = Pick<ResolvedPaymentsOptions, 'profile' | 'holdLeadTimeMs' | 'unsettledAfterMs'>;

/** The rows of one store, in memory. What an answer of the service changes is decided by the module's own functions. */
export class FakeBooks {
  readonly #storeId = newId();
  readonly #orders = new Map<string, PaymentsOrderEntity>();
  /** Oldest first. */
  readonly #payments: FakePayment[] = [];

  constructor(private readonly terms: Terms) {}

  /** @throws PaymentInputError, StoreNotFoundError: there is the shop's own store, and no other */
  mustBeOwn(scope: StoreScope): void {
    mustBeOptions(scope);
    const { store } = scope;
    if (store === undefined || store === this.#storeId) return;
    if (!isUuid(store)) throw new PaymentInputError('store', storeRule(true));
    throw new StoreNotFoundError(store);
  }

  /** @throws PaymentNotFoundError */
  find(paymentId: string, scope: StoreScope = {}): FakePayment {
    mustBeName('paymentId', paymentId);
    this.mustBeOwn(scope);
    const found = this.#payments.find(({ payment }) => payment.id === paymentId);
    if (!found) throw new PaymentNotFoundError(paymentId);
    return found;
  }

  findRefund(refundId: string): { fake: FakePayment; refund: PaymentsRefundEntity } | null {
    for (const fake of this.#payments)
      for (const { refund } of fake.refunds) if (refund.id === refundId) return { fake, refund };
    return null;
  }

  /** null: it has never had a payment. */
  order(reference: string, scope: StoreScope): PaymentsOrderEntity | null {
    mustBeName('orderReference', reference);
    this.mustBeOwn(scope);
    return this.#orders.get(reference) ?? null;
  }

  /** Oldest first. */
  paymentsOf(reference: string): FakePayment[] {
    return this.#payments.filter(({ order }) => order.reference === reference);
  }

  /** Records a payment, `submitting`, with what the service is going to answer. */
  open(intent: CreateIntent): FakePayment {
    const now = new Date();
    const order = this.#orders.get(intent.orderReference) ?? this.#newOrder(intent, now);
    const siblings = this.paymentsOf(order.reference).map(({ payment }) => payment);
    const said = saidOf(this.#storeId, intent, nextTry(intent.part, siblings));
    const dates = { createdAt: now, updatedAt: now };
    const payment = Object.assign(new PaymentsPaymentEntity(), newPayment(newId(), order, said, null), dates);
    const object = pendingPayment(payment, intent);
    const fake: FakePayment = { payment, order, intent, refunds: [], events: [], object, finish: null };
    const { totalDueMinor } = intent;
    const total = { totalDueMinor, paymentId: payment.id, cause: 'create' } as const;
    const { totals, events } = withTotalDue(order, total);
    this.#tell(fake, [
      {
        ...aboutPayment(payment),
        name: 'payment.submitting',
        to: 'submitting',
        cause: 'create',
        evidence: {},
      },
      ...events,
    ]);
    Object.assign(order, totals);
    this.#payments.push(fake);
    return fake;
  }

  /** What is due for the order of this payment, from now on. */
  changeTotal(fake: FakePayment, totalDueMinor: number, cause: 'create' | 'total'): void {
    const { payment, order } = fake;
    if (order.totalDueMinor === totalDueMinor) return;
    const { totals, events } = withTotalDue(order, { totalDueMinor, paymentId: payment.id, cause });
    this.#apply(fake, { after: null, totals, events });
  }

  /** A later create takes its place. */
  supersede(fake: FakePayment): void {
    const supersededAt = new Date();
    Object.assign(fake.payment, { supersededAt, updatedAt: supersededAt });
    const superseded = { name: 'payment.superseded', cause: 'replace', evidence: {} } as const;
    this.#tell(fake, [{ ...aboutPayment(fake.payment), ...superseded }]);
  }

  /** The service refused the create. */
  reject(fake: FakePayment): void {
    const { payment, order } = fake;
    const decided = { cause: 'create', evidence: {} } as const;
    this.#apply(fake, statusChange({ payment, order }, 'rejected', {}, decided));
  }

  /** Applies what the service says of a payment. `askedMinor`: what a capture asked for; null: nothing did. */
  answer(fake: FakePayment, object: PaymentObject, cause: Cause, askedMinor: number | null = null): void {
    const { payment, order } = fake;
    const { profile, holdLeadTimeMs: leadTimeMs, unsettledAfterMs } = this.terms;
    const state = { payment, order, accountId: ACCOUNT_ID, isTest: true };
    const decided = { cause, evidence: {} };
    const terms = { now: new Date(), leadTimeMs, unsettledAfterMs, profile };
    const { verdict, change } = decide({ ...state, askedMinor }, parseServicePayment(object), decided, terms);
    if (verdict.kind !== 'move' || change === null)
      throw new Error(
        `Payment ${payment.id} is ${payment.status}, and its answer is no change: ${verdict.kind}`,
      );
    fake.object = object;
    this.#apply(fake, change);
  }

  /** Likewise of a refund of it. */
  answerRefund(fake: FakePayment, refund: PaymentsRefundEntity, object: RefundObject): void {
    const { payment, order } = fake;
    const known = fake.refunds.map((one) => one.refund);
    const seen = { object: parseServiceRefund(object), ourId: refund.id, marked: null };
    for (const change of judgeRefunds(payment, known, [seen]).changes) {
      if (change.kind !== 'move') continue;
      const { status: from } = refund;
      const updatedAt = new Date();
      Object.assign(refund, fieldsOf(change.object), { status: change.to, updatedAt });
      this.tellOfRefund(fake, refund, from);
    }
    const after = withRefundSums(payment, known);
    const totals = totalsAfter(order, payment, after);
    const about = { paymentId: payment.id, cause: 'refund', supersededPaid: false } as const;
    this.#apply(fake, { after, totals, events: orderEvents(order, totals, about) });
  }

  tellOfRefund(
    fake: FakePayment,
    { id, storeId, status, refundKey, amountMinor }: PaymentsRefundEntity,
    from: string | null,
  ): void {
    const about = { storeId, subject: { type: 'refund', id }, paymentId: fake.payment.id } as const;
    const evidence = { refundId: id, refundKey, amountMinor };
    this.#tell(fake, [{ ...about, name: `refund.${status}`, from, to: status, cause: 'refund', evidence }]);
  }

  #newOrder(
    { orderReference: reference, currency, totalDueMinor }: CreateIntent,
    now: Date,
  ): PaymentsOrderEntity {
    const unpaid = { waivedMinor: 0, state: 'unpaid', wasPaid: false, version: 0 } as const;
    const named = { id: newId(), storeId: this.#storeId, reference, currency, totalDueMinor };
    const order = Object.assign(new PaymentsOrderEntity(), named, sumsOf([]), unpaid, {
      createdAt: now,
      updatedAt: now,
    });
    this.#orders.set(reference, order);
    return order;
  }

  #apply(
    fake: FakePayment,
    { after, isDated, totals, events }: Pick<Change, 'after' | 'isDated' | 'totals' | 'events'>,
  ): void {
    const { payment, order } = fake;
    Object.assign(payment, after, isDated === true && { updatedAt: new Date() });
    Object.assign(order, totals);
    this.#tell(fake, events);
  }

  #tell({ events: told }: FakePayment, events: readonly ChangeEvent[]): void {
    for (const { name, from = null, to = null, cause, evidence } of events)
      told.push({ name, fromStatus: from, toStatus: to, cause, evidence, createdAt: new Date() });
  }
}
