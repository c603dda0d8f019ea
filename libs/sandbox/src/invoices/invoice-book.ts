import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import type { PaymentBook } from '../payments/payment-book.js';
import { isUndecided, type Payment } from '../payments/payment.js';
import { Book } from '../stores/book.js';
import type { Cancellation } from '../wire/cancellation.js';
import { invoicePage, type Invoice, type InvoiceRequest } from './invoice.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly payments: PaymentBook;
  /** The sandbox's own address. */
  readonly url: string;
  /** Called for every change. */
  readonly changed: () => void;
}

/** All invoices, and the only place that makes or changes one. No event tells of them. */
export class InvoiceBook extends Book<Invoice> {
  constructor(private readonly dependencies: Dependencies) {
    super('invoice', dependencies.changed);
  }

  create(request: InvoiceRequest, by: Pick<Invoice, 'store' | 'createdBy' | 'createKey'>): Invoice {
    const invoice = this.put({
      ...request,
      ...by,
      id: `in-${randomUUID()}`,
      status: 'pending',
      paid: null,
      cancellation: null,
      createdAt: this.dependencies.clock.now(),
    });
    this.#expect(invoice);
    return invoice;
  }

  override restore(invoices: readonly Invoice[]): void {
    super.restore(invoices);
    for (const invoice of invoices) this.#expect(invoice);
  }

  /** The buyer's try to pay it: the one that is under way, or a new payment. Throws ControlError (404, 409). */
  try(id: string): Payment {
    const { payments, url } = this.dependencies;
    const { payment: request, store, createdBy, createKey } = this.#pending(id);
    const open = payments
      .newestFirst(store)
      .find((payment) => payment.invoiceId === id && isUndecided(payment));
    const returnUrl = invoicePage({ id }, url);
    return open ?? payments.create({ ...request, returnUrl, invoiceId: id }, { store, createdBy, createKey });
  }

  /** One of its payments was confirmed, or ended. A try that failed leaves it as it is. */
  paymentChanged({ id, invoiceId, status, cancellation }: Payment): void {
    const invoice = invoiceId === null ? undefined : this.find(invoiceId);
    if (!invoice || (invoice.paid ? invoice.paid.id !== id : status === 'canceled')) return;
    const paid = { id, status };
    if (status !== 'canceled') this.put({ ...invoice, status: 'succeeded', paid });
    else this.#cancel({ ...invoice, paid }, endOf(cancellation));
  }

  /** The shop cancels it in the Merchant Profile. Throws ControlError (404, 409). */
  cancel(id: string): Invoice {
    return this.#cancel(this.#pending(id), { party: 'merchant', reason: 'invoice_canceled' });
  }

  #cancel(invoice: Invoice, cancellation: Cancellation): Invoice {
    return this.put({ ...invoice, status: 'canceled', cancellation });
  }

  #expect({ id, status, expiresAt }: Invoice): void {
    if (status !== 'pending') return;
    this.dependencies.clock.at(expiresAt, () => {
      const invoice = this.find(id);
      if (invoice?.status === 'pending')
        this.#cancel(invoice, { party: 'service', reason: 'invoice_expired' });
    });
  }

  #pending(id: string): Invoice {
    const invoice = this.get(id);
    if (invoice.status === 'pending') return invoice;
    throw new ControlError(409, `Invoice ${id} is ${invoice.status}, not pending`);
  }
}

/** How an invoice ends with the hold that it was paid by (assumed: the parties). */
function endOf(cancellation: Cancellation | null): Cancellation {
  return cancellation?.reason === 'expired_on_capture'
    ? { party: 'service', reason: 'payment_expired_on_capture' }
    : { party: 'merchant', reason: 'payment_canceled' };
}
