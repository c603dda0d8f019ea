import type { Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';

/** How long it takes, in ms of business time, until something of the module becomes due; null: nothing will. */
export async function nextDueMs(database: Database): Promise<number | null> {
  const { now } = database;
  const later = (
    entity: typeof PaymentsDeliveryEntity | typeof PaymentsDueEntity | typeof PaymentsNotificationEntity,
    at: string,
  ) => `SELECT min(${at}) AS at FROM ${database.table(entity)} WHERE ${at} > ${now} AND isfinite(${at})`;
  const rows = await database.read((from) =>
    from.query<{ ms: number | null }[]>(
      `SELECT ceil(extract(epoch FROM min(at) - ${now}) * 1000)::float8 AS ms FROM (
         ${later(PaymentsDueEntity, 'ready_at')}
         UNION ALL ${later(PaymentsDeliveryEntity, 'next_attempt_at')} AND done_at IS NULL AND parked_at IS NULL
         UNION ALL ${later(PaymentsNotificationEntity, 'ready_at')}
       ) due`,
    ),
  );
  return rows[0]?.ms ?? null;
}
