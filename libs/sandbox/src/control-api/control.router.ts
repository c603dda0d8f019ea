import express, { Router, type ErrorRequestHandler, type Request } from 'express';
import { ControlError } from '../common/control-error.js';
import { knownFields } from '../common/input.js';
import type { Sandbox } from '../control/running-sandbox.js';
import type { EventName } from '../wire/events.js';
import { idOf, type ControlCall } from './control-call.js';
import { loopbackOnly } from './loopback-only.js';
import { eventsIn, urlIn } from './notify-input.js';
import { objectCalls } from './object-calls.js';
import { partnershipCalls } from './partnership-calls.js';
import { sameOriginOnly } from './same-origin-only.js';

/** The control API: the in-process calls of the sandbox over HTTP. `page`: the control page, under the same guards. */
export function controlRouter(sandbox: Sandbox, page: Router): Router {
  const router = Router();
  router.use(loopbackOnly, sameOriginOnly, page, express.json());
  for (const { method, path, work } of [
    ...ownCalls(sandbox),
    ...objectCalls(sandbox),
    ...partnershipCalls(sandbox),
  ]) {
    router[method](path, async (request, response) => {
      response.json((await work(request)) ?? {});
    });
  }
  router.use((request, response) => {
    response.status(404).json({ error: `No control call ${request.method} ${request.originalUrl}` });
  });
  router.use(controlErrors);
  return router;
}

/** Calls for payments and the sandbox as a whole. */
function ownCalls(sandbox: Sandbox): readonly ControlCall[] {
  const { clock, faults, ledger, notifications, payments, requests } = sandbox;
  const time = () => ({
    now: clock.now().toISOString(),
    offset_ms: clock.offsetMs(),
    skew_ms: clock.skewMs(),
  });
  const advance = async ({ body }: Request) => {
    knownFields(body, ['ms']);
    await clock.advance(body.ms);
    return time();
  };
  const skew = ({ body }: Request) => {
    knownFields(body, ['ms']);
    clock.skew(body.ms);
    return time();
  };
  return [
    { method: 'get', path: '/clock', work: time },
    { method: 'post', path: '/clock/advance', work: advance },
    { method: 'post', path: '/clock/skew', work: skew },
    { method: 'get', path: '/payments', work: () => ({ items: payments.list() }) },
    { method: 'get', path: '/payments/:id', work: (request) => payments.get(idOf(request)) },
    {
      method: 'post',
      path: '/payments/:id/pay',
      work: (request) => payments.pay(idOf(request), request.body),
    },
    { method: 'get', path: '/ledger', work: () => ledger.report() },
    { method: 'get', path: '/requests', work: () => ({ items: requests.list() }) },
    { method: 'get', path: '/notifications', work: () => ({ items: notifications.list() }) },
    { method: 'get', path: '/notifications/:id', work: (request) => notifications.get(idOf(request)) },
    {
      method: 'post',
      path: '/notifications/:id/redeliver',
      work: (request) => notifications.redeliver(idOf(request)),
    },
    { method: 'post', path: '/notify_url', work: ({ body }) => subscribe(sandbox, body) },
    { method: 'post', path: '/notify_events', work: ({ body }) => tick(sandbox, body) },
    { method: 'post', path: '/secret_keys', work: ({ body }) => setSecretKeys(sandbox, body) },
    { method: 'get', path: '/faults', work: () => ({ items: faults.list() }) },
    { method: 'post', path: '/faults', work: ({ body }) => faults.order(body) },
    { method: 'delete', path: '/faults', work: () => faults.clear() },
  ];
}

const controlErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof ControlError) return response.status(error.status).json({ error: error.message });
  // What express.json could not read.
  if (error instanceof SyntaxError) return response.status(400).json({ error: error.message });
  return next(error);
};

function subscribe(sandbox: Sandbox, body: unknown): { url: string | null } {
  const url = urlIn(body);
  sandbox.setNotifyUrl(url);
  return { url };
}

function tick(sandbox: Sandbox, body: unknown): { events: readonly EventName[] } {
  sandbox.setNotifyEvents(eventsIn(body));
  return { events: sandbox.notifyEvents() };
}

/** Answered with their number: no answer contains a key. */
function setSecretKeys(sandbox: Sandbox, body: unknown): { valid: number } {
  const { keys } = knownFields(body, ['keys']);
  if (!areKeys(keys)) throw new ControlError(400, 'keys must be a list of secret keys');
  sandbox.setSecretKeys(keys);
  return { valid: keys.length };
}

function areKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' && key !== '');
}
