import type { SandboxClock } from '../clock/clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import type { Receipt } from '../receipts/receipt.js';
import { Book } from '../stores/book.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { Announce } from '../wire/events.js';
import type { CancellationParty, MethodType } from '../wire/names.js';
import type { CreateRequest, HowPaid, Payment } from './payment.js';
import { canceled, captured, confirmed, created, endsAt } from './transitions.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  /** Called for every change that is an event, at the moment of the change. */
  readonly announce: Announce<Payment>;
  /** Makes the receipts that money needs. */
  readonly receipts: ReceiptDesk;
  /** Called with a payment that was just paid by a method to save. */
  readonly saveMethod: (payment: Payment) => void;
  /** Called for every change. */
  readonly changed: () => void;
}

/**
 * All payments, and the only place that changes one. Every change is synchronous: a request sees either all of it or nothing.
 * Callers check the status first; a change in a wrong status is a fault in the sandbox and throws.
 */
export class PaymentBook extends Book<Payment> {
  constructor(private readonly dependencies: Dependencies) {
    super('payment', dependencies.changed);
  }

  /** The one that a form inside a shop's page is for. */
  withToken(token: string): Payment | undefined {
    return this.newestFirst().find(
      ({ confirmation, confirmationToken }) => confirmation === 'embedded' && confirmationToken === token,
    );
  }

  /** Whether a payment was made by the one-time token with this digest. */
  hasPaidByToken(tokenDigest: string): boolean {
    return this.oldestFirst().some((payment) => payment.tokenDigest === tokenDigest);
  }

  create(request: CreateRequest, by: Pick<Payment, 'store' | 'createdBy' | 'createKey'>): Payment {
    const createdAt = this.dependencies.clock.now();
    const payment = created(request, { sequence: this.nextSequence(), ...by, createdAt });
    this.put(payment);
    this.#expect(payment);
    return payment;
  }

  /** Restores payments of an earlier run, oldest first; what became due meanwhile happens at once. */
  override restore(payments: readonly Payment[]): void {
    super.restore(payments);
    for (const payment of payments) this.#expect(payment);
  }

  /** The buyer has chosen how to pay, and may still choose otherwise: the time to pay is that of this method now. */
  choose(id: string, type: MethodType): Payment {
    const payment: Payment = { ...this.#in(id, 'pending'), method: { type, card: null, details: {} } };
    this.put(payment);
    this.#expect(payment);
    return payment;
  }

  /** The buyer paid with this method. */
  confirm(id: string, method: PaymentMethod, details: Partial<HowPaid> = {}): Payment {
    return this.#confirm(id, method, howPaid(details), this.dependencies.clock.now());
  }

  /** The buyer has been granted a credit, and pays by it once the time to think it over is up. */
  suspend(id: string, method: PaymentMethod, until: Date, details: Partial<HowPaid> = {}): Payment {
    const suspended = { until, how: howPaid(details) };
    const payment: Payment = { ...this.#in(id, 'pending'), method, suspended };
    this.#expect(payment);
    return this.#change(payment, this.dependencies.clock.now());
  }

  #confirm(id: string, method: PaymentMethod, how: HowPaid, at: Date): Payment {
    const pending = this.#in(id, 'pending');
    const payment = confirmed(pending, method, how, at);
    const receipt = this.dependencies.receipts.paid(payment);
    if (receipt && payment.store.receipts?.scenario === 'before_payment')
      return this.#change(
        { ...pending, method, suspended: null, awaited: { receiptId: receipt.id, how } },
        at,
      );
    return this.#paid(payment, at);
  }

  /** Its register has taken or refused a receipt: the payment that waits for it goes on, or ends. */
  receiptEnded({ id, paymentId, status }: Receipt): void {
    const before = this.find(paymentId);
    if (!before) return;
    const payment = { ...before, receiptStatus: this.dependencies.receipts.statusOf(paymentId) };
    this.put(payment);
    if (payment.awaited?.receiptId !== id || !payment.method) return;
    const at = this.dependencies.clock.now();
    if (status === 'succeeded') this.#paid(confirmed(payment, payment.method, payment.awaited.how, at), at);
    // Assumed: what becomes of it, and with which reason, stands nowhere.
    else this.#cancel(paymentId, { party: 'service', reason: 'general_decline' }, at, null);
  }

  #paid(payment: Payment, at: Date): Payment {
    const requestKey = payment.createKey;
    this.#book('charge', payment, payment.amountMinor, at, requestKey);
    if (payment.status === 'succeeded') this.#book('capture', payment, payment.amountMinor, at, requestKey);
    this.#expect(payment);
    if (payment.methodSaved && payment.savedMethodId === null) this.dependencies.saveMethod(payment);
    return this.#change(payment, at);
  }

  /** A try on the payment page failed; the buyer may try again, so the status stays. */
  failTry(id: string, reason: string): void {
    this.put({ ...this.#in(id, 'pending'), lastFailure: reason });
  }

  /** The payment fails for good before any money was held. */
  decline(id: string, party: CancellationParty, reason: string): Payment {
    this.#in(id, 'pending');
    return this.#cancel(id, { party, reason }, this.dependencies.clock.now(), null);
  }

  /** What is given replaces what the creation said. */
  capture(
    id: string,
    amountMinor: number,
    given: Partial<Pick<Payment, 'airline' | 'receipt' | 'transfers' | 'deal'>>,
    requestKey: string,
  ): Payment {
    const at = this.dependencies.clock.now();
    const held = this.#in(id, 'waiting_for_capture');
    const { receipt } = given;
    const payment = captured({ ...held, ...given }, amountMinor, at);
    if (receipt) this.dependencies.receipts.capturedPart(held, receipt, requestKey);
    this.#book('capture', payment, amountMinor, at, requestKey);
    return this.#change(payment, at);
  }

  /** The sum of succeeded refunds, from the refund book; an event of the refund, not of the payment. */
  refunded(id: string, refundedMinor: number): void {
    this.put({ ...this.#in(id, 'succeeded'), refundedMinor });
  }

  /** The merchant releases the hold. */
  cancel(id: string, requestKey: string): Payment {
    this.#in(id, 'waiting_for_capture');
    const cancellation: Cancellation = { party: 'merchant', reason: 'canceled_by_merchant' };
    return this.#cancel(id, cancellation, this.dependencies.clock.now(), requestKey);
  }

  #cancel(id: string, cancellation: Cancellation, at: Date, requestKey: string | null): Payment {
    const before = this.#in(id, 'pending', 'waiting_for_capture');
    const heldMinor = before.status === 'waiting_for_capture' ? before.amountMinor : 0;
    if (heldMinor > 0) this.dependencies.receipts.released(before, requestKey);
    this.#book('cancel', before, heldMinor, at, requestKey);
    return this.#change(canceled(before, cancellation), at);
  }

  #change(changed: Payment, at: Date): Payment {
    const payment = { ...changed, receiptStatus: this.dependencies.receipts.statusOf(changed.id) };
    this.put(payment);
    const { status } = payment;
    if (status !== 'pending') this.dependencies.announce(`payment.${status}`, payment, at);
    return payment;
  }

  /** What happens to it by itself if nobody acts. */
  #expect(expected: Payment): void {
    const due = expected.suspended?.until ?? endsAt(expected);
    if (!due) return;
    this.dependencies.clock.at(due, (at) => {
      const payment = this.find(expected.id);
      if (payment?.status !== expected.status || payment.awaited) return;
      const { id, status, method, suspended } = payment;
      // What was expected of it before may have changed since.
      if ((suspended?.until ?? endsAt(payment))?.getTime() !== due.getTime()) return;
      const reason = status === 'pending' ? 'expired_on_confirmation' : 'expired_on_capture';
      if (suspended && method) this.#confirm(id, method, suspended.how, at);
      else this.#cancel(id, { party: 'service', reason }, at, null);
    });
  }

  #in(id: string, ...statuses: Payment['status'][]): Payment {
    const payment = this.find(id);
    if (!payment || !statuses.includes(payment.status)) {
      throw new Error(`Payment ${id} is ${payment?.status ?? 'unknown'}, not ${statuses.join(' or ')}`);
    }
    return payment;
  }

  #book(
    kind: 'charge' | 'capture' | 'cancel',
    { id }: Payment,
    amountMinor: number,
    at: Date,
    requestKey: string | null,
  ): void {
    this.dependencies.ledger.book({ kind, paymentId: id, amountMinor, at, requestKey });
  }
}

function howPaid({
  threeDSecureApplied = false,
  discountMinor = 0,
  saves = false,
}: Partial<HowPaid>): HowPaid {
  return { threeDSecureApplied, discountMinor, saves };
}
