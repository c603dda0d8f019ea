import { randomBytes } from 'node:crypto';
import { limits } from '../../api/limits.js';
import { methodOf } from '../../api/method-of.js';
import { managerRefused, mustBeOptions } from '../../common/arguments.js';
import { isRecord } from '../../common/is-record.js';
import { formatAmount, type Amount } from '../../common/money.js';
import {
  OrderNotFoundError,
  PaymentNotHeldError,
  PaymentRejectedError,
  RefundKeyReusedError,
} from '../../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../../common/store.scope.js';
import { decideCreate, isFound } from '../../operations/create-decision.js';
import { refusalOfCreate } from '../../operations/create-refusal.js';
import { recordedBody } from '../../operations/personal-data.js';
import { refusalOfRefund } from '../../operations/refunds/refund-refusal.js';
import { CANCEL_BODY, captureBody, fingerprint, hasSameExtra } from '../../operations/request-body.js';
import type { PaymentsModuleOptions } from '../../options/payments.options.js';
import { resolveOptions, type ResolvedPaymentsOptions } from '../../options/payments.resolved-options.js';
import { captureAmount } from '../../payment/capture-amount.js';
import { currentPayment } from '../../payment/current-payment.js';
import { mustBeByCard, parseCaptureExtras } from '../../payment/inputs/capture.input.js';
import { withReceipt, type CreateIntent } from '../../payment/inputs/create-intent.js';
import { parseCreateInput, type CreatePaymentInput } from '../../payment/inputs/create-payment.input.js';
import { mustBeInCurrency, parseTotalDue } from '../../payment/inputs/total-due.input.js';
import { refundIdOf } from '../../payment/intent-key.js';
import { sumsOf } from '../../payment/order-totals.js';
import { rulesOf } from '../../payment/paid-by.js';
import { decideRefund, digestOfAsked, type RefundRequest } from '../../payment/refunds/decide-refund.js';
import { parseRefundInput } from '../../payment/refunds/refund.input.js';
import { timelineOf, type TimelineEntry } from '../../payment/timeline.js';
import type { Payments } from '../../payments.service.js';
import { checkPartReceipt } from '../../receipts/fiscalization.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { orderView, paymentView, type Order, type Payment } from '../../views/payment.view.js';
import { refundView, type Refund } from '../../views/refund.view.js';
import { FakeActionImpossibleError, FakePaymentsUnsupportedError } from '../testing.errors.js';
import { FakeBooks, type FakePayment } from './fake-books.js';
import {
  ACCOUNT_ID,
  canceledPayment,
  capturedPayment,
  paidPayment,
  refundAnswer,
} from './service-answers.js';

/** What of the module's options a fake goes by; as those of `PaymentsModule.forRoot`. */
export type FakePaymentsOptions = Pick<PaymentsModuleOptions, 'profile' | 'fiscalization'>;

/** What becomes of a refund at the service: it takes its time, or is not made. */
export interface RefundCourse {
  readonly status: 'pending' | 'canceled';
  /** Why it is canceled. Default: `general_decline`. */
  readonly reason?: string;
}

const DECLINED = 'general_decline';

/**
 * PaymentsService without a database and a service: for unit tests of code that takes {@link Payments}. It keeps payments in memory
 * and decides by the module's own rules, so statuses, sums and errors are those of the module. Nothing happens by itself: what a buyer
 * or the service would do is a method here, and no handler runs: pass what such a method returns to `deliver`.
 *
 * With `manager` a capture, cancel or refund takes effect at once, and comes back as it was before. Receipts are checked and sent
 * nowhere, and which goods were given back is not counted. Without receipts sent by themselves, saved methods without a payment, form
 * tokens and connected stores: createTestPayments() has all of them.
 *
 * @example
 * const fake = new FakePaymentsService();
 * const { id } = await fake.create({ order: { reference: 'A-1042' }, amount, returnUrl });
 * const { status } = fake.pay(id); // succeeded
 */
export class FakePaymentsService implements Payments {
  readonly methods: Payments['methods'] = {
    bind: () => unsupported('methods.bind()'),
    get: () => unsupported('methods.get()'),
  };
  readonly receipts: Payments['receipts'] = {
    create: () => unsupported('receipts.create()'),
    get: () => unsupported('receipts.get()'),
    list: () => unsupported('receipts.list()'),
  };

  readonly #options: ResolvedPaymentsOptions;
  readonly #books: FakeBooks;
  /** Methods that were saved with a payment: their types by their ids. */
  readonly #saved = new Map<string, string>();
  readonly #courses: RefundCourse[] = [];

  /** @throws PaymentsConfigurationError for options that contradict each other */
  constructor({ profile, fiscalization }: FakePaymentsOptions = {}) {
    this.#options = resolveOptions({
      serviceUrl: 'https://service.example',
      shopId: ACCOUNT_ID,
      secretKey: randomBytes(24).toString('hex'),
      ...(profile && { profile }),
      ...(fiscalization && { fiscalization }),
    });
    this.#books = new FakeBooks(this.#options);
  }

  async create(input: CreatePaymentInput): Promise<Payment> {
    const asked = parseCreateInput(input, this.#options);
    this.#books.mustBeOwn(asked.scope);
    if (asked.cardData) return unsupported('payments by paymentToken');
    const intent = withReceipt(asked, this.#options.fiscalization);
    const known = this.#books.paymentsOf(intent.orderReference);
    const { totalDueMinor } = intent;
    const decision = decideCreate(
      intent,
      known[0]?.order ?? { totalDueMinor, ...sumsOf([]), waivedMinor: 0, state: 'unpaid', wasPaid: false },
      known.map(({ payment }) => payment),
    );
    if (isFound(decision))
      this.#books.changeTotal(this.#books.find(decision.paymentId), intent.totalDueMinor, 'create');
    switch (decision.kind) {
      case 'open':
        return this.#open(
          intent,
          known.filter(({ payment }) => decision.supersede.includes(payment)),
        );
      case 'same':
        return viewOf(this.#books.find(decision.paymentId));
      case 'charging':
      case 'paid':
      case 'exceeded':
      case 'open-elsewhere':
      case 'total-differs':
      case 'too-many':
        throw refusalOfCreate(intent, decision);
      case 'resume':
      case 'settle-first':
        break;
    }
    throw new Error(`Payment ${decision.paymentId} has no answer, and a fake answers at once.`);
  }

  async get(paymentId: string, scope: StoreScope = {}): Promise<Payment> {
    return viewOf(this.#books.find(paymentId, scope));
  }

  async findByOrder(orderReference: string, scope: StoreScope = {}): Promise<Payment[]> {
    const order = this.#books.order(orderReference, scope);
    return order ? this.#books.paymentsOf(order.reference).map(viewOf) : [];
  }

  async currentPayment(orderReference: string, scope: StoreScope = {}): Promise<Payment | null> {
    const order = this.#books.order(orderReference, scope);
    const payments = this.#books.paymentsOf(orderReference).map(({ payment }) => payment);
    const payment = order && currentPayment(order, payments);
    return payment && viewOf(this.#books.find(payment.id));
  }

  async getOrder(orderReference: string, scope: StoreScope = {}): Promise<Order | null> {
    const order = this.#books.order(orderReference, scope);
    return order && orderView(order);
  }

  async changeTotalDue(reference: string, totalDue: Amount, scope: StoreScope = {}): Promise<Order> {
    const due = parseTotalDue(totalDue);
    const order = this.#books.order(reference, scope);
    if (order === null) throw new OrderNotFoundError(reference);
    mustBeInCurrency(due, order);
    const payments = this.#books.paymentsOf(reference);
    const current = currentPayment(
      order,
      payments.map(({ payment }) => payment),
    );
    const about = payments.find(({ payment }) => payment === current) ?? payments.at(-1);
    if (about) this.#books.changeTotal(about, due.totalDueMinor, 'total');
    return orderView(order);
  }

  /** Without notifications, of which there are none. */
  async timeline(paymentId: string, scope: StoreScope = {}): Promise<TimelineEntry[]> {
    return timelineOf(this.#books.find(paymentId, scope).events, []);
  }

  async capture(paymentId: string, options: Parameters<Payments['capture']>[1] = {}): Promise<Payment> {
    mustBeOptions(options);
    const { amount, airline, receipt, extra, keepsDue, manager, ...scope } = options;
    const { profile, fiscalization } = this.#options;
    const extras = parseCaptureExtras({ airline, receipt, extra, keepsDue }, profile);
    const fake = this.#books.find(paymentId, scope);
    const isRecorded = isGiven(manager);
    const { payment, intent } = fake;
    const { authorizedMinor: wholeMinor, currency, receiptsAfter } = payment;
    const amountMinor = amount === undefined ? wholeMinor : captureAmount(payment, amount, profile);
    if (extras.airline) mustBeByCard(payment);
    if (payment.status === 'waiting_for_capture')
      checkPartReceipt(
        { receipt: extras.receipt, amountMinor, receiptsAfter },
        { wholeMinor, hasReceipt: intent.receipt !== null },
        fiscalization,
      );
    const isKept = extras.keepsDue && amountMinor < wholeMinor;
    const request = `${fingerprint('capture', captureBody(amountMinor, currency, extras))} ${isKept}`;
    const answer = () => {
      payment.keepsDue = isKept;
      return capturedPayment(fake.object, formatAmount(amountMinor, currency), new Date());
    };
    return this.#finish(fake, 'capture', request, isRecorded, answer, amountMinor);
  }

  async cancel(paymentId: string, options: Parameters<Payments['cancel']>[1] = {}): Promise<Payment> {
    mustBeOptions(options);
    const { manager, ...scope } = options;
    return this.#cancel(this.#books.find(paymentId, scope), isGiven(manager));
  }

  async refund(paymentId: string, options: Parameters<Payments['refund']>[1]): Promise<Refund> {
    mustBeOptions(options);
    const { manager, store, ...input } = options;
    const { profile, fiscalization } = this.#options;
    const request = parseRefundInput(input, profile);
    const fake = this.#books.find(paymentId, scopeOf(store));
    const isRecorded = isGiven(manager);
    const { payment, intent } = fake;
    const { intentKey, status, capturedMinor, receiptsAfter, createdAt } = payment;
    if (request.receiptOf) return unsupported('refunds with receiptOf');
    const rules = rulesOf(profile, payment);
    const windowMs = rules ? rules.refundWindowMs : limits.refundWindowMs.value;
    const decision = decideRefund(
      { intentKey, status, capturedMinor, windowMs, ageMs: Date.now() - createdAt.getTime() },
      fake.refunds.map(({ refund }) => refund),
      request,
    );
    if (decision.kind === 'same') {
      const earlier = fake.refunds.find(({ refund }) => refund === decision.refund);
      if (!hasSameExtra(earlier?.said ?? '{}', request.extra))
        throw new RefundKeyReusedError(payment.id, request.refundKey);
      return refundView(decision.refund);
    }
    if (decision.kind !== 'open') throw refusalOfRefund(payment, request, decision, rules?.title ?? null);
    const { amountMinor } = decision;
    const { receipt } = request;
    const hasReceipt = intent.receipt !== null;
    if (hasReceipt && receipt === null && request.amountMinor === null && amountMinor < capturedMinor)
      return unsupported('receipts that the module makes of what is left');
    checkPartReceipt(
      { receipt, amountMinor, receiptsAfter },
      { wholeMinor: capturedMinor, hasReceipt, mayRepeat: receiptsAfter },
      fiscalization,
    );
    const refund = newRefund(fake, request, amountMinor);
    fake.refunds.push({ refund, said: recordedBody(request.extra).body });
    this.#books.tellOfRefund(fake, refund, null);
    const before = refundView(refund);
    const { status: end, reason = DECLINED }: Partial<RefundCourse> = this.#courses.shift() ?? {};
    this.#books.answerRefund(fake, refund, refundAnswer(payment, refund, end ?? 'succeeded', reason));
    return isRecorded ? before : refundView(refund);
  }

  async refunds(paymentId: string, scope: StoreScope = {}): Promise<Refund[]> {
    return this.#books.find(paymentId, scope).refunds.map(({ refund }) => refundView(refund));
  }

  /** @throws FakePaymentsUnsupportedError always */
  settlePrepayment(): Promise<never> {
    return unsupported('settlePrepayment()');
  }

  /** Nothing is known later than here, so it is `get()`. */
  refresh(paymentId: string, scope: StoreScope = {}): Promise<Payment> {
    return this.get(paymentId, scope);
  }

  /**
   * The buyer pays: the payment is `succeeded` or, with `capture: false`, `waiting_for_capture`.
   * @returns the payment, as an event of it would have it
   * @throws PaymentNotFoundError
   * @throws FakeActionImpossibleError unless it is pending
   */
  pay(paymentId: string): Payment {
    return this.#pay(this.#pending(paymentId, 'pay'), 'notification');
  }

  /**
   * The buyer tries to pay, and the payment ends as `canceled`: by the bank, or by the payment network.
   * @param reason as the service says it
   * @throws PaymentNotFoundError
   * @throws FakeActionImpossibleError unless it is pending
   */
  decline(paymentId: string, reason: string = DECLINED): Payment {
    return this.#end(this.#pending(paymentId, 'decline'), 'payment_network', reason);
  }

  /**
   * The time is up: that of the buyer to pay, or that of a hold. The payment ends as `canceled`.
   * @throws PaymentNotFoundError
   * @throws FakeActionImpossibleError if it is neither pending nor held
   */
  expire(paymentId: string): Payment {
    const fake = this.#books.find(paymentId);
    if (fake.payment.status === 'waiting_for_capture')
      return this.#end(fake, 'service', 'expired_on_capture');
    return this.#end(this.#pending(paymentId, 'expire'), 'service', 'expired_on_confirmation');
  }

  /** Orders what becomes of the next refund, each call for one more. Without this each is made at once. */
  nextRefund(course: RefundCourse): void {
    this.#courses.push(course);
  }

  /**
   * A refund that took its time ends.
   * @param reason why it is canceled
   * @throws FakeActionImpossibleError unless there is such a refund, and it is pending
   */
  finishRefund(refundId: string, outcome: 'succeeded' | 'canceled', reason: string = DECLINED): Refund {
    const { fake, refund } = this.#books.findRefund(refundId) ?? { fake: null, refund: null };
    if (fake === null || refund.status !== 'pending')
      throw new FakeActionImpossibleError('finishRefund', refundId, refund?.status ?? 'unknown');
    this.#books.answerRefund(fake, refund, refundAnswer(fake.payment, refund, outcome, reason));
    return refundView(refund);
  }

  #open(intent: CreateIntent, supersede: readonly FakePayment[]): Payment {
    for (const old of supersede) this.#books.supersede(old);
    const fake = this.#books.open(intent);
    // What a replaced payment held is released, whatever becomes of this one.
    for (const old of supersede) if (old.payment.status === 'waiting_for_capture') this.#cancel(old, false);
    const { paymentMethodId } = intent;
    if (paymentMethodId !== null && !this.#saved.has(paymentMethodId)) {
      this.#books.reject(fake);
      throw new PaymentRejectedError(fake.payment.id, 'There is no such saved payment method');
    }
    if (paymentMethodId === null) this.#books.answer(fake, fake.object, 'create');
    else this.#pay(fake, 'create');
    return viewOf(fake);
  }

  #pay(fake: FakePayment, cause: 'create' | 'notification'): Payment {
    const { payment, intent, object } = fake;
    const { paymentMethodId } = intent;
    const type = (paymentMethodId && this.#saved.get(paymentMethodId)) ?? intent.method ?? 'bank_card';
    const saved = paymentMethodId !== null || intent.savePaymentMethod;
    const hold = methodOf(this.#options.profile, type)?.hold ?? null;
    const paid = paidPayment(object, intent, { type, id: paymentMethodId, saved, hold }, new Date());
    this.#books.answer(fake, paid, cause);
    if (saved && paymentMethodId === null) this.#saved.set(paid.id, type);
    const { supersededAt, status } = payment;
    return supersededAt !== null && status === 'waiting_for_capture'
      ? this.#cancel(fake, false)
      : viewOf(fake);
  }

  #cancel(fake: FakePayment, isRecorded: boolean): Payment {
    const cancellation = { party: 'merchant', reason: 'canceled_by_merchant' };
    return this.#finish(fake, 'cancel', fingerprint('cancel', CANCEL_BODY), isRecorded, () =>
      canceledPayment(fake.object, cancellation),
    );
  }

  /** `isRecorded`: it comes back as it was. */
  #finish(
    fake: FakePayment,
    kind: 'capture' | 'cancel',
    request: string,
    isRecorded: boolean,
    answer: () => FakePayment['object'],
    askedMinor: number | null = null,
  ): Payment {
    const { id, status } = fake.payment;
    const before = viewOf(fake);
    if (fake.finish === request) return before;
    if (status !== 'waiting_for_capture') throw new PaymentNotHeldError(id, kind, status);
    fake.finish = request;
    this.#books.answer(fake, answer(), kind, askedMinor);
    return isRecorded ? before : viewOf(fake);
  }

  #end(fake: FakePayment, party: string, reason: string): Payment {
    this.#books.answer(fake, canceledPayment(fake.object, { party, reason }), 'notification');
    return viewOf(fake);
  }

  #pending(paymentId: string, action: string): FakePayment {
    const fake = this.#books.find(paymentId);
    const { status } = fake.payment;
    if (status !== 'pending') throw new FakeActionImpossibleError(action, paymentId, status);
    return fake;
  }
}

const viewOf = ({ payment, order }: FakePayment): Payment =>
  paymentView(payment, order, payment.confirmation);

/**
 * Whether there is a transaction to join. null from a JavaScript caller does not mean that there is none.
 * @throws PaymentInputError
 */
function isGiven(manager: unknown): boolean {
  if (manager !== undefined && !isRecord(manager)) throw managerRefused();
  return manager !== undefined;
}

function newRefund(
  { payment }: FakePayment,
  request: RefundRequest,
  amountMinor: number,
): PaymentsRefundEntity {
  const { id: paymentId, storeId, currency, intentKey } = payment;
  const { refundKey, description, metadata } = request;
  const now = new Date();
  return Object.assign(new PaymentsRefundEntity(), {
    id: refundIdOf(payment, refundKey),
    storeId,
    paymentId,
    refundKey,
    serviceId: null,
    status: 'submitting' as const,
    amountMinor,
    currency,
    whole: request.amountMinor === null && request.lines === null,
    description,
    receiptDigest: digestOfAsked(request, intentKey),
    metadata,
    cancellation: null,
    receiptStatus: null,
    object: null,
    createdAt: now,
    updatedAt: now,
  });
}

async function unsupported(what: string): Promise<never> {
  throw new FakePaymentsUnsupportedError(what);
}
