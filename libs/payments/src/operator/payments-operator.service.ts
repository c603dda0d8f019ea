import { Injectable } from '@nestjs/common';
import { parseRequest } from '../api/requests/parse-request.js';
import { RefreshCalls } from '../calls/refresh-calls.js';
import { mustBeName, mustBeOptions, mustBePeriod } from '../common/arguments.js';
import type { PaymentStatus } from '../common/payment-status.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { isUuid } from '../common/uuid.js';
import { Given, IsText, Rule } from '../common/validation.js';
import type { RefusedSender } from '../notifications/door/sender.guard.js';
import { IsCustomer, IsReceipt, type ReceiptInput } from '../receipts/receipt.input.js';
import type { Detached } from '../rollback/detachment.js';
import type { Recovery } from '../rollback/recovery-windows.js';
import { RollbackWatch } from '../rollback/rollback-watch.js';
import type { TokenRotationStep } from '../stores/token-rotation.js';
import type { Payment } from '../views/payment.view.js';
import type { Receipt } from '../views/receipt.view.js';
import type { Refund } from '../views/refund.view.js';
import { Audit, type AuditSlice } from './audit.js';
import type { AuditPage, KeptAudit, KeptAuditInFull } from './audits/kept-audit.js';
import type { Backlog } from './backlog.js';
import type { BuyerDetail } from './buyer/buyer-detail.js';
import type { DayOfMoney } from './days/day-tally.js';
import { DaysShape, type DaysInput } from './days/days.input.js';
import type { FailedDelivery, ParkedDelivery } from './failed-deliveries.js';
import type { ForeignNotification } from './foreign-notification.js';
import type { Incident } from './incidents.js';
import { Lists, type OrderProblems } from './lists.js';
import type { HandlerState } from './lists/handler-list.js';
import type { PaymentDelivery } from './lists/payment-deliveries.js';
import type { PaymentRecord } from './lists/payment-record.js';
import type { StoredNotification } from './lists/received-notifications.js';
import type { RecordedOperation } from './lists/recorded-operations.js';
import type { StoreInFull } from './lists/store-in-full.js';
import type { StorePage } from './lists/store-list.js';
import type { Note } from './notes.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { placeOf } from './place.js';
import type { PaidGoods } from './receipts/paid-goods.js';
import type { ReceiptProblem } from './receipts/receipt-problems.js';
import type { UnsettledPage } from './receipts/unsettled-prepayments.js';
import { Remedies } from './remedies.js';
import type { Counted, PaymentPage } from './search/payment-search.js';
import { PaymentSearchShape, type PaymentSearchInput } from './search/search.input.js';

class ByShape {
  @IsText(128)
  readonly by!: string;
}

class CursorShape {
  @Given()
  @Rule('must be the nextCursor of a page', (value) => placeOf(value) !== null)
  readonly cursor?: string;
}

class StoreCursorShape {
  @Given()
  @Rule('must be the nextCursor of a page', isUuid)
  readonly cursor?: string;
}

class ResolutionShape extends ByShape {
  @IsText(1_000)
  readonly note!: string;
}

class DecisionShape extends ByShape {
  @IsText(900)
  readonly note!: string;
}

class AgainShape extends ResolutionShape {
  @Given()
  @IsReceipt('is required: { customer, items, … }')
  readonly receipt?: ReceiptInput;

  @Given()
  @Rule('must be left out beside receipt, which names it', (_value, { receipt }) => receipt === undefined)
  @IsCustomer()
  readonly customer?: ReceiptInput['customer'];
}

/** For the person on call: what waits, what needs attention, and whether the books agree with the service's. */
@Injectable()
export class PaymentsOperator {
  /** @internal */
  constructor(
    private readonly lists: Lists,
    private readonly parked: ParkedDeliveries,
    private readonly remedies: Remedies,
    private readonly books: Audit,
    private readonly rollbacks: RollbackWatch,
    private readonly rereads: RefreshCalls,
  ) {}

  /**
   * What is in progress, with the age of the oldest: for a health page or an alarm.
   * {@link conditionsOf} says which of it is wrong.
   * @example const isWell = conditionsOf(await this.operator.backlog()).length === 0;
   */
  backlog(): Promise<Backlog> {
    return this.lists.backlog();
  }

  /** The time of business by which payments are dated: the database's own, moved by the module's `clock`. */
  now(): Promise<Date> {
    return this.lists.now();
  }

  /**
   * Payments of a store, the newest first: all, those of one status, or what a text finds. At most 50 a page.
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example
   * const { items } = await this.operator.search({ text: '*4444' });
   * for (const { payment, needs } of items) console.log(payment.orderReference, payment.status, needs);
   */
  async search(search: PaymentSearchInput = {}): Promise<PaymentPage> {
    mustBeOptions(search);
    const { store, ...rest } = search;
    return this.lists.search(scopeOf(store), parseRequest(PaymentSearchShape, rest));
  }

  /**
   * How many payments of a store have each status, each counted up to 1,000.
   * @throws StoreNotFoundError
   */
  counts(scope: StoreScope = {}): Promise<Record<PaymentStatus, Counted>> {
    return this.lists.counts(scope);
  }

  /**
   * Holds of a store, the next to end first; one whose end the service did not say is before all others. At most 50 a page.
   * @param page `cursor`: the `nextCursor` of the page before; `store`: default the shop's own
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   */
  async holds(page: StoreScope & { readonly cursor?: string } = {}): Promise<PaymentPage> {
    mustBeOptions(page);
    const { store, ...rest } = page;
    const { cursor } = parseRequest(CursorShape, rest);
    return this.lists.holds(scopeOf(store), cursor);
  }

  /**
   * What each day of a period brought to a store: money taken, held and refunded, how many payments succeeded and were canceled,
   * and why. Days are told apart in a time zone of yours; one without a payment is there, too.
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example
   * const to = new Date();
   * const from = new Date(to.getTime() - 14 * 86_400_000);
   * for (const { day, taken } of await this.operator.days({ from, to, timeZone: 'Europe/Moscow' })) console.log(day, taken.value);
   */
  async days(period: DaysInput): Promise<DayOfMoney[]> {
    mustBeOptions(period);
    const { store, ...rest } = period;
    return this.lists.days(scopeOf(store), parseRequest(DaysShape, rest));
  }

  /**
   * All that is kept of one payment: its order, requests, notifications, deliveries, refunds, receipts, its timeline and the
   * service's object. The service is not asked. It names the buyer where the service does, so show it with care.
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  inspect(paymentId: string, scope: StoreScope = {}): Promise<PaymentRecord> {
    return this.lists.record(paymentId, scope);
  }

  /**
   * Re-reads a payment from the service now, whatever its status is, its refunds included, applies what the service says and returns
   * the payment: for whoever does not believe what is shown.
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if the store was disconnected, or the service no longer takes its token
   * @throws ServiceError if the service gives no usable answer
   * @throws PaymentOutcomeUnknownError if another process works on it for longer than a call may take
   * @example const { refundedAmount } = await this.operator.reread(payment.id);
   */
  reread(paymentId: string, scope: StoreScope = {}): Promise<Payment> {
    return this.rereads.reread(paymentId, scope);
  }

  /**
   * What handlers have done about one payment, and have still to do, in the order of its events.
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  deliveries(paymentId: string, scope: StoreScope = {}): Promise<PaymentDelivery[]> {
    return this.lists.deliveries(paymentId, scope);
  }

  /**
   * Writes into a payment's timeline what a person does or has found, and why: before a refund from a page of yours, after a call to
   * the service's support. It changes nothing else, and runs no handler. Each call writes one line.
   * @param note.by who, 1 to 128 characters
   * @param note.note what and why, 1 to 1,000 characters
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @example await this.operator.note(payment.id, { by: 'anna', note: 'Refunds 10.00: the cup was broken' });
   */
  async note(paymentId: string, note: Note, scope: StoreScope = {}): Promise<void> {
    mustBeOptions(note);
    const { by, note: text } = parseRequest(ResolutionShape, note);
    await this.remedies.note(paymentId, { by, note: text }, scope);
  }

  /**
   * What is kept of a payment's buyer, from its requests, its receipts and the service's object: masked, so that whoever has the
   * buyer on the phone can compare. Empty if nothing is kept, or not any more (`contactsRetentionMs`).
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @example
   * for (const { name, value } of await this.operator.buyer(payment.id)) console.log(name, value); // email a…@example.com
   */
  buyer(paymentId: string, scope: StoreScope = {}): Promise<BuyerDetail[]> {
    return this.lists.buyer(paymentId, scope);
  }

  /**
   * The same in full, once that is written into the payment's timeline: who has seen them. Each call writes one line.
   * @param looker.by who, 1 to 128 characters
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  async showBuyer(
    paymentId: string,
    looker: { readonly by: string },
    scope: StoreScope = {},
  ): Promise<BuyerDetail[]> {
    mustBeOptions(looker);
    const { by } = parseRequest(ByShape, looker);
    return this.remedies.showBuyer(paymentId, { by }, scope);
  }

  /**
   * What a payment has paid for, and what of it was not given back: for a page that refunds by pieces, with the `receipt` as
   * `receiptOf`. null: no receipt was recorded with its money.
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @example
   * const goods = await this.operator.paidGoods(payment.id);
   * const lines = [{ line: 0, quantity: 1 }];
   * const question = `Refund ${goods?.worthOf(lines).value}?`;
   * if (goods?.receipt)
   *   await this.payments.refund(payment.id, { refundKey: 'return-17', receiptOf: goods.receipt, lines });
   */
  paidGoods(paymentId: string, scope: StoreScope = {}): Promise<PaidGoods | null> {
    return this.lists.paidGoods(paymentId, scope);
  }

  /**
   * Leaves a hold to a person: the module neither captures it nor lets it go by itself, whatever its policy is. The hold is then
   * flagged, as those whose policy is `flag` are once they are due, until somebody captures it or lets it go. If the service names
   * another end for it, its policy counts again.
   * @param decision.by who, 1 to 128 characters
   * @param decision.note why, 1 to 900 characters; the payment's timeline has it
   * @returns false if nothing is held, or the hold is left to a person already
   * @throws PaymentInputError
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @example await this.operator.leaveHold(payment.id, { by: 'anna', note: 'The buyer answers tomorrow' });
   */
  async leaveHold(paymentId: string, decision: Note, scope: StoreScope = {}): Promise<boolean> {
    mustBeOptions(decision);
    const { by, note } = parseRequest(DecisionShape, decision);
    return this.remedies.leaveHold(paymentId, { by, note }, scope);
  }

  /** Requests that are recorded and have no outcome yet, the oldest first, at most 100. */
  operations(): Promise<RecordedOperation[]> {
    return this.lists.operations();
  }

  /**
   * Stored notifications, at most 100: those that wait, the longest waiting first; or those that are handled or set aside, the
   * last ones first.
   */
  notifications(state: 'waiting' | 'over'): Promise<StoredNotification[]> {
    if (state !== 'waiting' && state !== 'over')
      throw new PaymentInputError('state', 'must be one of waiting, over');
    return this.lists.notifications(state);
  }

  /** Every handler and effect's method that some process has registered, with what waits for it. */
  handlers(): Promise<HandlerState[]> {
    return this.parked.handlerStates();
  }

  /**
   * The stores that this module takes payments for: the shop's own and the connected ones, at most 100 a page.
   * @param page `cursor`: the `nextCursor` of the page before
   * @throws PaymentInputError
   */
  async stores(page: { readonly cursor?: string } = {}): Promise<StorePage> {
    mustBeOptions(page);
    const { cursor } = parseRequest(StoreCursorShape, page);
    return this.lists.storePage(cursor);
  }

  /**
   * All that is known of one store, but for its token: its settings at the service, whether notifications arrive, what its sweeps may
   * still ask for, and times of lost commits.
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example const { status, unannouncedChanges, requestsLeft } = await this.operator.store();
   */
  async store(scope: StoreScope = {}): Promise<StoreInFull> {
    return this.lists.store(scope);
  }

  /**
   * Has the token, settings and webhooks of a connected store checked now, by the sweeps, in place of later.
   * @returns false if no owner has it connected: there is nothing to check
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   */
  async checkStore(scope: StoreScope = {}): Promise<boolean> {
    return this.remedies.checkStore(scope);
  }

  /**
   * Deliveries that were given up, the longest parked first, at most 100.
   * @example
   * for (const { handlerId, eventId, lastError } of await this.operator.parkedDeliveries())
   *   console.log(handlerId, eventId, lastError);
   * @param options.handlerId those of one handler. Default: of all
   * @throws PaymentInputError if `handlerId` is there and is no string
   */
  async parkedDeliveries(options: { handlerId?: string } = {}): Promise<ParkedDelivery[]> {
    return this.parked.list(handlerOf(options));
  }

  /**
   * Deliveries whose handler has failed and will be run again, the next to run first, at most 100. {@link retryDelivery} runs one
   * at once.
   * @example
   * for (const { handlerId, nextAttemptAt, lastError } of await this.operator.failingDeliveries())
   *   console.log(handlerId, nextAttemptAt, lastError);
   * @param options.handlerId those of one handler. Default: of all
   * @throws PaymentInputError if `handlerId` is there and is no string
   */
  async failingDeliveries(options: { handlerId?: string } = {}): Promise<FailedDelivery[]> {
    return this.lists.failing(handlerOf(options));
  }

  /**
   * What is wrong with one order: for its page. Empty lists if the order is unknown.
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example const { deliveries, receipts } = await this.operator.problemsOf('A-1042');
   */
  async problemsOf(orderReference: string, scope: StoreScope = {}): Promise<OrderProblems> {
    mustBeName('orderReference', orderReference);
    return this.lists.ofOrder(orderReference, scope);
  }

  /**
   * Makes a delivery due at once, parked or waiting for its next run, with all its runs before it. Its event may be
   * older than those its handler has seen meanwhile. The timeline of the event's payment says who did it.
   * @param actor.by who, 1 to 128 characters
   * @returns false if there is nothing to run: unknown, done, or being run right now
   * @throws PaymentInputError
   * @example
   * const started = await this.operator.retryDelivery('42', 'orders.mark-paid', { by: 'anna' });
   */
  async retryDelivery(eventId: string, handlerId: string, actor: { readonly by: string }): Promise<boolean> {
    mustBeName('handlerId', handlerId);
    mustBeEvent('eventId', eventId, 'the eventId of a parked delivery');
    return this.parked.retry(eventId, handlerId, actorIn(actor));
  }

  /**
   * Makes every parked delivery due, or those of one handler, e.g. after a deploy that fixed it. The timeline of each payment says who
   * did it.
   * @param options.by who, 1 to 128 characters
   * @param options.handlerId those of one handler. Default: of all
   * @returns how many
   * @throws PaymentInputError also if `handlerId` is there and is no string
   * @example await this.operator.retryAll({ by: 'anna', handlerId: 'orders.mark-paid' });
   */
  async retryAll(options: { readonly by: string; readonly handlerId?: string }): Promise<number> {
    const handlerId = handlerOf(options);
    return this.parked.retryAll(handlerId, actorIn({ by: options.by }));
  }

  /**
   * Retires a handler that the code no longer has, and gives up every run that still waits for it: they would otherwise wait
   * for ever. Those that were made stay. Only once no process runs code that has it: such a one would register it again at its
   * next start. {@link handlers} says who retired it, and so does the timeline of each payment of which a run was given up.
   * @param actor.by who, 1 to 128 characters
   * @returns how many deliveries were given up
   * @throws PaymentInputError also if this very process has the handler
   * @example const count = await this.operator.retireHandler('orders.mark-paid', { by: 'anna' });
   */
  async retireHandler(handlerId: string, actor: { readonly by: string }): Promise<number> {
    mustBeName('handlerId', handlerId);
    return this.parked.retire(handlerId, actorIn(actor));
  }

  /**
   * What happened to payments and a person has to look at, the oldest first, at most 100: anomalies, orders that are overpaid,
   * holds that ran out. Each stays until somebody resolves it.
   * @example
   * for (const { orderReference, name, reason } of await this.operator.incidents()) console.log(orderReference, name, reason);
   */
  incidents(): Promise<Incident[]> {
    return this.lists.incidents();
  }

  /**
   * Records that a person has looked at an incident and what was done; it leaves the list, and the payment's timeline has it.
   * @param resolution.by who, 1 to 128 characters
   * @param resolution.note what was done, 1 to 1,000 characters
   * @returns false if it is not in the list any more
   * @throws PaymentInputError
   * @example
   * for (const { id } of await this.operator.incidents())
   *   await this.operator.resolveIncident(id, { by: 'anna', note: 'Gave 10.00 back in the Merchant Profile' });
   */
  async resolveIncident(
    incidentId: string,
    resolution: { readonly by: string; readonly note: string },
  ): Promise<boolean> {
    mustBeEvent('incidentId', incidentId, 'the id of an incident');
    mustBeOptions(resolution);
    const { by, note } = parseRequest(ResolutionShape, resolution);
    return this.remedies.resolveIncident(incidentId, { by, note });
  }

  /**
   * Receipts whose registration failed or takes too long, the oldest first, at most 100. The service does not register a failed
   * one again: `remedy` says who can help. A late one is followed on, and leaves the list once it is registered.
   * @example
   * for (const { paymentId, kind, remedy } of await this.operator.receiptProblems()) console.log(paymentId, kind, remedy);
   */
  receiptProblems(): Promise<ReceiptProblem[]> {
    return this.lists.receipts();
  }

  /**
   * Records that a person has taken care of a receipt, e.g. made it by hand in the register; it leaves the list, and the payment's
   * timeline has it.
   * @param resolution.by who, 1 to 128 characters
   * @param resolution.note what was done, 1 to 1,000 characters
   * @returns false if it is not in the list any more
   * @throws PaymentInputError
   * @example await this.operator.resolveReceipt(problem.id, { by: 'anna', note: 'Receipt 4711 made in the register' });
   */
  async resolveReceipt(
    problemId: string,
    resolution: { readonly by: string; readonly note: string },
  ): Promise<boolean> {
    mustBeProblem(problemId);
    mustBeOptions(resolution);
    const { by, note } = parseRequest(ResolutionShape, resolution);
    return this.remedies.resolveReceipt(problemId, { by, note });
  }

  /**
   * Sends a receipt again that was sent by itself and failed: as it was, to somebody else, or as you say it now, for the same
   * sum. The new receipt has a key of its own and is followed like any other receipt; the failed receipt leaves the list. A receipt
   * that went with money is not sent again: `remedy` says what helps.
   * @param again.by who, 1 to 128 characters
   * @param again.note why it will be registered now, 1 to 1,000 characters
   * @param again.customer whom it goes to now, with the items that it had. Default: as it was
   * @param again.receipt the corrected receipt, in place of `customer`. Default: as it was
   * @returns null if the problem is not in the list any more
   * @throws PaymentInputError also if the contact of the failed one is not kept any more and none is given
   * @throws ReceiptNotPossibleError for a receipt that went with money or is only late, or if the money does not allow it any more
   * @example await this.operator.sendReceiptAgain(problem.id, { by: 'anna', note: 'The register works again' });
   */
  async sendReceiptAgain(
    problemId: string,
    again: {
      readonly by: string;
      readonly note: string;
      readonly customer?: ReceiptInput['customer'];
      readonly receipt?: ReceiptInput;
    },
  ): Promise<Receipt | null> {
    mustBeProblem(problemId);
    mustBeOptions(again);
    const { by, note, ...said } = parseRequest(AgainShape, again);
    return this.remedies.sendReceiptAgain(problemId, { by, note }, said);
  }

  /**
   * Prepayments of a store of which something was neither settled nor given back, the oldest first: `payments.settlePrepayment`
   * settles each once its goods are handed over.
   * @param page `cursor`: the `nextCursor` of the page before; `store`: default the shop's own
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example
   * const { items, nextCursor } = await this.operator.unsettledPrepayments();
   * for (const { orderReference, left } of items.filter(({ isOverdue }) => isOverdue)) console.log(orderReference, left.value);
   */
  async unsettledPrepayments(page: StoreScope & { readonly cursor?: string } = {}): Promise<UnsettledPage> {
    mustBeOptions(page);
    const { store, ...rest } = page;
    const { cursor } = parseRequest(CursorShape, rest);
    return this.lists.unsettled(scopeOf(store), cursor);
  }

  /**
   * Ends a refund that the service has made with another sum than was requested: a `payment.anomaly` says so, and the refund stays
   * `submitting`, or `pending`, with its money reserved. It is booked with the sum and the status that the service's list has now;
   * its event reports them. Calling `refund` again with its `refundKey` returns it.
   * @param decision.by who, 1 to 128 characters
   * @param decision.note why that sum is right, 1 to 1,000 characters
   * @returns null if there is no such refund, or it has ended
   * @throws PaymentInputError
   * @throws RefundNotAcceptableError if the service's list does not name it, or has it in another currency, or with more than was
   * captured; nothing has changed
   * @throws ServiceError if the service gives no answer
   * @example
   * const open = (await this.payments.refunds('7adab4ff-23c6-4a73-803f-09957568a218')).filter(({ status }) => status === 'submitting');
   * for (const { id } of open) await this.operator.acceptRefund(id, { by: 'anna', note: 'Its support says that the sum is right' });
   */
  async acceptRefund(
    refundId: string,
    decision: { readonly by: string; readonly note: string },
  ): Promise<Refund | null> {
    mustBeName('refundId', refundId);
    if (!isUuid(refundId)) throw new PaymentInputError('refundId', 'must be the id of a refund');
    mustBeOptions(decision);
    const { by, note } = parseRequest(ResolutionShape, decision);
    return this.remedies.acceptRefund(refundId, { by, note });
  }

  /**
   * Notifications of payments that were not made here, and of other objects that the service does not show as notified, at most
   * 100: those first whose object the service knows, each kind with the newest first.
   */
  foreignNotifications(): Promise<ForeignNotification[]> {
    return this.lists.foreign();
  }

  /**
   * Addresses whose notifications this process refused since it started, the last one first, at most 100: not those of other
   * processes. Anyone may send, so there may always be some; the service's own, or a proxy of yours, means a wrong set-up.
   */
  refusedSenders(): RefusedSender[] {
    return this.lists.refused();
  }

  /**
   * Compares payments and refunds created in a period with the service's lists, a day at a time, and where the service has
   * receipts, those of the period: each that was sent by itself, and those of every payment with its money. Differences are read
   * again on both sides before they are reported; nothing is changed. Of what is missing here, a payment closed as rejected is
   * raised as an anomaly. Where the key may not list receipts, only those are not compared: `receipts` of the slice is null, and
   * no difference of theirs is reported. An interrupted audit continues from the last slice's `to`.
   * @param period business time, `from` included and `to` not; `store`: default the shop's own
   * @throws PaymentInputError
   * @throws ServiceError if the service gives no answer
   * @throws ServiceClockUnknownError
   */
  async *audit(
    period: StoreScope & { readonly from: Date; readonly to: Date },
  ): AsyncGenerator<AuditSlice, void, undefined> {
    mustBeOptions(period);
    const { from, to, ...scope } = period;
    yield* this.books.run(from, to, scope);
  }

  /**
   * Has the books of a period compared as {@link audit} does, in the background, and keeps the result: by the sweeps, a day at a time,
   * one audit of a store at a time. A process that ends leaves the audit to another one, and a service that does not answer is asked
   * again for an hour and a half. The same period again, while it is being compared, is the same audit.
   * @param audit.from business time, included
   * @param audit.to not included, and not later than now
   * @param audit.by who asks for it, 1 to 128 characters
   * @param audit.store default: the shop's own
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @throws AuditInProgressError if another period of the store is being compared
   * @example
   * const to = await this.operator.now();
   * const { id } = await this.operator.startAudit({ from: new Date(to.getTime() - 7 * 86_400_000), to, by: 'anna' });
   */
  async startAudit(
    audit: StoreScope & { readonly from: Date; readonly to: Date; readonly by: string },
  ): Promise<KeptAudit> {
    mustBeOptions(audit);
    const { from, to, store, ...rest } = audit;
    mustBePeriod(from, to);
    const { by } = parseRequest(ByShape, rest);
    return this.remedies.startAudit({ from, to, by }, scopeOf(store));
  }

  /**
   * Kept audits of a store, the newest first, at most 20 a page.
   * @param page `cursor`: the `nextCursor` of the page before; `store`: default the shop's own
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   * @example const [last] = (await this.operator.keptAudits()).items;
   */
  async keptAudits(page: StoreScope & { readonly cursor?: string } = {}): Promise<AuditPage> {
    mustBeOptions(page);
    const { store, ...rest } = page;
    const { cursor } = parseRequest(CursorShape, rest);
    return this.lists.audits(scopeOf(store), cursor);
  }

  /**
   * One of them, with the differences that it found; null if there is none of this id.
   * @throws PaymentInputError
   * @example
   * const [audit] = (await this.operator.keptAudits()).items;
   * const found = audit && (await this.operator.keptAudit(audit.id));
   * for (const { kind, object, serviceId } of found?.differences ?? []) console.log(kind, object, serviceId);
   */
  async keptAudit(auditId: string): Promise<KeptAuditInFull | null> {
    mustBeName('auditId', auditId);
    if (!isUuid(auditId)) throw new PaymentInputError('auditId', 'must be the id of an audit');
    return this.lists.audit(auditId);
  }

  /**
   * Times of which the database may have forgotten commits, as after a failover to a standby that lagged or a restored backup, each
   * of one store: the newest first, at most 100. `doneAt` is null until what the service made then has been looked for.
   * @example
   * const open = (await this.operator.recoveries()).filter(({ doneAt }) => doneAt === null);
   */
  recoveries(): Promise<Recovery[]> {
    return this.lists.recoveries();
  }

  /**
   * Has a time looked at again of which the database may have forgotten commits, in every store: what the service made then and has
   * no row here gets one again, with its events. The sweeps do it, and {@link recoveries} shows how far they are. What the module
   * notices by itself needs no call.
   * @param period business time
   * @returns in how many stores
   * @throws PaymentInputError
   * @example await this.operator.recover({ from: new Date('2030-01-31T10:00:00Z'), to: new Date() });
   */
  async recover(period: { readonly from: Date; readonly to: Date }): Promise<number> {
    mustBeOptions(period);
    const { from, to } = period;
    mustBePeriod(from, to);
    return this.remedies.recover(from, to);
  }

  /**
   * Says that a database which may be a copy is none: it was restored or moved, and goes on. What the service made since it was written is
   * looked for, as after a failover, and {@link recoveries} shows how far that is.
   * @returns the time that is looked at; null: nothing said that the database may be a copy, and nothing was changed
   * @example await this.operator.continueDatabase();
   */
  async continueDatabase(): Promise<{ readonly from: Date; readonly to: Date } | null> {
    const going = await this.rollbacks.goOn();
    return going && { from: going.from, to: going.to };
  }

  /**
   * Says that a database which may be a copy is one, beside its original. It gives up every store that was copied, with all their payments,
   * which are only read here from then on, and with what their handlers were still to be told. New payments have marks and keys of their own,
   * and connected stores have to be connected again, here. May be called again after it was interrupted.
   * @returns what was given up; null: nothing says that the database may be a copy, and nothing was changed
   * @example await this.operator.detachDatabase();
   */
  detachDatabase(): Promise<Detached | null> {
    return this.rollbacks.detach();
  }

  /** When this database was detached from its original, in business time; null: it was not. */
  detachedAt(): Promise<Date | null> {
    return this.lists.detachedAt();
  }

  /**
   * Encrypts every store's access token that another key of `tokenKeys.keys` encrypts with `tokenKeys.current`. May be
   * interrupted and run again, also twice at once and beside running processes.
   * @throws TokenKeyMissingError if `tokenKeys` is not set
   */
  rotateTokens(): AsyncIterableIterator<TokenRotationStep> {
    return this.remedies.rotateTokens();
  }
}

/** Anything else would be an error of the database, not of the caller. */
function mustBeEvent(field: string, id: string, what: string): void {
  mustBeName(field, id);
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new PaymentInputError(field, `must be ${what}, e.g. "42"`);
}

function actorIn(actor: { readonly by: string }): string {
  mustBeOptions(actor);
  return parseRequest(ByShape, actor).by;
}

function handlerOf(options: { readonly handlerId?: string }): string | null {
  mustBeOptions(options);
  const { handlerId } = options;
  if ('handlerId' in options) mustBeName('handlerId', handlerId);
  return handlerId ?? null;
}

function mustBeProblem(id: string): void {
  mustBeName('problemId', id);
  if (!isUuid(id)) throw new PaymentInputError('problemId', 'must be the id of a receipt problem');
}
