import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { isOver } from '../../database/lease.js';
import { BEHIND } from '../../payment/delivery-sequence.js';
import { PaymentsDeliveryEntity } from '../../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../../schema/event.entity.js';
import { hasFailed } from '../failed-deliveries.js';

/** The run of one handler, or of an effect that a handler recorded, for one event. */
export interface PaymentDelivery {
  readonly eventId: string;
  readonly eventName: string;
  readonly handlerId: string;
  /** `waiting`: it was not run yet; `failing`: it has failed and is run again; `parked`: it was given up. */
  readonly state: 'waiting' | 'running' | 'failing' | 'parked' | 'done';
  /** Runs so far. */
  readonly attempts: number;
  readonly lastError: string | null;
  /** When it is run next; null: it is done, parked, being run, or behind an earlier one. */
  readonly nextAttemptAt: Date | null;
  readonly doneAt: Date | null;
  readonly parkedAt: Date | null;
}

/** In the order of the events. OFFSET 0 keeps each look with its row, whatever statistics say. */
export function deliveriesOf(database: Database, paymentId: string): Promise<PaymentDelivery[]> {
  const isRunning = `NOT ${isOver('delivery.lease_until')}`;
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<PaymentDelivery[]>(
      `SELECT event.id AS "eventId", event.name AS "eventName", delivery.handler_id AS "handlerId",
           CASE WHEN delivery.done_at IS NOT NULL THEN 'done' WHEN delivery.parked_at IS NOT NULL THEN 'parked'
             WHEN ${isRunning} THEN 'running' WHEN ${hasFailed('delivery')} THEN 'failing' ELSE 'waiting' END AS "state",
           delivery.attempts, delivery.last_error AS "lastError",
           CASE WHEN delivery.done_at IS NULL AND delivery.parked_at IS NULL AND ${isOver('delivery.lease_until')}
             AND delivery.next_attempt_at <> ${BEHIND} THEN delivery.next_attempt_at END AS "nextAttemptAt",
           delivery.done_at AS "doneAt", delivery.parked_at AS "parkedAt"
         FROM (SELECT id, name FROM ${database.table(PaymentsEventEntity)} WHERE payment_id = $1::uuid OFFSET 0) event
         CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentsDeliveryEntity)} WHERE event_id = event.id OFFSET 0) delivery
         ORDER BY event.id, delivery.handler_id`,
      [paymentId],
    );
  });
}
