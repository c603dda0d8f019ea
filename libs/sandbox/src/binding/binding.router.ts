import { Router, type Request, type Response } from 'express';
import { checkCard } from '../checkout/card-form.js';
import { failureText } from '../checkout/failure-texts.js';
import type { SandboxClock } from '../clock/clock.js';
import { failureOf } from '../methods/test-cards.js';
import type { SavedMethod } from '../objects/saved-method.js';
import type { SavedMethods } from '../objects/saved-methods.js';
import { formFields, parseForm } from '../pages/form-fields.js';
import { pageHeaders } from '../pages/page-headers.js';
import { show } from '../pages/show.js';
import {
  accountBindingPage,
  bankPage,
  boundPage,
  cardBindingPage,
  unknownBindingPage,
  type CardFault,
} from './binding-page.js';

interface Dependencies {
  readonly savedMethods: SavedMethods;
  readonly clock: Pick<SandboxClock, 'now'>;
  /** The sandbox's own address. */
  readonly url: string;
}

type PageWork = (saved: SavedMethod, request: Request, response: Response) => void;

/** Where the buyer confirms that a method is saved without a payment. Assumed: the card's bank asks for nothing more. */
export function bindingRouter({ savedMethods, clock, url }: Dependencies): Router {
  const router = Router();
  router.use(parseForm, pageHeaders());

  const pending = (work: PageWork) => (request: Request, response: Response) => {
    const saved = savedMethods.find(String(request.params['id']));
    if (saved?.status === 'pending') work(saved, request, response);
    else if (saved) show(response, 200, boundPage(saved));
    else show(response, 404, unknownBindingPage());
  };

  router.get(
    '/:id',
    pending((saved, { query }, response) => {
      const isCard = saved.method.type === 'bank_card';
      const page = isCard
        ? cardBindingPage(saved, null, clock.now())
        : accountBindingPage(saved, `${url}/binding/${saved.id}/bank`, formFields(query)['looks']);
      show(response, 200, page);
    }),
  );
  router.post(
    '/:id',
    pending((saved, { body }, response) => {
      const { number = '', expiry = '', csc = '' } = formFields(body);
      const { errors, card } = checkCard({ number, expiry, csc }, clock.now());
      const failure = card && failureOf(card);
      const fault: CardFault | null = errors
        ? { errors, alert: null }
        : failure === null
          ? null
          : { errors: {}, alert: failureText(failure) };
      if (fault) return show(response, 422, cardBindingPage(saved, fault, clock.now()));
      savedMethods.confirm(saved.id, card ?? undefined);
      return goBack(response, saved);
    }),
  );
  router.get(
    '/:id/bank',
    pending((saved, _request, response) => show(response, 200, bankPage(saved))),
  );
  router.post(
    '/:id/bank',
    pending((saved, _request, response) => {
      if (saved.method.type !== 'bank_card') savedMethods.confirm(saved.id);
      goBack(response, saved);
    }),
  );
  router.post(
    '/:id/refuse',
    pending((saved, _request, response) => {
      savedMethods.refuse(saved.id);
      goBack(response, saved);
    }),
  );
  return router;
}

function goBack(response: Response, { id, request }: SavedMethod): void {
  response.redirect(303, request?.returnUrl ?? `/binding/${id}`);
}
