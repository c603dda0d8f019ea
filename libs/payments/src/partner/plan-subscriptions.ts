import type { WebhookObject } from '../api/objects/webhook.js';
import { webhookEvents, type WebhookEvent } from '../api/requests/create-webhook.js';

/** What to do so that a token has one webhook for each event, and no other of ours. */
export interface SubscriptionPlan {
  readonly create: readonly WebhookEvent[];
  /** Ids: of another address of ours, of an event that is not wanted, or one too many. */
  readonly remove: readonly string[];
  readonly keep: readonly WebhookEvent[];
}

/**
 * Compares the token's webhooks with those it should have. `address`: the store's own. A webhook that does not end in the store's
 * key was made by somebody else and is left alone.
 */
export function planSubscriptions(
  existing: readonly WebhookObject[],
  address: string,
  webhookKey: string,
): SubscriptionPlan {
  const ours = existing.filter(({ url }) => url.endsWith(`/${webhookKey}`));
  const found = new Map(
    webhookEvents.map((event) => [
      event,
      ours.find((webhook) => webhook.event === event && webhook.url === address),
    ]),
  );
  const kept = [...found.values()];
  return {
    keep: webhookEvents.filter((event) => found.get(event) !== undefined),
    create: webhookEvents.filter((event) => found.get(event) === undefined),
    remove: ours.filter((webhook) => !kept.includes(webhook)).map(({ id }) => id),
  };
}
