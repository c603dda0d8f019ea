import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import type { NotificationFaultOrder } from '../faults/fault-order.js';
import type { FaultOrders } from '../faults/fault-orders.js';
import type { Journal } from '../journal/journal.js';
import type { Maker } from '../partnership/apps.js';
import type { Store } from '../stores/store.js';
import type { EventName } from '../wire/events.js';
import {
  notificationReport,
  type Notification,
  type NotificationAttempt,
  type NotificationDetails,
  type NotificationReport,
} from './notification.js';
import { postJson } from './post.js';
import { nextAttempt } from './redelivery.js';
import type { Subscribers } from './subscribers.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
  readonly subscribers: Subscribers;
  /** Hears of everything that is sent. */
  readonly journal: Pick<Journal, 'delivered'>;
  /** The sender that the receiver sees, in X-Forwarded-For. */
  readonly senderAddress: string;
  /** Why nothing is sent to an address; null if it is. */
  readonly unreachable: (url: string) => string | null;
}

/** What happened to an object of the service. */
interface ObjectEvent {
  readonly event: EventName;
  readonly objectId: string;
  /** As it is at this moment. */
  readonly object: unknown;
  readonly store: Store;
  readonly createdBy: Maker;
  readonly at: Date;
}

type Sent = Pick<NotificationAttempt, 'url' | 'status' | 'error'>;

/** Sends notifications to the merchant until one is acknowledged. */
export class Notifier {
  readonly #notifications = new Map<string, Notification>();
  readonly #closing = new AbortController();
  #heldBack: Notification[] = [];

  constructor(private readonly dependencies: Dependencies) {}

  list(): NotificationReport[] {
    return [...this.#notifications.values()].map(notificationReport);
  }

  /** Throws ControlError 404. */
  get(id: string): NotificationDetails {
    const notification = this.#existing(id);
    const { body } = notification;
    return { ...notificationReport(notification), headers: this.#headers(body), body };
  }

  /** Notifies every subscriber. */
  announce({ event, objectId, object, store, createdBy, at }: ObjectEvent): void {
    const body = JSON.stringify({ type: 'notification', event, object });
    for (const subscriber of this.dependencies.subscribers.of(event, store, createdBy)) {
      const order = this.dependencies.faults.takeForNotification();
      const notification: Notification = {
        id: randomUUID(),
        sequence: this.#notifications.size + 1,
        event,
        objectId,
        accountId: store.accountId,
        subscriber,
        eventAt: at,
        body,
        fault: order?.fault ?? null,
        attempts: [],
        nextDueAt: null,
        done: false,
      };
      this.#notifications.set(notification.id, notification);
      this.#sendFirst(notification, order);
    }
  }

  /** Sends one now, acknowledged or not, and resolves when it is answered. Does not use up a repeat. */
  async redeliver(id: string): Promise<NotificationReport> {
    const notification = this.#existing(id);
    await this.#attempt(notification, this.dependencies.clock.now());
    return notificationReport(notification);
  }

  /** Sends what a reorder fault holds back; given a sequence, only what that notification has overtaken. */
  releaseHeldBack(at: Date = this.dependencies.clock.now(), overtakenBy = Infinity): void {
    const overtaken = this.#heldBack.filter(({ sequence }) => sequence < overtakenBy);
    this.#heldBack = this.#heldBack.filter((held) => !overtaken.includes(held));
    for (const notification of overtaken) this.#schedule(notification, at);
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.#closing.abort();
  }

  #existing(id: string): Notification {
    const notification = this.#notifications.get(id);
    if (!notification) throw new ControlError(404, `No notification ${id}`);
    return notification;
  }

  #headers(body: string): Readonly<Record<string, string>> {
    return {
      'X-Forwarded-For': this.dependencies.senderAddress,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    };
  }

  #sendFirst(notification: Notification, order: NotificationFaultOrder | undefined): void {
    const { eventAt } = notification;
    switch (order?.fault) {
      case undefined:
        return this.#schedule(notification, eventAt);
      case 'drop':
        notification.done = true;
        return this.#keptBack(notification);
      case 'delay':
        return this.#schedule(notification, new Date(eventAt.getTime() + (order?.ms ?? 0)));
      case 'duplicate':
        return this.#schedule(notification, eventAt, order?.copies ?? 1);
      case 'reorder':
        this.#heldBack.push(notification);
        return this.#keptBack(notification);
    }
  }

  /** By its fault. */
  #keptBack({ id, event, objectId, subscriber, eventAt, fault }: Notification): void {
    this.dependencies.journal.delivered({
      at: eventAt.toISOString(),
      notificationId: id,
      event,
      objectId,
      url: subscriber.url(),
      status: null,
      error: null,
      fault,
    });
  }

  #schedule(notification: Notification, due: Date, extraCopies = 0): void {
    notification.nextDueAt = due;
    this.dependencies.clock.at(due, async (at) => {
      if (notification.done) return;
      notification.nextDueAt = null;
      const copies = Array.from({ length: 1 + extraCopies }, () => this.#attempt(notification, at));
      await Promise.all(copies);
      this.releaseHeldBack(at, notification.sequence);
      if (!notification.done) this.#scheduleRepeat(notification, at);
    });
  }

  #scheduleRepeat(notification: Notification, previousAt: Date): void {
    const next = nextAttempt(notification.eventAt, previousAt);
    if (next) this.#schedule(notification, next);
    else notification.done = true;
  }

  async #attempt(notification: Notification, at: Date): Promise<void> {
    const { id, event, objectId, fault, attempts } = notification;
    const begun = performance.now();
    const { url, status, error } = await this.#post(notification);
    const tookMs = Math.round(performance.now() - begun);
    attempts.push({ at: at.toISOString(), status, error, url, tookMs });
    if (status === 200) {
      notification.done = true;
      notification.nextDueAt = null;
    }
    this.dependencies.journal.delivered({
      at: at.toISOString(),
      notificationId: id,
      event,
      objectId,
      url,
      status,
      error,
      fault: attempts.length === 1 ? fault : null,
    });
  }

  async #post({ subscriber, body }: Notification): Promise<Sent> {
    const url = subscriber.url();
    const error = url === null ? 'the subscription has ended' : this.dependencies.unreachable(url);
    if (url === null || error !== null) return { url, status: null, error };
    try {
      const status = await postJson(url, body, this.#headers(body), this.#closing.signal);
      return { url, status, error: null };
    } catch (failure) {
      return { url, status: null, error: reasonOf(failure) };
    }
  }
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  // Each of several addresses has failed in its own way.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join(', ');
  // The cause of an abort says whether it was the timeout.
  if ('cause' in error && error.cause !== undefined) return reasonOf(error.cause);
  return 'message' in error ? String(error.message) : 'the connection failed';
}
