import { makerOf, type Endpoint } from '../api/endpoint.js';
import type { Books, Views } from '../books/books.js';
import type { SandboxClock } from '../clock/clock.js';
import { ServiceError } from '../wire/service-error.js';
import { parseInvoiceRequest } from './invoice-request.js';
import { reading } from './reading.js';

interface Dependencies {
  readonly books: Pick<Books, 'invoices' | 'receiptDesk'>;
  readonly view: Views['invoice'];
  readonly clock: SandboxClock;
}

/** Invoices over REST: of the public service alone, and of shops with their own key. */
export function invoiceEndpoints({ books, view, clock }: Dependencies): Endpoint[] {
  const { invoices, receiptDesk } = books;
  return [
    {
      operation: 'invoice',
      method: 'post',
      paths: ['/v3/invoices'],
      basicOnly: true,
      handle: ({ body, key, by }) => {
        const { store } = by;
        // Assumed: the error.
        if (store.demo)
          throw new ServiceError(403, 'forbidden', { description: 'A demo store issues no invoices' });
        const request = parseInvoiceRequest(body, { store, now: clock.now(), receipts: receiptDesk });
        return view(invoices.create(request, { store, createdBy: makerOf(by), createKey: key }));
      },
    },
    { ...reading('read_invoice', '/v3/invoices/:id', 'Invoice', invoices, view), basicOnly: true },
  ];
}
