import { plusMs } from '../common/clock.js';
import type { Database } from '../database/database.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../schema/receipt-problem.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { BATCH, BEFORE_ALL, nextPage } from './page.js';
import { isSettled } from './settled.js';

/**
 * One walk through a store's operations that say something of a person, the oldest first: that part is erased once the operation
 * is settled, so that it is never sent again, and no receipt of its payment or refunds is on its way or waits for a person. The rest of the request
 * stays: it is the books.
 */
export class OldContacts {
  #operation: string | null = BEFORE_ALL;

  constructor(
    private readonly database: Database,
    private readonly storeId: string,
    private readonly keptMs: number,
  ) {}

  /** Whether everything that is old was looked at. */
  get isDone(): boolean {
    return this.#operation === null;
  }

  /** Erases what is over among the next few operations, and returns of how many. */
  async erase(): Promise<number> {
    if (this.#operation === null) return 0;
    const sql = oldContacts(this.database, plusMs(this.database.now, -this.keptMs));
    const page = await nextPage<string>(this.database, sql, [this.storeId, this.#operation]);
    this.#operation = page.to;
    return page.changed;
  }
}

/**
 * `has_personal` in place of `personal`: the role that erases cannot read what it erases. The page is in the order of its own index:
 * by the id alone the planner reads past all operations that say nothing of a person.
 */
function oldContacts(database: Database, cutoff: string): string {
  const operations = database.table(PaymentsOperationEntity);
  const problems = database.table(PaymentsReceiptProblemEntity);
  return `WITH page AS MATERIALIZED (
      SELECT store_id, id, payment_id, recorded_at, settled_at FROM ${operations}
      WHERE (store_id, id) > ($1, $2) AND has_personal
      ORDER BY store_id, id LIMIT ${BATCH}
    ), old AS MATERIALIZED (
      SELECT id, payment_id, settled_at FROM page WHERE store_id = $1 AND recorded_at < ${cutoff}
    ), over AS MATERIALIZED (
      SELECT id FROM old
      WHERE settled_at < ${cutoff} AND EXISTS (
        SELECT 1 FROM ${database.table(PaymentsPaymentEntity)} payment
        WHERE payment.id = old.payment_id AND ${isSettled(database, cutoff)}
          AND payment.receipt_status IS DISTINCT FROM 'pending' OFFSET 0
      ) AND NOT EXISTS (
        SELECT 1 FROM ${database.table(PaymentsRefundEntity)} refund
        WHERE refund.payment_id = old.payment_id AND (refund.receipt_status = 'pending' OR refund.updated_at >= ${cutoff}) OFFSET 0
      ) AND NOT EXISTS (
        SELECT 1 FROM ${problems} problem
        WHERE problem.payment_id = old.payment_id AND problem.is_open OFFSET 0
      )
    ), erased AS (
      UPDATE ${operations} SET personal = NULL, has_personal = false
      WHERE id = ANY(ARRAY(SELECT id FROM over)) AND has_personal
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM old) AS seen, (SELECT count(*)::int FROM erased) AS changed,
      (SELECT id FROM old ORDER BY id DESC LIMIT 1) AS "to"`;
}
