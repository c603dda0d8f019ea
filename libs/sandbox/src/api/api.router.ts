import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { serveWithFault } from '../faults/api-faults.js';
import type { FaultOrders } from '../faults/fault-orders.js';
import type { SandboxClock } from '../clock/clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Answer, ApiCall, Endpoint } from './endpoint.js';
import { IdempotenceKeys } from './idempotence.js';
import { errorAnswer, invalidRequest, notFound, ServiceError } from './service-error.js';

interface Surroundings {
  readonly authenticate: RequestHandler;
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly faults: FaultOrders;
}

/** The REST API: who asks → what is asked → fault ordered? → answered before under this key? → carried out. */
export function apiRouter(endpoints: readonly Endpoint[], around: Surroundings): Router {
  const router = Router();
  const keys = new IdempotenceKeys(around.clock);
  router.use(around.authenticate, jsonBodiesOnly, express.json());

  for (const endpoint of endpoints) {
    router[endpoint.method]([...endpoint.paths], async (request, response) => {
      const call = toCall(request);
      around.ledger.countRequest({
        endpoint: endpoint.operation,
        requestKey: call.key || null,
        paymentId: call.id,
      });
      const carryOut = () => answer(endpoint, call, keys);
      await serveWithFault(around.faults.take(endpoint.operation), carryOut, response, around);
    });
  }
  for (const { paths } of endpoints)
    router.all([...paths], (_request, response) => void response.status(405).end());

  router.use((request, response) => send(response, errorAnswer(notFound(`No such path: ${request.path}`))));
  router.use(badBody);
  return router;
}

function toCall(request: Request): ApiCall {
  const { id } = request.params;
  return {
    id: typeof id === 'string' ? id : null,
    query: request.query,
    body: request.body,
    key: request.get('Idempotence-Key') ?? '',
  };
}

function answer(endpoint: Endpoint, call: ApiCall, keys: IdempotenceKeys): Answer {
  const handle = () => refusalsAsAnswers(() => ({ status: 200, body: endpoint.handle(call) }));
  return endpoint.method === 'get'
    ? handle()
    : refusalsAsAnswers(() => keys.once(endpoint.operation, call, handle));
}

function refusalsAsAnswers(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) return errorAnswer(error);
    throw error;
  }
}

const jsonBodiesOnly: RequestHandler = (request, response, next) => {
  // A client that has nothing to send may still announce a length of 0, and then names no type.
  const empty = request.get('Content-Length') === '0';
  if (empty || request.is('application/json') !== false) next();
  else response.status(415).end();
};

const badBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof Error) || !('type' in error) || !('status' in error)) return next(error);
  return send(response, errorAnswer(invalidRequest(`The body cannot be read: ${error.message}`)));
};

function send(response: express.Response, { status, body }: Answer): void {
  response.status(status).json(body);
}
