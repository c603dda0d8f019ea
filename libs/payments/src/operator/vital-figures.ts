import { isRecord } from '../common/is-record.js';
import type { Database } from '../database/database.js';
import type { CommitMark } from '../rollback/commit-mark.js';
import { followed, PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import type { LabelsOf } from '../telemetry/instruments.js';
import { readBacklogWith, type Backlog } from './backlog.js';
import { conditionsOf, type ConditionName } from './conditions.js';

type ReceiptState = LabelsOf<'holdfast.receipts'>['state'];

/** What a monitor draws. */
export interface Figures {
  readonly backlog: Backlog;
  /** Those that hold. */
  readonly conditions: ReadonlySet<ConditionName>;
  /** How long until the first hold ends by itself, in ms; null: none has a known end. */
  readonly holdEndsInMs: number | null;
  /** Receipts that are not registered, each counted up to 1,000. */
  readonly receipts: Readonly<Record<ReceiptState, number>>;
}

/** A monitor that waits longer counts as failed itself. */
const DEADLINE_MS = 5_000;
const COUNTED = 1_000;

/** One reading of the database. */
export async function readFigures(
  database: Database,
  stores: StoreRegistry,
  mark: CommitMark,
): Promise<Figures> {
  const { holdEndsInMs, receipts, ...backlog } = await readBacklogWith(
    database,
    stores,
    mark,
    { holdEndsInMs: holdEndsIn(database, stores), receipts: receiptsSql(database, stores) },
    DEADLINE_MS,
  );
  return {
    backlog,
    conditions: new Set(conditionsOf(backlog).map(({ name }) => name)),
    holdEndsInMs: typeof holdEndsInMs === 'number' ? holdEndsInMs : null,
    receipts: {
      pending: numberOf(receipts, 'pending'),
      failed: numberOf(receipts, 'failed'),
      late: numberOf(receipts, 'late'),
      missing: numberOf(receipts, 'missing'),
    },
  };
}

function holdEndsIn(database: Database, stores: StoreRegistry): string {
  return `(SELECT (extract(epoch FROM min(ends_at) - ${database.now}) * 1000)::float8 FROM (SELECT * FROM ${managedStores(database, stores)}) lane
      CROSS JOIN LATERAL (
        SELECT hold_expires_at AS ends_at FROM ${database.table(PaymentsPaymentEntity)} held
        WHERE held.store_id = lane.id AND status = 'waiting_for_capture' AND hold_expires_at IS NOT NULL
        ORDER BY hold_expires_at LIMIT 1
      ) found)`;
}

/** Those that wait to be registered are in indexes of what is followed on; the others are problems. */
function receiptsSql(database: Database, stores: StoreRegistry): string {
  const open = (alias: string, condition: string) => `(SELECT LEAST(count(*), ${COUNTED}) FROM (
        SELECT FROM ${alias} WHERE ${condition} LIMIT ${COUNTED}
      ) counted)`;
  const payments = `(SELECT receipt_status FROM ${database.table(PaymentsPaymentEntity)} WHERE ${followed} LIMIT ${COUNTED}) its`;
  const refunds = `(SELECT receipt_status FROM ${database.table(PaymentsRefundEntity)}
        WHERE "status" IN ('submitting', 'pending') OR "receipt_status" = 'pending' LIMIT ${COUNTED}) its`;
  const own = `${database.table(PaymentsReceiptEntity)} its`;
  const isPending = `receipt_status = 'pending'`;
  const problems = `(SELECT found.status FROM (SELECT * FROM ${managedStores(database, stores)}) lane CROSS JOIN LATERAL (
        SELECT problem.status FROM ${database.table(PaymentsReceiptProblemEntity)} problem
        WHERE problem.store_id = lane.id AND is_open ORDER BY since LIMIT ${COUNTED}
      ) found LIMIT ${COUNTED})`;
  return `(SELECT json_build_object(
        'pending', LEAST(${COUNTED}, ${open(payments, isPending)} + ${open(refunds, isPending)} + ${open(own, `status IN ('submitting', 'pending')`)}),
        'failed', count(*) FILTER (WHERE status = 'canceled'), 'late', count(*) FILTER (WHERE status = 'pending'),
        'missing', count(*) FILTER (WHERE status = 'missing')) FROM ${problems} problems)`;
}

function managedStores(database: Database, stores: StoreRegistry): string {
  return `${database.table(PaymentsStoreEntity)} store WHERE ${stores.isManaged('store')}`;
}

function numberOf(counts: unknown, name: string): number {
  const value: unknown = isRecord(counts) ? counts[name] : undefined;
  return typeof value === 'number' ? value : 0;
}
