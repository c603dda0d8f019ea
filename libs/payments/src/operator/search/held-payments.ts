import { useIndexOrder } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { placeOf, type Place } from '../place.js';
import { pageOf, type PaymentPage } from './payment-search.js';

/** Before all holds whose end is known. A hold may end at any moment if the service did not say when. */
const UNKNOWN_END = '1970-01-01T00:00:00Z';
const BEFORE_ALL: Place = [UNKNOWN_END, '00000000-0000-0000-0000-000000000000'];

/** Holds of one store, the next to end first: by an index that has nothing else. */
export function holdsPage(
  database: Database,
  storeId: string,
  cursor: string | undefined,
): Promise<PaymentPage> {
  const payments = database.table(PaymentsPaymentEntity);
  const held = `SELECT id, COALESCE(hold_expires_at, '${UNKNOWN_END}') AS at FROM ${payments}
      WHERE status = 'waiting_for_capture'`;
  return pageOf(
    database,
    `SELECT * FROM (
         (${held} AND store_id = $1::uuid AND hold_expires_at IS NULL AND ('${UNKNOWN_END}'::timestamptz, id) > ($2::timestamptz, $3::uuid)
           ORDER BY store_id, hold_expires_at, id LIMIT 51)
         UNION ALL
         (${held} AND (store_id, hold_expires_at, id) > ($1::uuid, $2::timestamptz, $3::uuid)
           AND (store_id, hold_expires_at) <= ($1::uuid, 'infinity'::timestamptz)
           ORDER BY store_id, hold_expires_at, id LIMIT 51)
       ) held ORDER BY at, id`,
    [storeId, ...(placeOf(cursor) ?? BEFORE_ALL)],
    useIndexOrder,
  );
}
