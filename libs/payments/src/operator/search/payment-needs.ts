import type { EntityManager } from 'typeorm';
import { plusMs } from '../../common/clock.js';
import { lists } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsDeliveryEntity } from '../../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../../schema/event.entity.js';
import { PaymentsIncidentEntity } from '../../schema/incident.entity.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { inOrder, PATIENCE_MS, type ConditionName } from '../conditions.js';
import { hasFailed } from '../failed-deliveries.js';

/** What a payment can need: one of the conditions. */
export type PaymentNeed = Extract<
  ConditionName,
  | 'holds_flagged'
  | 'incidents_open'
  | 'receipts_open'
  | 'deliveries_parked'
  | 'deliveries_failing'
  | 'operations_stuck'
>;

/** Finds what is wrong with single payments, in the words of {@link conditionsOf}. OFFSET 0 keeps each look with its payment. */
export async function needsOf(
  database: Database,
  manager: EntityManager,
  payments: readonly PaymentsPaymentEntity[],
): Promise<ReadonlyMap<string, readonly PaymentNeed[]>> {
  const rows = await manager.query<{ id: string; needs: PaymentNeed[] }[]>(
    `SELECT asked.id, array_remove(ARRAY[${needLooks(database).join(', ')}], NULL) AS needs FROM ${lists('$1::uuid[]')} AS asked (id)`,
    [payments.map(({ id }) => id)],
  );
  const flagged = new Set(payments.filter(isFlagged).map(({ id }) => id));
  return new Map(
    rows.map(({ id, needs }) => [
      id,
      inOrder<PaymentNeed>(flagged.has(id) ? [...needs, 'holds_flagged'] : needs),
    ]),
  );
}

function needLooks(database: Database): string[] {
  const deliveries = (
    condition: string,
  ) => `SELECT FROM (SELECT id FROM ${database.table(PaymentsEventEntity)} WHERE payment_id = asked.id OFFSET 0) event
      CROSS JOIN LATERAL (SELECT FROM ${database.table(PaymentsDeliveryEntity)} open
        WHERE open.event_id = event.id AND open.done_at IS NULL AND ${condition} OFFSET 0) failed`;
  // Flagged holds are seen in the payment's own row.
  const looks: Readonly<Record<Exclude<PaymentNeed, 'holds_flagged'>, string>> = {
    deliveries_parked: deliveries('open.parked_at IS NOT NULL'),
    deliveries_failing: deliveries(`open.parked_at IS NULL AND ${hasFailed('open')}`),
    incidents_open: `SELECT FROM (SELECT is_open FROM ${database.table(PaymentsIncidentEntity)} WHERE payment_id = asked.id OFFSET 0) incident
        WHERE incident.is_open`,
    receipts_open: `SELECT FROM (SELECT is_open FROM ${database.table(PaymentsReceiptProblemEntity)} WHERE payment_id = asked.id OFFSET 0) problem
        WHERE problem.is_open`,
    operations_stuck: `SELECT FROM (SELECT outcome, recorded_at FROM ${database.table(PaymentsOperationEntity)} WHERE payment_id = asked.id OFFSET 0) operation
        WHERE (operation.outcome IS NULL OR operation.outcome = 'unknown') AND operation.recorded_at < ${plusMs(database.now, -PATIENCE_MS)}`,
  };
  return Object.entries(looks).map(([name, look]) => `CASE WHEN EXISTS (${look}) THEN '${name}' END`);
}

/** As the backlog counts flagged holds. */
function isFlagged({ status, holdDueAt, holdTries }: PaymentsPaymentEntity): boolean {
  return status === 'waiting_for_capture' && holdDueAt === null && holdTries > 0;
}
