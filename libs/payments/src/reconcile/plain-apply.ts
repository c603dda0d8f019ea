import { Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import type { PlainChange } from '../apply/plain-change.js';
import { DATABASE_NOW } from '../common/clock.js';
import { Database, TERMS } from '../database/database.js';
import { answeredUpTo } from '../notifications/notification-steps.js';
import { LEDGER_COLUMNS, ledgerRow, ledgerWrites, lockedOrders } from '../payment/status-writer-of-many.js';
import { DueEntity } from '../schema/due.entity.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { Grouped } from '../work/grouped.js';
import type { Claim } from './claim.js';

/** Payments of one statement. */
const MOST = 64;

/** The result of one. */
interface Written {
  /** A re-read was requested meanwhile: it may be claimed at once. */
  readonly isReady: boolean;
}

interface PlainWrite {
  readonly claim: Claim;
  readonly change: PlainChange;
}

/**
 * Writes plain changes, many at once, in one statement: status, event, deliveries, order totals, the notifications that it
 * answers, and the payment's next place in the queue, all or nothing (G5). Nothing was locked while they were decided: each
 * succeeds only if its lease is still valid (G11), and a change of the payment only if its order has the version that it was read
 * with, which everyone increments who locks it. Whatever does not succeed is decided again, under the locks.
 */
@Injectable()
export class PlainApply {
  readonly #group = new Grouped<PlainWrite, Written | null>((writes) => this.#writeGroup(writes), MOST);

  constructor(private readonly database: Database) {}

  /** Null if it did not succeed. A row that the database refuses must not fail the others of its group. */
  async write(write: PlainWrite): Promise<Written | null> {
    try {
      return await this.#group.add(write);
    } catch (error) {
      if (error instanceof QueryFailedError) return null;
      throw error;
    }
  }

  async #writeGroup(writes: readonly PlainWrite[]): Promise<(Written | null)[]> {
    const { rows } = await this.database.statement<Written & { id: string }>(this.#sql, [
      JSON.stringify(writes.map(rowOf)),
    ]);
    const written = new Map(rows.map((row) => [row.id, row]));
    return writes.map(({ claim }) => written.get(claim.paymentId) ?? null);
  }

  /** Rows are locked in the order that everything keeps: orders, payments, the queue, notifications, and each kind in its own. */
  get #sql(): string {
    const { database } = this;
    const due = database.table(DueEntity);
    const notifications = database.table(NotificationEntity);
    const restEnd = database.inBusinessTime(`(${DATABASE_NOW} + rest_ms * interval '1 ms')`);
    return `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_recordset($1::jsonb) AS given (
          ${LEDGER_COLUMNS}, fence uuid, ready_at timestamptz, checks int, rest_ms int, seen jsonb
        ), terms
      ), ${lockedOrders(database)}, leased AS MATERIALIZED (
        SELECT due.payment_id, due.wanted_at FROM ${due} due JOIN given ON given.payment_id = due.payment_id AND given.fence = due.fence
        WHERE due.payment_id = ANY(ARRAY(
          SELECT payment_id FROM given WHERE NOT is_changed OR order_id IN (SELECT id FROM locked)))
        ORDER BY due.payment_id FOR NO KEY UPDATE OF due
      ), mine AS MATERIALIZED (
        SELECT given.*, CASE WHEN given.ready_at IS NOT NULL OR wanted_at IS NOT NULL
          THEN GREATEST(LEAST(given.ready_at, wanted_at), CASE WHEN rest_ms > 0 THEN ${restEnd} END) END AS next_at
        FROM given JOIN leased USING (payment_id)
      ), ${ledgerWrites(database)}, over AS (
        DELETE FROM ${due} due USING mine
        WHERE due.payment_id = mine.payment_id AND next_at IS NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE next_at IS NULL))
      ), queued AS (
        UPDATE ${due} due
        SET ready_at = next_at, checks = mine.checks, failing = false, lease_until = NULL, fence = NULL, wanted_at = NULL,
          rest_until = CASE WHEN rest_ms > 0 THEN ${DATABASE_NOW} + rest_ms * interval '1 ms' END
        FROM mine WHERE due.payment_id = mine.payment_id AND next_at IS NOT NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE next_at IS NOT NULL))
      ), heard AS MATERIALIZED (
        SELECT known.id, answered.count FROM ${notifications} known
        JOIN (SELECT seen.id, seen.count FROM mine CROSS JOIN LATERAL jsonb_to_recordset(mine.seen) AS seen (id uuid, count int)) answered
          ON answered.id = known.id
        WHERE known.id = ANY(ARRAY(SELECT (one.notified ->> 'id')::uuid FROM mine, jsonb_array_elements(mine.seen) AS one (notified)))
        ORDER BY known.store_id, known.object_id, known.event FOR NO KEY UPDATE OF known
      ), answered AS (
        UPDATE ${notifications} known SET ${answeredUpTo(database, 'heard.count')}
        FROM heard WHERE known.id = heard.id AND known.id = ANY(ARRAY(SELECT id FROM heard))
      )
      SELECT payment_id AS id, COALESCE(next_at <= ${database.now}, false) AS "isReady" FROM mine`;
  }
}

/** A write as the statement reads it. */
function rowOf({ claim, change }: PlainWrite): object {
  const { fence, payment, order, seen } = claim;
  const { moved, fields, next, restMs } = change;
  return {
    ...ledgerRow({ payment, order, fields, moved }),
    fence,
    ready_at: next.at,
    checks: next.checks,
    rest_ms: restMs,
    seen,
  };
}
