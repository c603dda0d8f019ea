import { ControlError } from '../common/control-error.js';
import { listOf } from '../common/input.js';
import type { Store } from '../stores/store.js';
import { eventNames, type EventName } from '../wire/events.js';
import { addressFault } from './notification-address.js';

interface HttpNotifications {
  /** null: none was entered. */
  readonly url: string | null;
  /** The ticked ones. */
  readonly events: readonly EventName[];
}

const untouched: HttpNotifications = { url: null, events: eventNames };

/**
 * What a shop's owner enters in the Merchant Profile's section for HTTP notifications: one address, and the events to notify.
 * Every event is ticked at first (assumed).
 */
export class MerchantProfiles {
  readonly #entered = new Map<Store, HttpNotifications>();

  /** `unreachable`: why the sandbox sends nothing to a valid address; null if it does. */
  constructor(private readonly unreachable: (url: string) => string | null) {}

  of(store: Store): HttpNotifications {
    return this.#entered.get(store) ?? untouched;
  }

  /** The address for the shop's notifications from now on, including repeats; null: none. Throws ControlError 400. */
  setUrl(store: Store, url: string | null): void {
    const fault = url === null ? null : (addressFault(url) ?? this.unreachable(url));
    if (fault !== null) throw new ControlError(400, `${fault}: ${url}`);
    this.#entered.set(store, { ...this.of(store), url });
  }

  /** The events for the shop's notifications from now on, including repeats. Throws ControlError 400. */
  setEvents(store: Store, events: unknown): void {
    this.#entered.set(store, { ...this.of(store), events: listOf(events, 'events', eventNames) });
  }

  /** The address for the shop's notifications of this event; null if it gets none. */
  urlFor(event: EventName, store: Store): string | null {
    const { url, events } = this.of(store);
    return events.includes(event) ? url : null;
  }
}
