import type { ApiFault, NotificationFault } from '../faults/fault-order.js';
import type { EventName } from '../wire/events.js';
import type { Operation } from '../wire/operations.js';

/** A request of the REST API or to the token endpoint. What it contained and who sent it is not kept. */
export interface RequestReport {
  readonly kind: 'request';
  /** When it arrived: sandbox time, ISO 8601 UTC. */
  readonly at: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The endpoint's name in faults; null: it reached none, for its path or its credentials. */
  readonly operation: Operation | null;
  /** The store that it acted for; null: none is known. */
  readonly accountId: string | null;
  /** Its Idempotence-Key; null: it had none. */
  readonly requestKey: string | null;
  /** The payment that it made or named; null: none. */
  readonly paymentId: string | null;
  /** HTTP status of the answer; null: none was begun. */
  readonly status: number | null;
  /** `waiting`: it is not over yet. `cut`: the connection ended before the whole answer. */
  readonly end: 'waiting' | 'answered' | 'cut';
  /** The ordered fault that hit it. */
  readonly fault: ApiFault | null;
}

/** One POST to the merchant, or what a fault did in its place. */
export interface DeliveryReport {
  readonly kind: 'notification';
  /** Sandbox time, ISO 8601 UTC. */
  readonly at: string;
  readonly notificationId: string;
  readonly event: EventName;
  readonly objectId: string;
  /** null: the subscription had ended. */
  readonly url: string | null;
  /** HTTP status of the answer; null: none came, or nothing was sent. */
  readonly status: number | null;
  /** Why no answer came. */
  readonly error: string | null;
  /** The ordered fault that hit it; of its first sending alone. */
  readonly fault: NotificationFault | null;
}

/** What went over the wire, either way. */
export type Exchange = RequestReport | DeliveryReport;
