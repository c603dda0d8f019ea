import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../control/control-error.js';
import type { FaultOrders } from '../faults/fault-orders.js';
import { notificationReport, type Notification, type NotificationReport } from './notification.js';
import { postJson } from './post.js';
import { nextAttempt } from './redelivery.js';

interface Surroundings {
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
  /** What the receiver sees as the sender, in X-Forwarded-For. */
  readonly senderAddress: string;
}

/** Sends notifications to the shop (sections 2.13 and 6 of the service interface) until one is acknowledged. */
export class Notifier {
  readonly #notifications = new Map<string, Notification>();
  readonly #around: Surroundings;
  readonly #closing = new AbortController();
  #heldBack: Notification[] = [];
  #url: string | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Where notifications go from now on, repeats of earlier ones included; null: the shop has no subscription. */
  setUrl(url: string | null): void {
    if (url !== null && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
      throw new ControlError(400, `Not an http or https address: ${url}`);
    }
    this.#url = url;
  }

  list(): NotificationReport[] {
    return [...this.#notifications.values()].map(notificationReport);
  }

  /** Tells the shop of an event, where it subscribed; `object` is taken as it is at this moment. */
  announce(event: string, objectId: string, object: unknown, eventAt: Date): void {
    if (this.#url === null) return;
    const notification: Notification = {
      id: randomUUID(),
      sequence: this.#notifications.size + 1,
      event,
      objectId,
      eventAt,
      body: JSON.stringify({ type: 'notification', event, object }),
      attempts: [],
      scheduledAttempts: 0,
      nextDueAt: null,
      done: false,
    };
    this.#notifications.set(notification.id, notification);
    this.#sendFirst(notification);
  }

  /** Sends one now, acknowledged or not, and resolves when it is answered. Does not use up a repeat. */
  async redeliver(id: string): Promise<NotificationReport> {
    const notification = this.#notifications.get(id);
    if (!notification) throw new ControlError(404, `No notification ${id}`);
    await this.#attempt(notification, this.#around.clock.now());
    return notificationReport(notification);
  }

  /** Sends what a reorder fault holds back; given a sequence, only what that notification has overtaken. */
  releaseHeldBack(at: Date = this.#around.clock.now(), overtakenBy = Infinity): void {
    const overtaken = this.#heldBack.filter(({ sequence }) => sequence < overtakenBy);
    this.#heldBack = this.#heldBack.filter((held) => !overtaken.includes(held));
    for (const notification of overtaken) this.#schedule(notification, at);
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.#closing.abort();
  }

  #sendFirst(notification: Notification): void {
    const { eventAt } = notification;
    const order = this.#around.faults.takeForNotification();
    switch (order?.fault) {
      case undefined:
        return this.#schedule(notification, eventAt);
      case 'drop':
        notification.done = true;
        return undefined;
      case 'delay':
        return this.#schedule(notification, new Date(eventAt.getTime() + (order?.ms ?? 0)));
      case 'duplicate':
        return this.#schedule(notification, eventAt, order?.copies ?? 1);
      case 'reorder':
        this.#heldBack.push(notification);
        return undefined;
    }
  }

  #schedule(notification: Notification, due: Date, extraCopies = 0): void {
    notification.nextDueAt = due;
    this.#around.clock.at(due, async (at) => {
      if (notification.done) return;
      notification.nextDueAt = null;
      notification.scheduledAttempts += 1;
      const copies = Array.from({ length: 1 + extraCopies }, () => this.#attempt(notification, at));
      await Promise.all(copies);
      this.releaseHeldBack(at, notification.sequence);
      if (!notification.done) this.#scheduleRepeat(notification, at);
    });
  }

  #scheduleRepeat(notification: Notification, previousAt: Date): void {
    const next = nextAttempt(notification.eventAt, notification.scheduledAttempts, previousAt);
    if (next) this.#schedule(notification, next);
    else notification.done = true;
  }

  async #attempt(notification: Notification, at: Date): Promise<void> {
    const { status, error } = await this.#post(notification.body);
    notification.attempts.push({ at: at.toISOString(), status, error });
    if (status !== 200) return;
    notification.done = true;
    notification.nextDueAt = null;
  }

  async #post(body: string): Promise<{ status: number | null; error: string | null }> {
    if (this.#url === null) return { status: null, error: 'no notification address' };
    try {
      const headers = { 'X-Forwarded-For': this.#around.senderAddress };
      return { status: await postJson(this.#url, body, headers, this.#closing.signal), error: null };
    } catch (error) {
      return { status: null, error: reasonOf(error) };
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The cause of an abort says whether it was the timeout; several failed addresses leave the message empty.
  if (error.cause instanceof Error) return error.cause.message;
  return error.message || ('code' in error ? String(error.code) : error.name);
}
