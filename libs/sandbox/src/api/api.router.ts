import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { stampDate } from '../clock/stamp-date.js';
import { serveWithFault } from '../faults/api-faults.js';
import type { FaultOrders } from '../faults/fault-orders.js';
import type { Journal } from '../journal/journal.js';
import type { Ledger } from '../ledger/ledger.js';
import { errorAnswer, invalidRequest, notFound, ServiceError, type Answer } from '../wire/service-error.js';
import type { Authenticate } from './credentials.js';
import type { ApiCall, Caller, Endpoint } from './endpoint.js';
import type { IdempotenceKeys } from './idempotence.js';
import { refusalOf } from './permitted.js';

/** 500 passengers with the longest names are more than express accepts by default. */
const LARGEST_BODY = '1mb';

interface Dependencies {
  readonly authenticate: Authenticate;
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly faults: FaultOrders;
  readonly keys: IdempotenceKeys;
  readonly journal: Journal;
}

/** The REST API: authentication → parsing → fault ordered? → answered before under this key? → execution. */
export function apiRouter(
  endpoints: readonly Endpoint[],
  { authenticate, clock, ledger, faults, keys, journal }: Dependencies,
): Router {
  const router = Router();
  router.use(journal.recorder);
  router.use((_request, response, next) => {
    stampDate(response, clock.now());
    next();
  });
  router.use(knownCallersOnly(authenticate), jsonBodiesOnly, express.json({ limit: LARGEST_BODY }));

  for (const endpoint of endpoints) {
    router[endpoint.method]([...endpoint.paths], async (request, response) => {
      // Checked again: while the body was arriving, the token may have ended.
      const by = callerOf(request, response, authenticate);
      if (!by) return;
      const call = toCall(request, by);
      const { accountId } = call.by.store;
      const paymentId = endpoint.paymentOf?.(call) ?? null;
      const { operation } = endpoint;
      ledger.countRequest({ endpoint: operation, accountId, requestKey: call.key || null, paymentId });
      const order = faults.take(operation, accountId, call.id);
      journal.learned(response, { operation, accountId, paymentId, fault: order?.fault ?? null });
      const carryOut = () => {
        const given = answer(endpoint, call, keys);
        if (operation === 'create') journal.learned(response, { paymentId: createdId(given) });
        return given;
      };
      await serveWithFault(order, carryOut, response, { clock, faults });
    });
  }
  for (const { paths } of endpoints)
    router.all([...paths], (_request, response) => void response.status(405).end());

  router.use((request, response) => send(response, errorAnswer(notFound(`No such path: ${request.path}`))));
  router.use(badBody);
  return router;
}

function toCall(request: Request, by: Caller): ApiCall {
  const { id } = request.params;
  return {
    by,
    id: typeof id === 'string' ? id : null,
    query: request.query,
    body: request.body,
    key: request.get('Idempotence-Key') ?? '',
  };
}

function answer(endpoint: Endpoint, call: ApiCall, keys: IdempotenceKeys): Answer {
  const handle = () => refusalsAsAnswers(() => ({ status: 200, body: endpoint.handle(call) }));
  return refusalsAsAnswers(() => {
    const refusal = refusalOf(endpoint, call.by);
    if (refusal) throw refusal;
    // A repeated DELETE has the same effect, so the key that some clients send with it is not required of the others.
    const once = endpoint.method === 'post' || (endpoint.method === 'delete' && call.key !== '');
    return once ? keys.once(endpoint, call, handle) : handle();
  });
}

/** The payment that the answer shows; null: none was made. */
function createdId({ status, body }: Answer): string | null {
  const isObject = status === 200 && typeof body === 'object' && body !== null && 'id' in body;
  return isObject && typeof body.id === 'string' ? body.id : null;
}

function refusalsAsAnswers(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) return errorAnswer(error);
    throw error;
  }
}

/** Before the body is read: an unauthenticated client learns nothing about it. */
function knownCallersOnly(authenticate: Authenticate): RequestHandler {
  return (request, response, next) => {
    if (callerOf(request, response, authenticate)) next();
  };
}

/** The caller; null if unknown, and then already answered. */
function callerOf(request: Request, response: express.Response, authenticate: Authenticate): Caller | null {
  try {
    return authenticate(request.headers.authorization);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    response.set('WWW-Authenticate', 'Basic realm="sandbox", Bearer realm="sandbox"');
    send(response, errorAnswer(error));
    return null;
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
