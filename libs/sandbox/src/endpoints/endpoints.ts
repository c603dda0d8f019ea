import type { Endpoint } from '../api/endpoint.js';
import type { Books, Views } from '../books/books.js';
import type { SandboxClock } from '../clock/clock.js';
import type { Webhooks } from '../notifications/webhooks.js';
import { bindingEndpoints } from './binding.endpoints.js';
import { invoiceEndpoints } from './invoices.endpoints.js';
import { objectEndpoints } from './objects.endpoints.js';
import { paymentEndpoints } from './payments.endpoints.js';
import { receiptEndpoints } from './receipts.endpoints.js';
import { refundEndpoints } from './refunds.endpoints.js';
import { storeEndpoints } from './store.endpoints.js';
import { webhookEndpoints } from './webhooks.endpoints.js';

interface Dependencies {
  readonly books: Books;
  readonly views: Views;
  readonly webhooks: Webhooks;
  readonly clock: SandboxClock;
  /** The profile of the public service, which has more than the interface. */
  readonly isPublic: boolean;
}

/** Every endpoint of the REST API. */
export function allEndpoints({ books, views, webhooks, clock, isPublic }: Dependencies): Endpoint[] {
  return [
    ...paymentEndpoints({ books, view: views.payment, clock }),
    ...refundEndpoints(books),
    ...(isPublic
      ? [
          ...receiptEndpoints(books),
          ...invoiceEndpoints({ books, view: views.invoice, clock }),
          ...bindingEndpoints(books.savedMethods, views.savedMethod),
        ]
      : []),
    ...storeEndpoints(),
    ...webhookEndpoints(webhooks),
    ...objectEndpoints(books, views.savedMethod),
  ];
}
