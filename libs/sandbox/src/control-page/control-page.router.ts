import express, { Router, type RequestHandler } from 'express';
import { ControlError } from '../common/control-error.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { formFields, type Form } from '../pages/form-fields.js';
import { show } from '../pages/html.js';
import { pageHeaders } from '../pages/page-headers.js';
import type { Stores } from '../stores/stores.js';
import { doneText, isPageAction, runAction } from './actions.js';
import { controlPage } from './control-page.js';
import { liveScriptPolicy } from './live-script.js';

/** The control page and what its forms do. */
export function controlPageRouter(sandbox: Sandbox, stores: Stores): Router {
  const router = Router();
  // Not no-referrer: then browsers would hide the origin of a form, which same-origin-only needs to know.
  const headers = pageHeaders({ alsoAllowed: liveScriptPolicy, referrer: 'same-origin' });

  router.get('/', headers, ({ query: { done } }, response) => {
    const message = isPageAction(done) ? { text: doneText(done), good: true } : null;
    show(response, 200, controlPage(sandbox, stores, message));
  });

  router.post('/do/:action', headers, express.urlencoded({ extended: false }), doing(sandbox, stores));
  return router;
}

/** Executes the form and goes back to the page with a message; or shows why it could not be done. */
function doing(sandbox: Sandbox, stores: Stores): RequestHandler {
  return async (request, response) => {
    const { action } = request.params;
    if (!isPageAction(action)) throw new ControlError(404, `The control page cannot do ${String(action)}`);
    try {
      const place = await runAction(action, sandbox, filled(formFields(request.body)));
      response.redirect(303, `/sandbox/?done=${action}#${place}`);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      show(response, error.status, controlPage(sandbox, stores, { text: error.message, good: false }));
    }
  };
}

/** An empty text field counts as absent. */
function filled(form: Form): Form {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}
