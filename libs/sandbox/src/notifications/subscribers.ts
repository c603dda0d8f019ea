import type { Maker } from '../api/endpoint.js';
import { ControlError } from '../control/control-error.js';
import type { Store } from '../store/store.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { isEventName, type EventName } from './events.js';

/** One address that is told of an event. */
export interface Subscriber {
  /** null: the shop's own address, from the Merchant Profile. */
  readonly webhookId: string | null;
  /** Asked before every attempt; null where the subscription has ended since. */
  readonly url: () => string | null;
}

/** Who is told of what (section 6 of the service interface). */
export class Subscribers {
  readonly #webhooks: Webhooks;
  readonly #shopEvents: readonly EventName[] | null;
  readonly #shopUrls = new Map<Store, string>();

  /** `shopEvents`: what is ticked in the Merchant Profile, null: everything. Throws ControlError 400. */
  constructor(webhooks: Webhooks, shopEvents: readonly EventName[] | null) {
    const unknown = shopEvents?.filter((event: string) => !isEventName(event)) ?? [];
    if (unknown.length > 0) throw new ControlError(400, `Unknown events: ${unknown.join(', ')}`);
    this.#webhooks = webhooks;
    this.#shopEvents = shopEvents;
  }

  shopUrl(store: Store): string | null {
    return this.#shopUrls.get(store) ?? null;
  }

  /** Where the shop is told from now on, repeats included; null: nowhere. Throws ControlError 400. */
  setShopUrl(store: Store, url: string | null): void {
    if (url !== null && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
      throw new ControlError(400, `Not an http or https address: ${url}`);
    }
    if (url === null) this.#shopUrls.delete(store);
    else this.#shopUrls.set(store, url);
  }

  /** The shop hears of every object of its store, the app of those it made. */
  of(event: EventName, store: Store, createdBy: Maker): Subscriber[] {
    const ticked = this.shopUrl(store) !== null && (this.#shopEvents?.includes(event) ?? true);
    return [
      ...(ticked ? [{ webhookId: null, url: () => this.shopUrl(store) }] : []),
      ...this.#webhooks
        .toldOf(event, store, createdBy)
        .map((webhook) => ({ webhookId: webhook.id, url: () => this.#webhooks.urlOf(webhook) })),
    ];
  }
}
