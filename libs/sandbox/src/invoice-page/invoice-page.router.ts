import { Router, type Request, type Response } from 'express';
import type { InvoiceBook } from '../invoices/invoice-book.js';
import type { Invoice } from '../invoices/invoice.js';
import { pageHeaders } from '../pages/page-headers.js';
import { show } from '../pages/show.js';
import { endedInvoicePage, invoiceSheet, unknownInvoicePage } from './invoice-page.js';

/** Where the buyer pays an invoice: each try is a payment of its own, on its own page. */
export function invoicePageRouter(invoices: InvoiceBook): Router {
  const router = Router();
  router.use(pageHeaders());
  const pending =
    (work: (invoice: Invoice, response: Response) => void) => (request: Request, response: Response) => {
      const invoice = invoices.find(String(request.params['id']));
      if (invoice?.status === 'pending') work(invoice, response);
      else if (invoice) show(response, 200, endedInvoicePage(invoice));
      else show(response, 404, unknownInvoicePage());
    };
  router.get(
    '/:id',
    pending((invoice, response) => show(response, 200, invoiceSheet(invoice))),
  );
  router.post(
    '/:id/pay',
    pending(({ id }, response) => response.redirect(303, `/checkout/${invoices.try(id).id}`)),
  );
  return router;
}
