import { plusMs } from '../../common/clock.js';
import { formatAmount, type Amount } from '../../common/money.js';
import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import type { Span } from '../../reconcile/search-window.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { placeOf, placeSql } from '../place.js';

/** A prepayment of which something is left to settle. */
export interface UnsettledPrepayment {
  readonly store: string;
  readonly paymentId: string;
  readonly orderReference: string;
  /** When it was paid; where a settlement was taken back since, when that was. */
  readonly since: Date;
  /** What is left to settle. */
  readonly left: Amount;
  /** `fiscalization.unsettledAfterMs` has passed since then. */
  readonly isOverdue: boolean;
}

/** A page of them. */
export interface UnsettledPage {
  /** At most 100. */
  readonly items: readonly UnsettledPrepayment[];
  /** The `cursor` of the next page; null: there is none. */
  readonly nextCursor: string | null;
}

interface Row extends Omit<UnsettledPrepayment, 'store' | 'left'> {
  readonly leftMinor: string;
  readonly currency: Amount['currency'];
  readonly place: string;
}

/** Rows of one statement. */
const PAGE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Of one store, the oldest first. */
export async function unsettledPage(
  database: Database,
  options: ResolvedPaymentsOptions,
  storeId: string,
  cursor?: string,
): Promise<UnsettledPage> {
  const after = placeOf(cursor) ?? ['-infinity', BEFORE_ALL];
  const rows = await unsettledRows(database, options, storeId, after, 'infinity');
  return { items: rows.map((row) => viewOf(storeId, row)), nextCursor: nextOf(rows) };
}

/** Those that began in this time and are overdue. */
export async function overdueIn(
  database: Database,
  options: ResolvedPaymentsOptions,
  storeId: string,
  { from, to }: Span,
): Promise<UnsettledPrepayment[]> {
  const overdue: UnsettledPrepayment[] = [];
  // Before all that began in that very moment.
  let after: readonly [string, string] | null = [from.toISOString(), BEFORE_ALL];
  while (after !== null) {
    const rows: readonly Row[] = await unsettledRows(database, options, storeId, after, to.toISOString());
    for (const row of rows) if (row.isOverdue) overdue.push(viewOf(storeId, row));
    after = placeOf(nextOf(rows));
  }
  return overdue;
}

function unsettledRows(
  database: Database,
  options: ResolvedPaymentsOptions,
  storeId: string,
  [at, id]: readonly [string, string],
  before: string,
): Promise<Row[]> {
  const term = plusMs(database.now, -options.unsettledAfterMs);
  return database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Row[]>(
      `SELECT open.id AS "paymentId", shop_order.reference AS "orderReference", open.unsettled_since AS since,
           open.unsettled_minor AS "leftMinor", open.currency, open.unsettled_since <= ${term} AS "isOverdue",
           ${placeSql('open.unsettled_since', 'open.id')} AS place
         FROM (
           SELECT id, order_id, unsettled_since, unsettled_minor, currency FROM ${database.table(PaymentsPaymentEntity)}
           WHERE store_id = $1 AND (unsettled_since, id) > ($2::timestamptz, $3::uuid) AND unsettled_since < $4::timestamptz
           ORDER BY unsettled_since, id LIMIT ${PAGE}
         ) open
         CROSS JOIN LATERAL (SELECT reference FROM ${database.table(PaymentsOrderEntity)} WHERE id = open.order_id OFFSET 0) shop_order
         ORDER BY open.unsettled_since, open.id`,
      [storeId, at, id, before],
    );
  });
}

function viewOf(
  store: string,
  { paymentId, orderReference, since, leftMinor, currency, isOverdue }: Row,
): UnsettledPrepayment {
  const left = formatAmount(Number(leftMinor), currency);
  return { store, paymentId, orderReference, since, left, isOverdue };
}

/** Where the next page begins: after this one's last; null: this one was not full. */
function nextOf(rows: readonly Row[]): string | null {
  return rows.length < PAGE ? null : (rows.at(-1)?.place ?? null);
}
