import { once } from 'node:events';
import type { Operation } from '../wire/operations.js';
import {
  parseFaultOrder,
  type ApiFaultOrder,
  type FaultOrder,
  type NotificationFaultOrder,
  type OpenFaultOrder,
} from './fault-order.js';

interface Open<Order> {
  readonly order: Order;
  left: number;
}

/** The faults ordered and not used up yet; the oldest order for a target is served first. */
export class FaultOrders {
  #onApi: Open<ApiFaultOrder>[] = [];
  #onNotifications: Open<NotificationFaultOrder>[] = [];
  readonly #releases = new Set<() => void>();

  /** Adds an order; throws a ControlError if it is invalid. */
  order(input: FaultOrder): void {
    const order = parseFaultOrder(input);
    const left = order.times ?? 1;
    if (order.on === 'notification') this.#onNotifications.push({ order, left });
    else this.#onApi.push({ order, left });
  }

  /** The orders not used up yet, oldest first for each kind. */
  list(): OpenFaultOrder[] {
    return [...this.#onApi, ...this.#onNotifications]
      .filter(({ left }) => left > 0)
      .map(({ order, left }) => ({ order, left }));
  }

  /** Uses up one fault of this endpoint, ordered for this store or any, and for this object or any. */
  take(operation: Operation, accountId: string | null, objectId: string | null): ApiFaultOrder | undefined {
    return use(
      this.#onApi.find(
        ({ order, left }) =>
          order.on === operation &&
          left > 0 &&
          (order.store === undefined || order.store === accountId) &&
          (order.object === undefined || order.object === objectId),
      ),
    );
  }

  /** Uses up one fault of the notifications. */
  takeForNotification(): NotificationFaultOrder | undefined {
    return use(this.#onNotifications.find(({ left }) => left > 0));
  }

  /** Waits for `ms` of real time, or without a number until the faults are cleared. */
  async stall(ms: number | undefined): Promise<void> {
    const stop = new AbortController();
    const release = () => stop.abort();
    this.#releases.add(release);
    const timer = ms === undefined ? undefined : setTimeout(release, ms);
    await once(stop.signal, 'abort');
    clearTimeout(timer);
    this.#releases.delete(release);
  }

  /** Removes every order and continues stalled requests. */
  clear(): void {
    this.#onApi = [];
    this.#onNotifications = [];
    for (const release of this.#releases) release();
  }
}

function use<Order>(open: Open<Order> | undefined): Order | undefined {
  if (open) open.left -= 1;
  return open?.order;
}
