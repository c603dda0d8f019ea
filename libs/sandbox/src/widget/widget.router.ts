import { Router } from 'express';
import { widgetScript } from './widget.text.js';

/** Where the pages of shops load the widget from; a path of the sandbox, for the service has it on a host of its own. */
export function widgetRouter(): Router {
  const router = Router();
  router.get('/v1/checkout-widget.js', (_request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    response.type('text/javascript').send(widgetScript);
  });
  return router;
}
