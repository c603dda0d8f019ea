import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { fiscalizationOf, type Fiscalization } from '../../receipts/fiscalization.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { oldestOpen } from '../across-stores.js';

/** A receipt that needs a person: its registration failed, or takes too long. */
export interface ReceiptProblem {
  readonly id: string;
  readonly store: string;
  readonly paymentId: string;
  /** The refund whose receipt it is; null: the payment's own. */
  readonly refundId: string | null;
  /** Of a receipt that was sent by itself; null: it went with the money. */
  readonly receiptKey: string | null;
  /**
   * `late`: still being registered, and followed on; `missing`: money was moved elsewhere, and nobody has said what is on its
   * receipt.
   */
  readonly kind: 'failed' | 'late' | 'missing';
  readonly since: Date;
  /**
   * What helps. One that was sent by itself and failed can be sent again, and one that is missing be sent by
   * `payments.receipts.create`. Otherwise by who runs the register (`fiscalization.register`, or as the service says of the store): the service's support, or making
   * the receipt by hand in the register; null: not known.
   */
  readonly remedy: 'send_again' | 'send_it' | 'ask_service_support' | 'make_by_hand' | null;
}

type Row = Omit<ReceiptProblem, 'remedy'> &
  Pick<PaymentsStoreEntity, 'fiscalizationEnabled' | 'fiscalizationProvider'>;

const remedies = { service: 'ask_service_support', third_party: 'make_by_hand' } as const;

/** The oldest ones of all stores: by the index, whatever else there is. */
export function receiptProblems(
  database: Database,
  stores: StoreRegistry,
  options: ResolvedPaymentsOptions,
  limit: number,
): Promise<ReceiptProblem[]> {
  const oldest = oldestOpen(database, stores, database.table(PaymentsReceiptProblemEntity));
  return readProblems(database, options, oldest, limit);
}

/** Those of one order, the oldest first. OFFSET 0 keeps each look with its row, whatever statistics say. */
export function receiptProblemsOfOrder(
  database: Database,
  options: ResolvedPaymentsOptions,
  storeId: string,
  reference: string,
  limit: number,
): Promise<ReceiptProblem[]> {
  return readProblems(
    database,
    options,
    `${database.table(PaymentsOrderEntity)} ours
       JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = ours.store_id
       CROSS JOIN LATERAL (SELECT id FROM ${database.table(PaymentsPaymentEntity)} WHERE order_id = ours.id OFFSET 0) payment
       CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentsReceiptProblemEntity)} WHERE payment_id = payment.id AND is_open OFFSET 0) open
       WHERE ours.store_id = $2 AND ours.reference = $3`,
    limit,
    [storeId, reference],
  );
}

/** Those of one payment, the oldest first. */
export function receiptProblemsOf(
  database: Database,
  options: ResolvedPaymentsOptions,
  paymentId: string,
  limit: number,
): Promise<ReceiptProblem[]> {
  return readProblems(
    database,
    options,
    `(SELECT * FROM ${database.table(PaymentsReceiptProblemEntity)} WHERE payment_id = $2::uuid AND is_open OFFSET 0) open
       JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = open.store_id`,
    limit,
    [paymentId],
  );
}

async function readProblems(
  database: Database,
  options: ResolvedPaymentsOptions,
  rowsFrom: string,
  limit: number,
  parameters: readonly string[] = [],
): Promise<ReceiptProblem[]> {
  const rows = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Row[]>(
      `SELECT open.id, open.store_id AS "store", open.payment_id AS "paymentId", open.refund_id AS "refundId",
           (SELECT receipt_key FROM ${database.table(PaymentsReceiptEntity)} own WHERE own.id = open.receipt_id) AS "receiptKey",
           CASE open.status WHEN 'canceled' THEN 'failed' WHEN 'missing' THEN 'missing' ELSE 'late' END AS "kind", open.since,
           store.fiscalization_enabled AS "fiscalizationEnabled", store.fiscalization_provider AS "fiscalizationProvider"
         FROM ${rowsFrom}
         ORDER BY open.since, open.id
         LIMIT $1::int`,
      [limit, ...parameters],
    );
  });
  return rows.map(({ fiscalizationEnabled, fiscalizationProvider, ...problem }) => {
    const says = { fiscalizationEnabled, fiscalizationProvider };
    return { ...problem, remedy: remedyOf(problem, fiscalizationOf(says, options.fiscalization)) };
  });
}

function remedyOf(
  { kind, receiptKey }: Omit<ReceiptProblem, 'remedy'>,
  fiscalization: Fiscalization | null,
): ReceiptProblem['remedy'] {
  if (kind === 'missing') return 'send_it';
  if (kind === 'failed' && receiptKey !== null) return 'send_again';
  return fiscalization && remedies[fiscalization.register];
}
