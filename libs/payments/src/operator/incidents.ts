import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { PaymentsIncidentEntity, type IncidentName } from '../schema/incident.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import { oldestOpen } from './across-stores.js';
import type { Note } from './notes.js';

/** Something that happened to a payment, and that a person has to look at. */
export interface Incident {
  /** For {@link PaymentsOperator.resolveIncident}. It is the id of the event, too. */
  readonly id: string;
  readonly store: string;
  readonly paymentId: string;
  readonly orderReference: string;
  /** The event: what the service says does not fit, more was paid than is due, or a hold ran out. */
  readonly name: IncidentName;
  /** Why, as the event says; null: the name says all. */
  readonly reason: string | null;
  readonly since: Date;
}

/** The oldest ones of all stores: by the index, whatever else there is. */
export function openIncidents(database: Database, stores: StoreRegistry, limit: number): Promise<Incident[]> {
  const oldest = oldestOpen(database, stores, database.table(PaymentsIncidentEntity));
  return readIncidents(database, stores, oldest, limit);
}

/** Those of one payment, the oldest first. OFFSET 0 keeps each look with its row, whatever statistics say. */
export function incidentsOf(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  limit: number,
): Promise<Incident[]> {
  return readIncidents(
    database,
    stores,
    `(SELECT * FROM ${database.table(PaymentsIncidentEntity)} WHERE payment_id = $2::uuid AND is_open OFFSET 0) open
       JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = open.store_id`,
    limit,
    [paymentId],
  );
}

function readIncidents(
  database: Database,
  stores: StoreRegistry,
  rowsFrom: string,
  limit: number,
  parameters: readonly string[] = [],
): Promise<Incident[]> {
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Incident[]>(
      `SELECT open.name, open.reason, open.since, open.event_id AS id, open.store_id AS "store", open.payment_id AS "paymentId",
           ours.reference AS "orderReference"
         FROM ${rowsFrom}
         JOIN ${database.table(PaymentsPaymentEntity)} payment ON payment.id = open.payment_id
         JOIN ${database.table(PaymentsOrderEntity)} ours ON ours.id = payment.order_id
         WHERE ${stores.isManaged('store')}
         ORDER BY open.since, open.event_id
         LIMIT $1::int`,
      [limit, ...parameters],
    );
  });
}

/** False if it is not open any more: of two who resolve it, one does. */
export function resolveIncident(database: Database, id: string, { by, note }: Note): Promise<boolean> {
  return database.transaction(async (manager) => {
    const at = (await database.businessTime(manager)).toISOString();
    const [[resolved]] = await manager.query<
      [{ storeId: string; paymentId: string; name: string; reason: string | null }[], number]
    >(
      `UPDATE ${database.table(PaymentsIncidentEntity)} SET is_open = false, resolution = $2::jsonb
         WHERE event_id = $1 AND is_open
         RETURNING store_id AS "storeId", payment_id AS "paymentId", name, reason`,
      [id, JSON.stringify({ by, note, at })],
    );
    if (!resolved) return false;
    const { storeId, paymentId, name, reason } = resolved;
    await recordEvent(manager, database, aboutPayment({ id: paymentId, storeId }), {
      name: 'incident.resolved',
      cause: 'operator',
      evidence: { incident: name, eventId: id, reason, by, note },
    });
    return true;
  });
}
