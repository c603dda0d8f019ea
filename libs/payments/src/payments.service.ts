import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AirlineRequest } from './api/requests/airline.js';
import { CreateCalls } from './calls/create-calls.js';
import { MoneyCalls } from './calls/money-calls.js';
import { PrepaymentCalls } from './calls/receipts/prepayment-calls.js';
import { RefreshCalls } from './calls/refresh-calls.js';
import { SavedMethods } from './calls/saved-methods.js';
import type { Amount } from './common/money.js';
import type { StoreScope } from './common/store.scope.js';
import { PaymentReceipts } from './payment-receipts.js';
import type { CreatePaymentInput } from './payment/inputs/create-payment.input.js';
import type { RefundInput } from './payment/refunds/refund.input.js';
import type { TimelineEntry } from './payment/timeline.js';
import type { ReceiptInput } from './receipts/receipt.input.js';
import type { SettlePrepaymentInput } from './receipts/settlement.input.js';
import type { Order, Payment } from './views/payment.view.js';
import type { Receipt } from './views/receipt.view.js';
import type { Refund } from './views/refund.view.js';

/**
 * Takes payments. Every method may be called twice, at once, or again after a crash.
 *
 * Each takes `store`, the id of a connected store; if omitted, it is the shop's own. `PaymentInputError` (field `store`) if
 * that is no UUID, or is omitted and there is no shop. The errors named Store… concern connected stores only.
 */
@Injectable()
export class PaymentsService {
  /** @internal */
  constructor(
    /** Saves methods without a payment, and reads saved ones. */
    readonly methods: SavedMethods,
    /** Receipts that are sent by themselves, apart from the money. */
    readonly receipts: PaymentReceipts,
    private readonly reader: RefreshCalls,
    private readonly creates: CreateCalls,
    private readonly money: MoneyCalls,
    private readonly prepayments: PrepaymentCalls,
  ) {}

  /**
   * Creates a payment for an order and returns it, usually `pending` with a `confirmationUrl` to send
   * the buyer to; an automatic payment (`paymentMethodId`) comes back `succeeded`, `waiting_for_capture` or `canceled`.
   * The same create again (two tabs, a double click, a retry) returns the same payment, with `description` and `metadata` as they
   * were first given. If `order.totalDue` differs, it is what is due from now on, unless the order was ever paid.
   *
   * @throws PaymentInputError for a field that breaks a rule; nothing was stored or sent
   * @throws StoreNotFoundError if no store was connected under this id
   * @throws StoreNotConnectedError if the store was disconnected, or the service no longer takes its token
   * @throws StorePermissionError if the app lacks the permission to create, or with `replace` to cancel
   * @throws StoreDisabledError if the service does not let the store take payments
   * @throws OrderAlreadyPaidError if the order's payment is held or paid already
   * @throws OrderAmountExceededError if the order's payments would exceed what is due
   * @throws OperationInProgressError with `replace`, if the order's hold is being captured or a saved method charged
   * @throws OrderPaymentOpenError if another payment of the order is open
   * @throws OrderTotalDiffersError if the order was paid before, and another sum is due now; {@link changeTotalDue} says so on purpose
   * @throws OrderPaymentsExceededError with `replace`, if twenty payments that were replaced may still be paid
   * @throws PaymentRejectedError if the service refused; its answer is the `cause`
   * @throws RecurringNotAllowedError, one of those, if the store may neither save a method nor charge a saved one
   * @throws PaymentOutcomeUnknownError if the service gave no answer in time; call again to resume
   * @example
   * const payment = await this.payments.create({
   *   order: { reference: 'A-1042' },
   *   amount: { value: '1234.50', currency: 'RUB' },
   *   returnUrl: 'https://shop.example/orders/A-1042',
   * });
   * redirect(payment.confirmationUrl ?? '/orders/A-1042');
   */
  create(input: CreatePaymentInput): Promise<Payment> {
    return this.creates.create(input);
  }

  /**
   * The payment as we know it; no request to the service.
   * @throws PaymentNotFoundError also for a payment of another store
   * @throws StoreNotFoundError
   * @example const { status, cancellation } = await this.payments.get(paymentId);
   */
  get(paymentId: string, scope: StoreScope = {}): Promise<Payment> {
    return this.reader.get(paymentId, scope);
  }

  /**
   * All payments of an order, oldest first; empty if the order is unknown.
   * @throws StoreNotFoundError
   * @example const tries = await this.payments.findByOrder('A-1042');
   */
  findByOrder(orderReference: string, scope: StoreScope = {}): Promise<Payment[]> {
    return this.reader.findByOrder(orderReference, scope);
  }

  /**
   * The payment that the order's buyer should see now; no request to the service. While the order needs money, that is its open
   * payment (`submitting` or `pending`, and not superseded), otherwise the newest one that is held, or paid and not wholly refunded.
   * Null if there is none: nothing was tried, or all that was tried came to nothing.
   * @throws StoreNotFoundError
   * @example const payment = await this.payments.currentPayment('A-1042');
   */
  currentPayment(orderReference: string, scope: StoreScope = {}): Promise<Payment | null> {
    return this.reader.currentPayment(orderReference, scope);
  }

  /**
   * The totals of an order's payments; null if the order has never had one.
   * @throws StoreNotFoundError
   */
  getOrder(orderReference: string, scope: StoreScope = {}): Promise<Order | null> {
    return this.reader.getOrder(orderReference, scope);
  }

  /**
   * Says that another sum is due for an order, paid or not: goods were added, or left out. Its state follows, with the events of that:
   * `order.unpaid` if the money no longer covers what is due, `order.paid` if it does now, `order.overpaid` if more is kept than is due.
   * Nothing is charged or refunded, and an open payment can still be paid. The same call again changes nothing.
   * @param totalDue what the whole order costs; what captures of less have let go, or the service took off as a discount, is not
   *   deducted
   * @throws PaymentInputError for an amount that is not above zero, or in another currency
   * @throws OrderNotFoundError if the order has never had a payment
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError for a store that was given up in a copy of the database
   * @throws RecoveryInProgressError if the database may have forgotten a total, as after a failover; call again in a minute
   * @throws UnconfirmedDatabaseError if the database may be a copy, and a person has to say what it is
   * @example
   * const totalDue = { value: '1434.50', currency: 'RUB' } as const;
   * await this.payments.changeTotalDue('A-1042', totalDue);
   * // what is left is a payment of its own
   * await this.payments.create({
   *   order: { reference: 'A-1042', totalDue },
   *   amount: { value: '200.00', currency: 'RUB' },
   *   part: 'gift-wrap',
   *   returnUrl: 'https://shop.example/orders/A-1042',
   * });
   */
  changeTotalDue(orderReference: string, totalDue: Amount, scope: StoreScope = {}): Promise<Order> {
    return this.creates.changeTotalDue(orderReference, totalDue, scope);
  }

  /**
   * Everything that happened to a payment, oldest first: its own events and the notifications that came in.
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  timeline(paymentId: string, scope: StoreScope = {}): Promise<TimelineEntry[]> {
    return this.reader.timeline(paymentId, scope);
  }

  /**
   * Captures a held payment, whole or in part; the rest returns to the buyer, and is no longer due: the order is paid by the part. The
   * same capture again joins the first. With a handler's `manager` the capture is recorded in that transaction and sent after
   * its commit; the payment comes back as it is now.
   *
   * @param options.receipt of a part: needed if the payment has one, and only then; {@link receiptOfPart} makes it
   * @param options.airline what is known of the air tickets by now; for bank card payments
   * @param options.keepsDue true: what a part leaves stays due, because it is charged otherwise. Default: false
   * @param options.extra fields of a capture that this module does not know, by the service's names
   * @throws PaymentInputError for an amount that is not above zero and at most the held one, or that its method does not capture
   * in part, or a field of the airline, receipt or extra
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if the store was disconnected or, without `manager`, the service no longer takes its token
   * @throws StorePermissionError if the app lacks the permission for it
   * @throws PaymentNotHeldError if there is no hold to capture
   * @throws OperationInProgressError if another capture or cancel is under way
   * @throws OperationRefusedError if the service refused
   * @throws PaymentOutcomeUnknownError if the service gave no answer in time; the sweep continues
   * @example
   * await this.payments.capture(paymentId); // the whole hold
   * await this.payments.capture(paymentId, { amount: { value: '900.00', currency: 'RUB' } });
   */
  capture(
    paymentId: string,
    options: StoreScope & {
      amount?: Amount;
      airline?: AirlineRequest;
      receipt?: ReceiptInput;
      keepsDue?: boolean;
      extra?: Readonly<Record<string, unknown>>;
      manager?: EntityManager;
    } = {},
  ): Promise<Payment> {
    return this.money.finish(paymentId, 'capture', options);
  }

  /**
   * Cancels a held payment; the whole hold returns to the buyer. Otherwise like {@link capture}. A pending payment
   * cannot be canceled at the service: it ends by itself.
   * @example
   * await this.payments.cancel(paymentId);
   */
  cancel(paymentId: string, options: StoreScope & { manager?: EntityManager } = {}): Promise<Payment> {
    return this.money.finish(paymentId, 'cancel', options);
  }

  /**
   * Refunds a succeeded payment, whole or in part, once per `refundKey`: the same key again (a double click, a retry,
   * after a crash) is the same refund. Partial refunds may be repeated under keys of their own; together, those in
   * flight included, they never exceed what was captured. A refund that the service processes slowly comes back
   * `pending`; its events report the rest. With a handler's `manager` the refund is recorded in that transaction and sent
   * after its commit.
   *
   * @param input.amount default: all that is left, or `lines`
   * @throws PaymentInputError for a field that breaks a rule, also if `receipt` gives back goods that another refund gives back
   *   already, or that were not captured, and for a `manager` of a transaction of your own that is not READ COMMITTED; nothing was
   *   stored or sent
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if the store was disconnected or, without `manager`, the service no longer takes its token
   * @throws StorePermissionError if the app lacks the permission for it
   * @throws PaymentNotRefundableError if the payment is not paid, or the service refunds nothing of its method
   * @throws RefundWindowClosedError if it is too old: three years, by some methods less
   * @throws PaymentWhollyRefundedError if nothing is left of it
   * @throws RefundAmountExceededError if less is left than asked for
   * @throws RecoveryInProgressError if the database may have forgotten a refund, as after a failover; call again in a minute, with the
   *   same key. With `manager` at once, otherwise after half of a call's time
   * @throws RefundKeyReusedError if the key named another amount, receipt, description, metadata or extra before
   * @throws OperationRefusedError if the service refused
   * @throws PaymentOutcomeUnknownError if the service gave no answer in time; call again with the same key to resume
   * @example
   * const refund = await this.payments.refund(paymentId, {
   *   refundKey: 'return-17',
   *   amount: { value: '234.50', currency: 'RUB' }, // left out: all that is left
   * });
   */
  refund(
    paymentId: string,
    options: RefundInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Refund> {
    return this.money.refund(paymentId, options);
  }

  /**
   * Every refund of a payment as we know it, oldest first, those made outside the module included.
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  refunds(paymentId: string, scope: StoreScope = {}): Promise<Refund[]> {
    return this.reader.refunds(paymentId, scope);
  }

  /**
   * Sends the second receipt of a prepayment, once the goods are handed over: what was prepaid and neither refunded nor settled
   * since, as full payment. Of goods that leave in parcels, a receipt for each, under a `receiptKey` of its own. Otherwise like
   * `receipts.create`.
   *
   * @param options.receiptKey default `settlement`
   * @param options.items what is handed over, with its codes; default: all goods that are left
   * @param options.paymentSubject what the goods are whose prepayment said `payment`; default `commodity`
   * @param options.customer who gets it; default: who got the payment's receipt, as long as that is kept
   * @throws PaymentInputError also if `customer` is missing and no longer kept
   * @throws PaymentInputError for `items` that were not prepaid or are not left
   * @throws ReceiptKeyReusedError if the key named another parcel before
   * @throws ReceiptNotPossibleError if nothing is left of a prepayment, naming why, or while a refund or another receipt of it is on
   * its way
   * @throws ServiceError if the service does not list the payment's receipts
   * @example await this.payments.settlePrepayment(paymentId);
   */
  settlePrepayment(
    paymentId: string,
    options: SettlePrepaymentInput & StoreScope & { readonly manager?: EntityManager } = {},
  ): Promise<Receipt> {
    return this.prepayments.settle(paymentId, options);
  }

  /**
   * Re-reads the payment from the service now, applies what it says and returns the result: for the page the
   * buyer returns to. Those who ask at the same moment share one request, and who asks all the time waits: three at once, then one a
   * second. No request is made for a payment that has ended, and of which nothing is under way, nor for one that was replaced: it
   * comes back as it is known. `PaymentsOperator.reread` asks whatever is known.
   * @throws PaymentNotFoundError
   * @throws UnconfirmedDatabaseError
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if the store was disconnected, or the service no longer takes its token
   * @throws ServiceError if the service gives no usable answer; `get()` still returns what is known
   * @throws PaymentOutcomeUnknownError if another process works on it for longer than a call may take
   * @example
   * const payment = await this.payments.refresh(paymentId).catch(() => this.payments.get(paymentId));
   */
  refresh(paymentId: string, scope: StoreScope = {}): Promise<Payment> {
    return this.reader.refresh(paymentId, scope);
  }
}
