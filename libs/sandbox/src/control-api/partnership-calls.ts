import type { PartnershipControl } from '../control/partnership-reports.js';
import { idOf, type ControlCall } from './control-call.js';
import { eventsIn, urlIn } from './notify-input.js';

/** Control calls for users, stores, apps and tokens; bodies and answers are those of the in-process calls. */
export function partnershipCalls({
  users,
  stores,
  apps,
  tokens,
}: PartnershipControl): readonly ControlCall[] {
  return [
    { method: 'get', path: '/users', work: () => ({ items: users.list() }) },
    { method: 'post', path: '/users', work: ({ body }) => users.add(body) },
    { method: 'get', path: '/stores', work: () => ({ items: stores.list() }) },
    { method: 'post', path: '/stores', work: ({ body }) => stores.add(body ?? {}) },
    {
      method: 'post',
      path: '/stores/:id/change',
      work: (request) => stores.change(idOf(request), request.body),
    },
    {
      method: 'post',
      path: '/stores/:id/notify_url',
      work: (request) => stores.setNotifyUrl(idOf(request), urlIn(request.body)),
    },
    {
      method: 'post',
      path: '/stores/:id/notify_events',
      work: (request) => stores.setNotifyEvents(idOf(request), eventsIn(request.body)),
    },
    { method: 'get', path: '/apps', work: () => ({ items: apps.list() }) },
    { method: 'post', path: '/apps', work: ({ body }) => apps.register(body) },
    { method: 'get', path: '/tokens', work: () => ({ items: tokens.list() }) },
    { method: 'post', path: '/tokens', work: ({ body }) => tokens.connect(body) },
    { method: 'post', path: '/tokens/many', work: ({ body }) => ({ items: tokens.connectMany(body) }) },
    { method: 'post', path: '/tokens/:id/revoke', work: (request) => tokens.revoke(idOf(request)) },
    { method: 'post', path: '/tokens/:id/expire', work: (request) => tokens.expire(idOf(request)) },
  ];
}
