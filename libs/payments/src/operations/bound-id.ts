import type { Database, Reader } from '../database/database.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentEventName } from '../views/events.js';

/** Each names the service's id in its evidence; of one payment there is no second one of a name, whoever adds rows. */
const NAMING = [
  'payment.pending',
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
] as const satisfies readonly PaymentEventName[];

/**
 * Whether the service's id in a payment's row is the one that its events name, which nobody can change. `unsaid`: none does, as where retention
 * has removed them.
 */
export async function boundId(
  from: Reader,
  database: Database,
  { id, serviceId }: Pick<PaymentsPaymentEntity, 'id' | 'serviceId'>,
): Promise<'same' | 'another' | 'unsaid'> {
  const named = await from.query<{ serviceId: string | null }[]>(
    `SELECT evidence ->> 'serviceId' AS "serviceId" FROM ${database.table(PaymentsEventEntity)}
     WHERE subject_type = 'payment' AND subject_id = $1 AND name = ANY($2::text[]) AND to_status IS NOT NULL`,
    [id, NAMING],
  );
  const said = named.flatMap((event) => (event.serviceId === null ? [] : [event.serviceId]));
  if (said.length === 0) return 'unsaid';
  return said.every((one) => one === serviceId) ? 'same' : 'another';
}
