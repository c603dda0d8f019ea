import type { PaymentsEventEntity } from '../schema/event.entity.js';
import type { PaymentsNotificationEntity } from '../schema/notification.entity.js';

/** One line of a payment's history. */
export interface TimelineEntry {
  /** `payment.pending`, `payment.succeeded`, … for our events; `notification payment.succeeded` for a notification. */
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  /** The cause of the look: `create`, `notification`, `sweep`, `refresh`, …; `service` for a notification itself. */
  readonly cause: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** Business time. */
  readonly at: Date;
}

/** What a timeline shows of an event. */
type TimelineEvent = Pick<
  PaymentsEventEntity,
  'name' | 'fromStatus' | 'toStatus' | 'cause' | 'evidence' | 'createdAt'
>;

/** Events and notifications in the order of their time. */
export function timelineOf(
  events: readonly TimelineEvent[],
  notifications: readonly PaymentsNotificationEntity[],
): TimelineEntry[] {
  return [
    ...events.map(({ name, fromStatus, toStatus, cause, evidence, createdAt }) => ({
      name,
      from: fromStatus,
      to: toStatus,
      cause,
      evidence,
      at: createdAt,
    })),
    ...notifications.map(({ event, senderAddress, count, firstAt }) => ({
      name: `notification ${event}`,
      from: null,
      to: null,
      cause: 'service',
      evidence: { senderAddress, count },
      at: firstAt,
    })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
