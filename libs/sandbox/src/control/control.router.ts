import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { Sandbox } from '../running-sandbox.js';
import { ControlError } from './control-error.js';
import { knownFields } from './input.js';
import { loopbackOnly } from './loopback-only.js';

/** The control API: the in-process calls of the sandbox over HTTP. */
export function controlRouter({ clock, faults, ledger, notifications, payments }: Sandbox): Router {
  const time = () => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() });
  const advance = async ({ body }: Request) => {
    knownFields(body, ['ms']);
    await clock.advance(body.ms);
    return time();
  };

  const router = Router();
  router.use(loopbackOnly, express.json());
  router.get('/clock', answering(time));
  router.post('/clock/advance', answering(advance));
  router.get(
    '/payments',
    answering(() => ({ items: payments.list() })),
  );
  router.get(
    '/payments/:id',
    answering((request) => payments.get(idOf(request))),
  );
  router.post(
    '/payments/:id/pay',
    answering((request) => payments.pay(idOf(request), request.body)),
  );
  router.get(
    '/ledger',
    answering(() => ledger.report()),
  );
  router.get(
    '/notifications',
    answering(() => ({ items: notifications.list() })),
  );
  router.post(
    '/notifications/:id/redeliver',
    answering((request) => notifications.redeliver(idOf(request))),
  );
  router.post(
    '/faults',
    answering(({ body }) => faults.order(body)),
  );
  router.delete(
    '/faults',
    answering(() => faults.clear()),
  );
  router.use((request, response) => {
    response.status(404).json({ error: `No control call ${request.method} ${request.originalUrl}` });
  });
  router.use(controlErrors);
  return router;
}

/** Answers with what `work` returns, `{}` where that is nothing. */
function answering(work: (request: Request) => unknown): RequestHandler {
  return async (request, response) => {
    response.json((await work(request)) ?? {});
  };
}

function idOf(request: Request): string {
  return String(request.params['id']);
}

const controlErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof ControlError) return response.status(error.status).json({ error: error.message });
  // What express.json could not read.
  if (error instanceof SyntaxError) return response.status(400).json({ error: error.message });
  return next(error);
};
