import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { sumMinor } from '../common/money.js';
import { DAY_MS } from '../common/time.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ReturnedArticle } from '../methods/articles.js';
import type { PaymentBook } from '../payments/payment-book.js';
import type { Payment } from '../payments/payment.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import type { Receipt } from '../receipts/receipt.js';
import { Book } from '../stores/book.js';
import { partyBehind } from '../wire/cancellation.js';
import type { Announce } from '../wire/events.js';
import { returnFault } from './certificate-returns.js';
import { networkNames } from './refund-names.js';
import { refundRefusal } from './refund-rules.js';
import type { Refund, RefundRequest } from './refund.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly payments: PaymentBook;
  /** Makes the receipt that a refund needs. */
  readonly receipts: ReceiptDesk;
  /** Called for every refund that succeeds, at that moment: the one event a refund has. */
  readonly announce: Announce<Refund>;
  /** Called for every change. */
  readonly changed: () => void;
}

/** What happens to a refund after its request. */
type RefundCourse =
  { readonly status: 'succeeded' | 'pending' } | { readonly status: 'canceled'; readonly reason: string };

/** A refund takes up to three days, according to the service interface. */
const TERM_MS = 3 * DAY_MS;

/** All refunds, and the only place that makes or changes one. */
export class RefundBook extends Book<Refund> {
  #courses: RefundCourse[] = [];

  constructor(private readonly dependencies: Dependencies) {
    super('refund', dependencies.changed);
  }

  /** Orders what happens to the next refund without an order; by default it succeeds at once. */
  orderNext(course: RefundCourse): void {
    this.#courses.push(course);
  }

  /** Refunds money, or throws the ServiceError that says why it cannot. */
  create(payment: Payment, request: RefundRequest, by: Pick<Refund, 'createdBy' | 'requestKey'>): Refund {
    const createdAt = this.dependencies.clock.now();
    const pendingMinor = this.#sumMinor(payment.id, 'pending');
    const refusal = refundRefusal(payment, request, pendingMinor, createdAt);
    if (refusal) throw refusal;
    const refund: Refund = {
      ...request,
      ...by,
      id: randomUUID(),
      store: payment.store,
      dealId: payment.deal?.id ?? null,
      sequence: this.nextSequence(),
      status: 'pending',
      ...networkNames(payment, request),
      cancellation: null,
      receiptStatus: null,
      createdAt,
    };
    this.put(refund);
    const fault = returnFault(
      payment.method?.articles ?? [],
      request.methodData?.articles ?? [],
      this.#returnedOf(payment, refund),
    );
    if (fault !== null) return this.cancel(refund.id, fault);
    const course = this.#courses.shift() ?? { status: 'succeeded' };
    if (course.status === 'canceled') return this.cancel(refund.id, course.reason);
    if (course.status === 'succeeded') return this.succeed(refund.id);
    this.#expect(refund);
    return refund;
  }

  /** Restores refunds of an earlier run, oldest first; what became due meanwhile happens at once. */
  override restore(refunds: readonly Refund[]): void {
    super.restore(refunds);
    for (const refund of refunds) this.#expect(refund);
  }

  /** What no refund has returned or reserved. */
  freeMinor({ id, amountMinor, refundedMinor }: Payment): number {
    return amountMinor - refundedMinor - this.#sumMinor(id, 'pending');
  }

  succeed(id: string): Refund {
    return this.#succeed(id, this.dependencies.clock.now());
  }

  #succeed(id: string, at: Date): Refund {
    const { payments, receipts, ledger, announce } = this.dependencies;
    const given: Refund = { ...this.#pending(id), status: 'succeeded' };
    const { paymentId, amountMinor, requestKey } = given;
    const payment = payments.find(paymentId);
    if (!payment) throw new Error(`There is no payment ${paymentId}`);
    receipts.refunded(payment, given);
    const refund: Refund = { ...given, receiptStatus: receipts.statusOfRefund(given) };
    this.put(refund);
    ledger.book({ kind: 'refund', paymentId, refundId: id, amountMinor, at, requestKey });
    payments.refunded(paymentId, this.#sumMinor(paymentId, 'succeeded'));
    announce('refund.succeeded', refund, at);
    return refund;
  }

  /** Its register has taken or refused a receipt. */
  receiptEnded({ refundId }: Receipt): void {
    const refund = refundId === null ? undefined : this.find(refundId);
    if (refund) this.put({ ...refund, receiptStatus: this.dependencies.receipts.statusOfRefund(refund) });
  }

  cancel(id: string, reason: string): Refund {
    const cancellation = { party: partyBehind(reason), reason };
    const refund: Refund = { ...this.#pending(id), status: 'canceled', cancellation };
    this.put(refund);
    return refund;
  }

  /** One that nobody ends succeeds when its term is over. */
  #expect({ id, status, createdAt }: Refund): void {
    if (status !== 'pending') return;
    this.dependencies.clock.at(new Date(createdAt.getTime() + TERM_MS), (at) => {
      if (this.find(id)?.status === 'pending') this.#succeed(id, at);
    });
  }

  #returnedOf({ id }: Payment, but: Refund): ReturnedArticle[] {
    return this.oldestFirst()
      .filter(({ paymentId, status }) => paymentId === id && status !== 'canceled')
      .flatMap((refund) => (refund.id === but.id ? [] : (refund.methodData?.articles ?? [])));
  }

  #sumMinor(paymentId: string, status: Refund['status']): number {
    return sumMinor(
      this.oldestFirst().filter((refund) => refund.paymentId === paymentId && refund.status === status),
    );
  }

  #pending(id: string): Refund {
    const refund = this.find(id);
    if (refund?.status === 'pending') return refund;
    throw new Error(`Refund ${id} is ${refund?.status ?? 'unknown'}, not pending`);
  }
}
