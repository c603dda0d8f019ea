import type { Maker } from '../partnership/apps.js';
import type { Store } from '../stores/store.js';
import type { EventName } from '../wire/events.js';
import type { MerchantProfiles } from './merchant-profiles.js';
import type { Webhooks } from './webhooks.js';

/** One address that is notified of an event. */
export interface Subscriber {
  /** null: the shop's own address, from the Merchant Profile. */
  readonly webhookId: string | null;
  /** Called before every attempt; null if the subscription has ended since. */
  readonly url: () => string | null;
}

/** The subscribers of each event. */
export class Subscribers {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly profiles: MerchantProfiles,
  ) {}

  /** The shop is notified of every object of its store, the app of those it made. */
  of(event: EventName, store: Store, createdBy: Maker): Subscriber[] {
    const shop: Subscriber = { webhookId: null, url: () => this.profiles.urlFor(event, store) };
    return [
      ...(shop.url() === null ? [] : [shop]),
      ...this.webhooks
        .subscribedTo(event, store, createdBy)
        .map((webhook) => ({ webhookId: webhook.id, url: () => this.webhooks.urlOf(webhook) })),
    ];
  }
}
