import type { Fields } from '../common/fields.js';
import type { Maker } from '../partnership/apps.js';
import type { CreateRequest, PaymentStatus } from '../payments/payment.js';
import type { Store } from '../stores/store.js';
import { cancellationView, type Cancellation } from '../wire/cancellation.js';

export type InvoiceStatus = 'pending' | 'succeeded' | 'canceled';
export type DeliveryType = 'self' | 'email' | 'sms';

export interface InvoiceRequest {
  /** What every try to pay it is made from. */
  readonly payment: Omit<CreateRequest, 'returnUrl' | 'invoiceId'>;
  /** As it came. */
  readonly cart: readonly Fields[];
  readonly expiresAt: Date;
  /** null: nothing is said of it. */
  readonly delivery: DeliveryType | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** One invoice of the sandbox; a change makes a new object. */
export interface Invoice extends InvoiceRequest {
  readonly id: string;
  readonly store: Store;
  readonly status: InvoiceStatus;
  /** The payment that it was paid by; null: none was confirmed yet. */
  readonly paid: { readonly id: string; readonly status: PaymentStatus } | null;
  readonly cancellation: Cancellation | null;
  readonly createdBy: Maker;
  readonly createKey: string;
  readonly createdAt: Date;
}

/** An invoice in an answer (assumed, as all about invoices: the interface has none). */
export interface WireInvoice {
  readonly id: string;
  readonly status: InvoiceStatus;
  readonly cart: readonly object[];
  readonly created_at: string;
  /** While it is pending; `url`: of one that the shop delivers itself. */
  readonly delivery_method?: { readonly type: DeliveryType; readonly url?: string };
  readonly expires_at?: string;
  readonly payment_details?: { readonly id: string; readonly status: PaymentStatus };
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly cancellation_details?: { readonly party: string; readonly reason: string };
}

/** Where the buyer pays it. `url`: the sandbox's own address. */
export function invoicePage({ id }: Pick<Invoice, 'id'>, url: string): string {
  return `${url}/invoice/${id}`;
}

export function invoiceView(invoice: Invoice, url: string): WireInvoice {
  const { id, store, status, cart, delivery, description, metadata, paid, cancellation } = invoice;
  return {
    id,
    status,
    cart,
    created_at: invoice.createdAt.toISOString(),
    ...(status === 'pending' && {
      expires_at: invoice.expiresAt.toISOString(),
      ...(delivery !== null && {
        delivery_method: { type: delivery, ...(delivery === 'self' && { url: invoicePage(invoice, url) }) },
      }),
    }),
    ...(paid && { payment_details: paid }),
    ...(description !== null && { description }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(cancellation && { cancellation_details: cancellationView(cancellation, store.names) }),
  };
}
