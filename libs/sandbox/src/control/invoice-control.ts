import type { Books, Views } from '../books/books.js';
import type { WireInvoice } from '../invoices/invoice.js';
import type { WirePayment } from '../payments/payment-view.js';
import type { BuyerAction, PaymentControl } from './payment-control.js';

/** What a person can do with invoices, without the REST API. */
export interface InvoiceControl {
  /** The buyer opens it and does this to a payment of it; one that is declined leaves it pending. Throws ControlError (400, 404, 409). */
  pay(id: string, action: BuyerAction): WirePayment;
  /** As in the Merchant Profile. Throws ControlError (404, 409). */
  cancel(id: string): WireInvoice;
  /** Throws ControlError 404. */
  get(id: string): WireInvoice;
  /** Newest first. */
  list(): WireInvoice[];
}

export function invoiceControl(
  { invoices }: Pick<Books, 'invoices'>,
  view: Views['invoice'],
  payments: PaymentControl,
): InvoiceControl {
  return {
    pay: (id, action) => payments.pay(invoices.try(id).id, action),
    cancel: (id) => view(invoices.cancel(id)),
    get: (id) => view(invoices.get(id)),
    list: () => invoices.newestFirst().map(view),
  };
}
