import { randomUUID } from 'node:crypto';
import type { Maker } from '../api/endpoint.js';
import type { EventName } from '../notifications/events.js';
import type { AppToken, Tokens } from '../oauth/tokens.js';
import type { Store } from '../store/store.js';

/** A subscription to one event, made with one token (sections 2.12 and 6 of the service interface). */
export interface Webhook {
  readonly id: string;
  readonly event: EventName;
  readonly url: string;
  readonly token: AppToken;
}

/** The webhooks of every token, and the only place that makes or deletes one. They end with their token (assumed). */
export class Webhooks {
  readonly #webhooks = new Map<string, Webhook>();
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  create(token: AppToken, event: EventName, url: string): Webhook {
    const webhook: Webhook = { id: `wh-${randomUUID()}`, event, url, token };
    this.#webhooks.set(webhook.id, webhook);
    return webhook;
  }

  /** Where it sends to; null once it was deleted or its token has ended. */
  urlOf(id: string): string | null {
    const webhook = this.#webhooks.get(id);
    return webhook && this.#tokens.isGood(webhook.token) ? webhook.url : null;
  }

  /** Oldest first. */
  of(token: AppToken): Webhook[] {
    return [...this.#webhooks.values()].filter((webhook) => webhook.token === token);
  }

  /** Those that are told of this event: of the app that made the object, for its store. */
  toldOf(event: EventName, store: Store, createdBy: Maker): Webhook[] {
    return [...this.#webhooks.values()].filter(
      (webhook) =>
        webhook.event === event &&
        webhook.token.store === store &&
        webhook.token.app.clientId === createdBy &&
        this.#tokens.isGood(webhook.token),
    );
  }

  /** False where the token has none of this id. */
  delete(token: AppToken, id: string): boolean {
    return this.#webhooks.get(id)?.token === token && this.#webhooks.delete(id);
  }
}
