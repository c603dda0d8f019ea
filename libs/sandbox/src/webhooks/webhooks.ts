import { randomUUID } from 'node:crypto';
import type { EventName } from '../notifications/events.js';

/** An app's subscription to one event (section 2.12 of the service interface). */
export interface Webhook {
  readonly id: string;
  readonly event: EventName;
  readonly url: string;
}

/** The webhooks of the app, and the only place that makes or deletes one. */
export class Webhooks {
  readonly #webhooks = new Map<string, Webhook>();

  create(event: EventName, url: string): Webhook {
    const webhook: Webhook = { id: `wh-${randomUUID()}`, event, url };
    this.#webhooks.set(webhook.id, webhook);
    return webhook;
  }

  find(id: string): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  /** Oldest first. */
  list(): Webhook[] {
    return [...this.#webhooks.values()];
  }

  /** False where there is none. */
  delete(id: string): boolean {
    return this.#webhooks.delete(id);
  }
}
