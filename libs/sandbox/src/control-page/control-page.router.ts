import express, { Router, type Request, type RequestHandler } from 'express';
import { ControlError } from '../common/control-error.js';
import type { Sandbox } from '../control/running-sandbox.js';
import type { Changes } from '../journal/changes.js';
import { formFields, type Form } from '../pages/form-fields.js';
import { html, type Html } from '../pages/html.js';
import { pageHeaders } from '../pages/page-headers.js';
import { show } from '../pages/show.js';
import type { Stores } from '../stores/stores.js';
import { doneText, isPageAction, placeAfter, runAction } from './actions.js';
import { changeStream } from './change-stream.js';
import { contentOf } from './content.js';
import { framed } from './frame.js';
import { pathOf, placeAt, type Place } from './places.js';
import type { View } from './view.js';

interface Dependencies {
  readonly sandbox: Sandbox;
  readonly stores: Stores;
  readonly changes: Changes;
}

/** The pages of the control page, what their forms do, and word of every change. */
export function controlPageRouter({ sandbox, stores, changes }: Dependencies): Router {
  const router = Router();
  // Not no-referrer: then browsers would hide the origin of a form, which same-origin-only needs to know.
  const headers = pageHeaders({ referrer: 'same-origin', ownFormsOnly: true });
  const pages = { sandbox, stores };
  router.get('/changes', changeStream(changes));
  router.get('/', headers, showing(pages));
  router.get('/pages/*path', headers, showing(pages));
  router.post('/do/:action', headers, express.urlencoded({ extended: false }), doing(pages));
  return router;
}

type Pages = Pick<Dependencies, 'sandbox' | 'stores'>;

/** Shows the page that the address names. */
function showing(pages: Pages): RequestHandler {
  return ({ path, baseUrl, query: { done } }, response) => {
    const place = placeAt(`${baseUrl}${path}`);
    const view = viewOf(pages);
    const { content, fault } = place ? found(place, view) : missing(path);
    if (!place || !content) {
      const message = { text: fault, good: false };
      return show(response, 404, framed({ tab: 'payments' }, view, html``, message));
    }
    const message = isPageAction(done) ? { text: doneText(done), good: true } : null;
    return show(response, 200, framed(place, view, content, message));
  };
}

/** Executes the form and goes back to its page with a message; or shows why it could not be done. */
function doing(pages: Pages): RequestHandler {
  return async (request, response) => {
    const { action } = request.params;
    if (!isPageAction(action)) throw new ControlError(404, `The control page cannot do ${String(action)}`);
    const form = filled(formFields(request.body));
    const place = placeOf(request) ?? placeAfter(action, form);
    try {
      await runAction(action, pages.sandbox, form);
      response.redirect(303, `${pathOf(place)}?done=${action}${rowOf(place, form)}`);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      const view = viewOf(pages);
      const { content } = found(place, view);
      // What the form was about may be gone.
      const shown = content ? place : { tab: place.tab };
      const message = { text: error.message, good: false };
      show(
        response,
        error.status,
        framed(shown, view, content ?? found(shown, view).content ?? html``, message),
      );
    }
  };
}

function viewOf({ sandbox, stores }: Pages): View {
  return { sandbox, stores, now: sandbox.clock.now() };
}

interface Found {
  /** null: there is no such page. */
  readonly content: Html | null;
  readonly fault: string;
}

function found(place: Place, view: View): Found {
  try {
    const content = contentOf(place, view);
    return content ? { content, fault: '' } : missing(pathOf(place));
  } catch (error) {
    if (error instanceof ControlError) return { content: null, fault: error.message };
    throw error;
  }
}

function missing(path: string): Found {
  return { content: null, fault: `There is no page ${path}` };
}

/** The page that a form was on, as its browser says. */
function placeOf(request: Request): Place | null {
  const referrer = request.get('Referer') ?? '';
  return URL.canParse(referrer) ? placeAt(new URL(referrer).pathname) : null;
}

/** Where in the list of payments the eye was. */
function rowOf({ tab, id }: Place, form: Form): string {
  return tab === 'payments' && id === undefined && form['id'] !== undefined ? `#payment-${form['id']}` : '';
}

/** An empty text field counts as absent. */
function filled(form: Form): Form {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}
