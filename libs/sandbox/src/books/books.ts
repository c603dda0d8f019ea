import type { SandboxClock } from '../clock/clock.js';
import { InvoiceBook } from '../invoices/invoice-book.js';
import { invoiceView, type Invoice, type WireInvoice } from '../invoices/invoice.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Notifier } from '../notifications/notifier.js';
import { Deals, dealView } from '../objects/deals.js';
import { payoutView } from '../objects/payout.js';
import { Payouts } from '../objects/payouts.js';
import { savedMethodView, type SavedMethod, type WireSavedMethod } from '../objects/saved-method.js';
import { SavedMethods } from '../objects/saved-methods.js';
import type { Maker } from '../partnership/apps.js';
import { PaymentBook } from '../payments/payment-book.js';
import { paymentView, type WirePayment } from '../payments/payment-view.js';
import type { Payment } from '../payments/payment.js';
import { ReceiptBook } from '../receipts/receipt-book.js';
import { ReceiptDesk } from '../receipts/receipt-desk.js';
import { RefundBook } from '../refunds/refund-book.js';
import { refundView } from '../refunds/refund-view.js';
import type { Store } from '../stores/store.js';
import type { Announce } from '../wire/events.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly notifier: Notifier;
  /** The store of payouts, deals and bound methods that are made by hand. */
  readonly store: Store;
  /** The sandbox's own address. */
  readonly url: string;
  /** Called for every change of what is kept for the next run. */
  readonly changed: () => void;
}

export interface Books {
  readonly payments: PaymentBook;
  readonly refunds: RefundBook;
  readonly receipts: ReceiptBook;
  readonly receiptDesk: ReceiptDesk;
  readonly invoices: InvoiceBook;
  readonly savedMethods: SavedMethods;
  readonly payouts: Payouts;
  readonly deals: Deals;
}

/** The wire form, at this moment, of what names the sandbox's own address. */
export interface Views {
  readonly payment: (payment: Payment) => WirePayment;
  readonly savedMethod: (saved: SavedMethod) => WireSavedMethod;
  readonly invoice: (invoice: Invoice) => WireInvoice;
}

/** `url`: the sandbox's own address, for the pages of the buyer. */
export function viewsOf(url: string): Views {
  return {
    payment: (payment) => paymentView(payment, url),
    savedMethod: (saved) => savedMethodView(saved, url),
    invoice: (invoice) => invoiceView(invoice, url),
  };
}

/** One book for each kind of object; what happens in them is announced. */
export function openBooks(
  { clock, ledger, notifier, store, url, changed }: Dependencies,
  views: Views,
): Books {
  const announcing =
    <Kind extends { readonly id: string; readonly store: Store }>(
      view: (object: Kind) => unknown,
      makerOf: (object: Kind) => Maker = () => null,
    ): Announce<Kind> =>
    (event, object, at) =>
      notifier.announce({
        event,
        objectId: object.id,
        object: view(object),
        store: object.store,
        createdBy: makerOf(object),
        at,
      });

  const savedMethods = new SavedMethods({
    clock,
    store,
    announce: announcing(views.savedMethod, ({ createdBy }) => createdBy),
    changed,
  });
  const receipts: ReceiptBook = new ReceiptBook({
    clock,
    ended: (receipt) => {
      payments.receiptEnded(receipt);
      refunds.receiptEnded(receipt);
    },
    changed,
  });
  const receiptDesk = new ReceiptDesk(receipts);
  const announcePayment = announcing(views.payment, ({ createdBy }) => createdBy);
  const payments: PaymentBook = new PaymentBook({
    clock,
    ledger,
    receipts: receiptDesk,
    announce: (event, payment, at) => {
      invoices.paymentChanged(payment);
      announcePayment(event, payment, at);
    },
    saveMethod: (payment) => savedMethods.keep(payment),
    changed,
  });
  const refunds: RefundBook = new RefundBook({
    clock,
    ledger,
    payments,
    receipts: receiptDesk,
    announce: announcing(refundView, ({ createdBy }) => createdBy),
    changed,
  });
  const invoices: InvoiceBook = new InvoiceBook({ clock, payments, url, changed });
  const payouts = new Payouts({ clock, store, announce: announcing(payoutView) });
  const deals = new Deals({ clock, store, announce: announcing(dealView) });
  return { payments, refunds, receipts, receiptDesk, invoices, savedMethods, payouts, deals };
}
