import type { EntityManager } from 'typeorm';
import type { ServiceRefund } from '../../api/service-refund.js';
import type { Cause } from '../../common/cause.js';
import { canRefundMove, type RefundStatus } from '../../common/refund-status.js';
import type { Database } from '../../database/database.js';
import { JsonColumns } from '../../database/json-columns.js';
import { PaymentsEventEntity } from '../../schema/event.entity.js';
import {
  refundFields,
  refundIntentFields,
  withFields,
  type RefundFields,
} from '../../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { foreignRefundIdOf, refundIdOf } from '../intent-key.js';
import type { Ledger } from '../ledger.js';
import type { LockedPayment } from '../locks.js';
import { orderEvents, totalsAfter } from '../order-totals.js';
import { followedUp } from '../record-event.js';
import type { Decided } from '../status-change.js';
import { refundSums } from './decide-refund.js';

/**
 * The one writer of refund status. Status, event, deliveries, the payment's sums and the order's totals are written
 * in the caller's transaction and under the payment's lock, so that they change together or not at all.
 */

/** Fields that may be set besides the status; what is null or left out stays as it is. */
type NewFields = Partial<Omit<RefundFields, 'status'>>;

const ofRecord = new JsonColumns(PaymentsRefundEntity, [...refundIntentFields, ...refundFields]);
const ofChange = new JsonColumns(PaymentsRefundEntity, refundFields);
const nothingYet = { serviceId: null, cancellation: null, receiptStatus: null, object: null } as const;

type NewRefund = Pick<
  PaymentsRefundEntity,
  'status' | 'amountMinor' | 'whole' | 'description' | 'receiptDigest' | 'metadata'
> &
  NewFields &
  (
    | { readonly refundKey: string }
    /** Made elsewhere. */
    | { readonly refundKey: null; readonly serviceId: string }
  );

type Row = Readonly<Record<string, unknown>>;

/** Records a refund: ours in `submitting`, before anything is sent, or one made outside with the status it has. */
export async function openRefund(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
  refund: NewRefund,
  { cause, evidence }: Decided,
  createdAt: Date | null = null,
): Promise<PaymentsRefundEntity> {
  const { id: paymentId, storeId, currency } = payment;
  const id =
    refund.refundKey === null
      ? foreignRefundIdOf(payment, refund.serviceId)
      : refundIdOf(payment, refund.refundKey);
  const { refundKey, amountMinor } = refund;
  const sql = written(
    database,
    `INSERT INTO ${database.table(PaymentsRefundEntity)} (${ofRecord.names(database)}, created_at, updated_at)
     SELECT ${ofRecord.names(database, 'made')}, COALESCE($4, ${database.now}), ${database.now}
     FROM jsonb_to_record($3::jsonb) AS made (${ofRecord.definition(database)})
     RETURNING *, NULL AS from_status`,
  );
  const made = { ...nothingYet, ...refund, id, storeId, paymentId, currency };
  const [row] = await manager.query<Row[]>(sql, [
    cause,
    JSON.stringify({ refundId: id, refundKey, amountMinor, ...evidence }),
    JSON.stringify(ofRecord.row(database, made)),
    createdAt,
  ]);
  if (!row) throw new Error('PostgreSQL did not record the refund.');
  return database.hydrate(PaymentsRefundEntity, 'refund', row);
}

/** Takes over the sum that the service has given back in place of the requested one, which its operation's body keeps. */
export async function acceptSum(
  manager: EntityManager,
  database: Database,
  { id }: Pick<PaymentsRefundEntity, 'id'>,
  amountMinor: number,
): Promise<void> {
  await manager.update(PaymentsRefundEntity, id, { amountMinor, updatedAt: () => database.now });
}

/**
 * Moves a refund of a locked payment to another status.
 * @throws Error if the table does not allow it: a fault of the caller, never of the service
 */
export async function moveRefund(
  manager: EntityManager,
  database: Database,
  refund: PaymentsRefundEntity,
  to: RefundStatus,
  fields: NewFields,
  { cause, evidence }: Decided,
): Promise<void> {
  const { id, status, refundKey, amountMinor } = refund;
  if (!canRefundMove(status, to)) throw new Error(`A refund never moves from ${status} to ${to}.`);
  const changed: RefundFields = {
    status: to,
    serviceId: fields.serviceId ?? refund.serviceId,
    cancellation: fields.cancellation ?? refund.cancellation,
    receiptStatus: fields.receiptStatus ?? refund.receiptStatus,
    object: fields.object ?? refund.object,
  };
  const sql = written(
    database,
    `UPDATE ${database.table(PaymentsRefundEntity)} known SET ${ofChange.assignments(database, 'made')}, updated_at = ${database.now}
     FROM jsonb_to_record($3::jsonb) AS made (${ofChange.definition(database)})
     WHERE known.id = $4
     RETURNING known.*, $5::text AS from_status`,
  );
  const [row] = await manager.query<Row[]>(sql, [
    cause,
    JSON.stringify({ refundId: id, refundKey, amountMinor, ...evidence }),
    JSON.stringify(ofChange.row(database, changed)),
    id,
    status,
  ]);
  if (!row) throw new Error(`There is no refund ${id}.`);
  Object.assign(refund, database.hydrate(PaymentsRefundEntity, 'refund', row));
}

/** SQL of a refund's change with its event and deliveries: `change` returns its row, and the status it had; $1 cause, $2 evidence. */
function written(database: Database, change: string): string {
  return `WITH refund AS (
       ${change}
     ), event AS (
       INSERT INTO ${database.table(PaymentsEventEntity)}
         (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
       SELECT store_id, 'refund', id, payment_id, 'refund.' || status, from_status, status, $1, $2::jsonb, ${database.now} FROM refund
       RETURNING *
     ), ${followedUp(database)}
     SELECT ${database.columns(PaymentsRefundEntity, 'refund')} FROM refund`;
}

/** The fields that a refund takes over from the service's object. */
export function fieldsOf({ id, cancellation, receiptStatus, kept }: ServiceRefund): NewFields {
  return { serviceId: id, cancellation, ...(receiptStatus !== null && { receiptStatus }), object: kept };
}

/** Derives the payment's sums from its refunds, and the order's totals from those. */
export async function updateRefundSums(
  manager: EntityManager,
  ledger: Ledger,
  { order, payment }: LockedPayment,
  refunds: readonly PaymentsRefundEntity[],
  cause: Cause,
): Promise<void> {
  const after = withRefundSums(payment, refunds);
  if (after.refundedMinor === payment.refundedMinor)
    return void (await ledger.write(manager, { payment, order, after, totals: null, events: [] }));
  const totals = totalsAfter(order, payment, after);
  const events = orderEvents(order, totals, { paymentId: payment.id, cause, supersededPaid: false });
  await ledger.write(manager, { payment, order, after, totals, events });
}

/** If a refund made outside took money that a refund in flight had reserved, only what is left can still be promised. */
export function withRefundSums(
  payment: PaymentsPaymentEntity,
  refunds: readonly Pick<PaymentsRefundEntity, 'status' | 'amountMinor'>[],
): PaymentsPaymentEntity {
  const { refundedMinor, inFlightMinor } = refundSums(refunds);
  const { capturedMinor } = payment;
  const refundReservedMinor = Math.min(inFlightMinor, capturedMinor - refundedMinor);
  return withFields(payment, { refundedMinor, refundReservedMinor });
}
