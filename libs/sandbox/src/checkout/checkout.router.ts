import express, { Router, type Request, type Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { withinCardLimits } from '../payments/create-request.js';
import type { Payment } from '../payments/payment.js';
import type { PaymentBook } from '../payments/payment-book.js';
import { methodTypeFromWire } from '../wire-names.js';
import { checkCard } from './card-form.js';
import type { Html } from './html.js';
import { failureText, finishedPage, paymentPage, unknownPage, type TryResult } from './pages.js';

/** The payment page: where `confirmation_url` leads the buyer. */
export function checkoutRouter(book: PaymentBook, clock: SandboxClock): Router {
  const router = Router();
  router.use(express.urlencoded({ extended: false, limit: '10kb' }), (_request, response, next) => {
    // No form-action: browsers apply it to the redirect back to the shop as well.
    response.set({
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
    next();
  });

  /** The payment, while the buyer can still decide; otherwise the request is answered here. */
  const undecided = (request: Request, response: Response): Payment | undefined => {
    const payment = book.find(String(request.params['id']));
    if (payment?.status === 'pending') return payment;
    if (payment) show(response, 200, finishedPage(payment));
    else show(response, 404, unknownPage());
    return undefined;
  };

  router.get('/:id', (request, response) => {
    const payment = undecided(request, response);
    if (payment) show(response, 200, paymentPage(payment, null));
  });

  router.post('/:id/pay', (request, response) => {
    const payment = undecided(request, response);
    if (!payment) return;
    const failed = tryToPay(book, payment, formFields(request.body), clock.now());
    if (failed) show(response, 422, paymentPage(payment, failed));
    else response.redirect(303, payment.returnUrl);
  });

  router.post('/:id/cancel', (request, response) => {
    const payment = undecided(request, response);
    if (!payment) return;
    // The reasons know no buyer who refuses. After a failed try that failure is the reason; otherwise the
    // nearest one is that the payment was never confirmed.
    if (payment.lastFailure) book.decline(payment.id, 'payment_network', payment.lastFailure);
    else book.decline(payment.id, 'service', 'expired_on_confirmation');
    response.redirect(303, payment.returnUrl);
  });
  return router;
}

/** Confirms the payment and returns null, or returns what the page has to say instead. */
function tryToPay(
  book: PaymentBook,
  payment: Payment,
  form: Readonly<Record<string, string>>,
  now: Date,
): TryResult | null {
  const method = methodTypeFromWire(form['method']);
  const fixed = payment.methodFixed ? payment.method?.type : method;
  if (!method || method !== fixed) {
    return { method: fixed ?? 'bank_card', alert: 'Choose how to pay.', errors: {} };
  }
  if (method === 'wallet') {
    book.confirm(payment.id, { type: method, card: null });
    return null;
  }
  const { number = '', expiry = '', csc = '' } = form;
  const checked = checkCard({ number, expiry, csc }, now);
  if (checked.errors) return { method, alert: null, errors: checked.errors };
  const failure = withinCardLimits(payment.amountMinor) ? checked.failure : 'payment_method_limit_exceeded';
  if (failure === null) {
    book.confirm(payment.id, { type: method, card: checked.card });
    return null;
  }
  book.failTry(payment.id, failure);
  return { method, alert: failureText(failure), errors: {} };
}

/** The text fields of a form; a repeated field is an array and left out. */
function formFields(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function show(response: Response, status: number, { markup }: Html): void {
  response.status(status).type('html').send(markup);
}
