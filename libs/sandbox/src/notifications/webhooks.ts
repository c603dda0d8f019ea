import { randomUUID } from 'node:crypto';
import type { Maker } from '../partnership/apps.js';
import type { AppToken, Tokens } from '../partnership/tokens.js';
import type { Store } from '../stores/store.js';
import type { EventName } from '../wire/events.js';

/** A subscription to one event, made with one token. */
export interface Webhook {
  readonly id: string;
  readonly event: EventName;
  readonly url: string;
  readonly token: AppToken;
}

/** The webhooks of every token, and the only place that makes or deletes one. They end with their token (assumed). */
export class Webhooks {
  readonly #webhooks = new Map<AppToken, Map<string, Webhook>>();

  constructor(private readonly tokens: Tokens) {}

  create(token: AppToken, event: EventName, url: string): Webhook {
    const webhook: Webhook = { id: `wh-${randomUUID()}`, event, url, token };
    this.#webhooks.set(token, new Map(this.#webhooks.get(token)).set(webhook.id, webhook));
    return webhook;
  }

  /** Where it sends to now; null once it was deleted or its token has ended. */
  urlOf({ id, url, token }: Webhook): string | null {
    return this.#webhooks.get(token)?.has(id) && this.tokens.isGood(token) ? url : null;
  }

  /** Oldest first. */
  of(token: AppToken): Webhook[] {
    return [...(this.#webhooks.get(token)?.values() ?? [])];
  }

  /** Those for this event: of the app that made the object, for its store. */
  subscribedTo(event: EventName, store: Store, createdBy: Maker): Webhook[] {
    return [...this.#webhooks.keys()]
      .filter(
        (token) => token.store === store && token.app.clientId === createdBy && this.tokens.isGood(token),
      )
      .flatMap((token) => this.of(token))
      .filter((webhook) => webhook.event === event);
  }

  /** False if the token has none with this id. */
  delete(token: AppToken, id: string): boolean {
    return this.#webhooks.get(token)?.delete(id) ?? false;
  }
}
