import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import type { Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity, type EventSubject } from '../schema/event.entity.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { PaymentsIncidentEntity, incidentNames } from '../schema/incident.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { RecordedEventName } from '../views/events.js';
import { BEHIND, entersBehind } from './delivery-sequence.js';

/** As SQL. */
const INCIDENTS = incidentNames.map((name) => `'${name}'`).join(', ');

/** The subject of an event. */
export interface EventAbout {
  readonly storeId: string;
  readonly subject: EventSubject;
  /** The payment it belongs to; null if there is no payment of ours. */
  readonly paymentId: string | null;
}

/** The content of an event. */
export interface NewEvent {
  readonly name: RecordedEventName;
  readonly from?: string | null;
  /** null or omitted: no change of status. */
  readonly to?: string | null;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
  /** The service's answer, if we keep no row of the object. */
  readonly object?: object;
}

export function aboutPayment({ id, storeId }: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>): EventAbout {
  return { storeId, subject: { type: 'payment', id }, paymentId: id };
}

/**
 * Records an event and its deliveries, one for every handler any process registered for its name, in the caller's transaction.
 * Recording a change of status a second time is the caller's fault and refused by the database, unless the caller keeps no status
 * of the subject and sets `once`: then the second time does nothing.
 */
export async function recordEvent(
  manager: EntityManager,
  database: Database,
  { storeId, subject, paymentId }: EventAbout,
  event: NewEvent,
  { once = false }: { once?: boolean } = {},
): Promise<void> {
  await manager.query(
    `WITH event AS (
       INSERT INTO ${database.table(PaymentsEventEntity)}
         (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, object, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${database.now})
       ${once ? 'ON CONFLICT (subject_type, subject_id, name) WHERE to_status IS NOT NULL DO NOTHING' : ''}
       RETURNING *
     ), ${followedUp(database)}
     SELECT FROM announced`,
    [
      storeId,
      subject.type,
      subject.id,
      paymentId,
      event.name,
      event.from ?? null,
      event.to ?? null,
      event.cause,
      JSON.stringify(event.evidence),
      event.object === undefined ? null : JSON.stringify(event.object),
    ],
  );
}

/** SQL of the CTEs that make what follows the events in the CTE `event`: their deliveries, which `announced` returns, and their incidents. */
export function followedUp(database: Pick<Database, 'table'>): string {
  return `entering AS MATERIALIZED (
       SELECT event.id AS event_id, handler.id AS handler_id, event.store_id, event.created_at,
         COALESCE(event.payment_id::text, event.subject_type || ' ' || event.subject_id) AS sequence
       FROM event JOIN ${database.table(PaymentsHandlerEntity)} handler ON handler.event = event.name
       WHERE handler.retired_at IS NULL
       -- One that is being retired is waited for, and looked at again.
       FOR KEY SHARE OF handler
     ), ${entersBehind(database)}, announced AS (
       INSERT INTO ${database.table(PaymentsDeliveryEntity)} (event_id, handler_id, store_id, sequence, next_attempt_at, next_event_id)
       SELECT event_id, handler_id, store_id, sequence, CASE WHEN waits THEN ${BEHIND} ELSE created_at END, next_event_id FROM entered
       RETURNING event_id
     ), incident AS (
       INSERT INTO ${database.table(PaymentsIncidentEntity)} (event_id, store_id, payment_id, name, reason, is_open, since)
       SELECT id, store_id, payment_id, name, evidence ->> 'reason', true, created_at
       FROM event WHERE name IN (${INCIDENTS}) AND evidence -> 'endsByItself' IS NULL
     )`;
}
