import { unauthorized } from '../api/credentials.js';
import type { Caller, Endpoint } from '../api/endpoint.js';
import { addressFault } from '../notifications/notification-address.js';
import type { Webhook, Webhooks } from '../notifications/webhooks.js';
import type { AppToken } from '../partnership/tokens.js';
import { fields, text } from '../wire/body.js';
import { isEventName, type EventName } from '../wire/events.js';
import { invalidRequest, notFound } from '../wire/service-error.js';

const LONGEST_URL = 2048;

/** Webhooks over REST, only for an app's token (listing and deleting are assumed). */
export function webhookEndpoints(webhooks: Webhooks): Endpoint[] {
  const paths = ['/v3/webhooks'];
  return [
    {
      operation: 'webhook',
      method: 'post',
      paths,
      bearerOnly: true,
      handle: ({ body, by }) => {
        const { event, url } = fields(body);
        return webhookView(webhooks.create(tokenOf(by), parseEvent(event), parseUrl(url)));
      },
    },
    {
      operation: 'list_webhooks',
      method: 'get',
      paths,
      bearerOnly: true,
      handle: ({ by }) => ({ type: 'list', items: webhooks.of(tokenOf(by)).map(webhookView) }),
    },
    {
      operation: 'delete_webhook',
      method: 'delete',
      paths: ['/v3/webhooks/:id'],
      bearerOnly: true,
      handle: ({ id, by }) => {
        if (webhooks.delete(tokenOf(by), id ?? '')) return {};
        throw notFound('Webhook not found or forbidden');
      },
    },
  ];
}

function webhookView({ id, event, url }: Webhook) {
  return { id, event, url };
}

function tokenOf({ token }: Caller): AppToken {
  if (!token) throw unauthorized('Authentication type is not allowed');
  return token;
}

function parseEvent(event: unknown): EventName {
  if (!isEventName(event)) throw invalidRequest('Unknown event', 'event');
  if (/^(payment|refund)\./.test(event)) return event;
  throw invalidRequest('An app can subscribe to events of payments and refunds only', 'event');
}

/** Stored as it was written. */
function parseUrl(given: unknown): string {
  const url = text(given, LONGEST_URL, 'url');
  const fault = addressFault(url);
  if (fault !== null) throw invalidRequest(fault, 'url');
  return url;
}
