import type { NotificationFault } from '../faults/fault-order.js';
import type { EventName } from '../wire/events.js';
import type { Subscriber } from './subscribers.js';

/** One POST to the merchant. */
export interface NotificationAttempt {
  /** Sandbox time, ISO 8601 UTC. */
  readonly at: string;
  /** HTTP status of the answer; null if none came. */
  readonly status: number | null;
  /** Why no answer came. */
  readonly error: string | null;
  /** Where it was sent; null: nowhere, the subscription had ended. */
  readonly url: string | null;
  /** Real milliseconds until it was answered, or given up. */
  readonly tookMs: number;
}

/** One notification: what was sent, answered and is due. */
export interface NotificationReport {
  readonly id: string;
  readonly event: EventName;
  readonly objectId: string;
  /** The store it is about. */
  readonly accountId: string;
  /** The app's webhook it goes to; null: the shop's own address. */
  readonly webhookId: string | null;
  /** When the event happened, sandbox time. */
  readonly eventAt: string;
  readonly attempts: readonly NotificationAttempt[];
  /** Sandbox time; null if nothing is due: done, on its way, or held back by a fault. */
  readonly nextDueAt: string | null;
  /** Acknowledged with 200, given up, or dropped by a fault. */
  readonly done: boolean;
  /** The ordered fault that hits its first sending; null: none. */
  readonly fault: NotificationFault | null;
}

/** A notification with what goes over the wire. */
export interface NotificationDetails extends NotificationReport {
  /** Those of its own, without the ones of every request over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the same each time. */
  readonly body: string;
}

/** The sandbox's own record of a notification. */
export interface Notification {
  readonly id: string;
  /** 1 for the first notification of this sandbox. */
  readonly sequence: number;
  readonly event: EventName;
  readonly objectId: string;
  readonly accountId: string;
  readonly subscriber: Subscriber;
  readonly eventAt: Date;
  readonly body: string;
  readonly fault: NotificationFault | null;
  readonly attempts: NotificationAttempt[];
  nextDueAt: Date | null;
  done: boolean;
}

export function notificationReport(notification: Notification): NotificationReport {
  const { id, event, objectId, accountId, subscriber, eventAt, attempts, nextDueAt, done, fault } =
    notification;
  return {
    id,
    event,
    objectId,
    accountId,
    webhookId: subscriber.webhookId,
    eventAt: eventAt.toISOString(),
    attempts: [...attempts],
    nextDueAt: nextDueAt?.toISOString() ?? null,
    done,
    fault,
  };
}
