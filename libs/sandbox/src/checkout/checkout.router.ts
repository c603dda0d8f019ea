import { Router, type Request, type Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { formFields, parseForm } from '../pages/form-fields.js';
import { pageHeaders } from '../pages/page-headers.js';
import { themes, type Theme } from '../pages/page.js';
import { show } from '../pages/show.js';
import type { PaymentBook } from '../payments/payment-book.js';
import { isUndecided, merchantSentCard, type Payment } from '../payments/payment.js';
import { offerFor, type Offer } from '../payments/ways.js';
import { BuyerTries, type TryResult } from './buyer-tries.js';
import { checkCard } from './card-form.js';
import type { Visit } from './checkout-layout.js';
import { finishedPage, unknownPage, unknownTokenPage } from './finished-page.js';
import { paymentPage, type Complaint } from './payment-page.js';
import { CODE, threeDSecurePage } from './three-d-secure-page.js';
import { wayPages } from './way-pages.js';

interface Dependencies {
  readonly book: PaymentBook;
  readonly clock: SandboxClock;
  /** The sandbox's own address. */
  readonly url: string;
}

type PageWork = (payment: Payment, request: Request, response: Response) => void;

/** The payment page and the pages behind it: where `confirmation_url` leads the buyer. */
export function checkoutRouter({ book, clock, url }: Dependencies): Router {
  const tries = new BuyerTries(book, clock);
  const pages = wayPages(tries, url);
  const router = Router();
  const [headers, framedHeaders] = [pageHeaders(), pageHeaders({ framed: true })];
  /** By payment: what the page of the shop wants the form to look like. No cookie would reach a page inside another site's. */
  const wanted = new Map<string, Theme>();
  const visit = (payment: Payment): Visit => ({
    payment,
    now: clock.now(),
    theme: wanted.get(payment.id) ?? null,
  });
  router.use(parseForm);
  router.use('/:id', (request, response, next) => {
    const { id } = request.params;
    const isFramed = id === 'embedded' || book.find(id)?.confirmation === 'embedded';
    (isFramed ? framedHeaders : headers)(request, response, next);
  });

  /** Serves what the buyer can still decide; a finished or unknown payment only gets a page that says so. */
  const undecided = (work: PageWork) => (request: Request, response: Response) => {
    const payment = book.find(String(request.params['id']));
    if (payment && isUndecided(payment)) work(payment, request, response);
    else if (payment) show(response, 200, finishedPage(visit(payment)));
    else show(response, 404, unknownPage());
  };
  /** The same if the buyer chooses how to pay, which is over once the merchant sent the card. */
  const choosing = (work: PageWork) =>
    undecided((payment, request, response) => {
      if (merchantSentCard(payment)) response.redirect(303, `/checkout/${payment.id}/3ds`);
      else work(payment, request, response);
    });
  const showChoice = (response: Response, status: number, { id }: Payment, complaint: Complaint | null) => {
    const payment = book.find(id);
    if (payment)
      show(response, status, paymentPage(visit(payment), offerTo(response.req, payment), complaint));
  };

  router.get('/embedded/:token', (request, response) => {
    const { token } = request.params;
    const payment = book.withToken(token);
    if (!payment) return show(response, 404, unknownTokenPage(token));
    const theme = themes.find((known) => known === request.query['theme']);
    if (theme) wanted.set(payment.id, theme);
    return response.redirect(303, `/checkout/${payment.id}`);
  });
  router.get(
    '/:id',
    choosing((payment, _request, response) => showChoice(response, 200, payment, null)),
  );
  router.post(
    '/:id/pay',
    choosing((payment, { body }, response) => {
      const { method, number = '', expiry = '', csc = '', save } = formFields(body);
      const offer = offerTo(response.req, payment);
      const way = offer.ways.find((offered) => offered === method);
      if (!way)
        return showChoice(response, 422, payment, { way: null, alert: 'Choose how to pay.', errors: {} });
      tries.choose(payment, way);
      const page = pages.find((candidate) => candidate.way === way && candidate.isOffered(offer, payment));
      if (page) return response.redirect(303, `/checkout/${payment.id}/${page.path}`);

      const { errors, card } = checkCard({ number, expiry, csc }, clock.now());
      if (errors) return showChoice(response, 422, payment, { way, alert: null, errors });
      const result = tries.byCard(payment, card, save !== undefined);
      // Not a redirect: the page is the answer to what was typed.
      if (result === 'may try again') return showChoice(response, 422, payment, null);
      return goOn(response, payment, result);
    }),
  );

  for (const page of pages) {
    const offered = (work: PageWork) =>
      choosing((payment, request, response) => {
        if (page.isOffered(offerTo(request, payment), payment)) work(payment, request, response);
        else response.redirect(303, `/checkout/${payment.id}`);
      });
    const shown = offered((payment, { query }, response) =>
      show(response, 200, page.show(visit(payment), formFields(query))),
    );
    router.get(`/:id/${page.path}`, (request, response) => {
      const payment = book.find(request.params.id);
      if (page.waits && payment && !isUndecided(payment)) goOn(response, payment, 'finished');
      else shown(request, response);
    });
    router.post(
      `/:id/${page.path}`,
      offered((payment, { body, originalUrl }, response) => {
        const result = page.pay(payment, formFields(body));
        if (result) goOn(response, payment, result);
        else response.redirect(303, originalUrl);
      }),
    );
  }

  router.get(
    '/:id/3ds',
    undecided((payment, _request, response) => {
      const card = tries.cardAwaiting3ds(payment);
      if (card) show(response, 200, threeDSecurePage(visit(payment), card, null));
      else goOn(response, payment, 'may try again');
    }),
  );
  router.post(
    '/:id/3ds',
    undecided((payment, { body }, response) => {
      const card = tries.cardAwaiting3ds(payment);
      const { code = '', fail } = formFields(body);
      if (!card) goOn(response, payment, 'may try again');
      else if (fail !== undefined) goOn(response, payment, tries.failed3ds(payment));
      else if (code.trim() === CODE) goOn(response, payment, tries.passed3ds(payment, card));
      else show(response, 422, threeDSecurePage(visit(payment), card, 'This is not the code.'));
    }),
  );

  router.post(
    '/:id/cancel',
    undecided((payment, _request, response) => {
      tries.giveUp(payment);
      goOn(response, payment, 'finished');
    }),
  );
  return router;
}

/** What this browser is offered. */
function offerTo(request: Request, payment: Payment): Offer {
  return offerFor(payment, /\bAndroid\b/.test(request.get('User-Agent') ?? ''));
}

function goOn(response: Response, { id, returnUrl }: Payment, result: TryResult): void {
  const here = `/checkout/${id}`;
  const next = { finished: returnUrl ?? here, 'needs 3-D Secure': `${here}/3ds`, 'may try again': here };
  response.redirect(303, next[result]);
}
