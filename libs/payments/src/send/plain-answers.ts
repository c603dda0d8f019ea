import { Inject, Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { plainChange, type PlainChange } from '../apply/plain-change.js';
import { Database, TERMS } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { sumOf } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { isAsked } from '../payment/due.js';
import { LEDGER_COLUMNS, ledgerRow, ledgerWrites, lockedOrders } from '../payment/status-writer-of-many.js';
import { DueEntity } from '../schema/due.entity.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { OperationEntity } from '../schema/operation.entity.js';
import type { OrderEntity } from '../schema/order.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Grouped } from '../work/grouped.js';
import type { WorkKind } from '../work/work-signal.js';

/** Answers of one statement. */
const MOST = 64;

interface AnswerWrite {
  readonly claim: SendClaim;
  readonly order: Pick<OrderEntity, 'id' | 'version'>;
  readonly change: PlainChange;
}

/** The result of one. */
interface Written {
  readonly payment: Payment;
  readonly wakes: readonly WorkKind[];
}

interface Row {
  readonly id: string;
  readonly updatedAt: Date;
  /** A re-read was requested meanwhile: it may be claimed at once. */
  readonly isReady: boolean;
  /** There are deliveries, of at least one of the group. */
  readonly isAnnounced: boolean;
}

/**
 * Writes the answers to creates, captures and cancels that nothing came between, many at once in one statement: their results for
 * the payment and its order, the operation's end and the payment's next look. As with a re-read, each succeeds only while the
 * attempt is the newest and the order has the version that it was recorded with; otherwise it is settled under the locks.
 */
@Injectable()
export class PlainAnswers {
  readonly #group = new Grouped<AnswerWrite, Row | null>((writes) => this.#writeGroup(writes), MOST);

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Null if it has to be settled under the locks. */
  async write(claim: SendClaim, object: ServicePayment): Promise<Written | null> {
    const { operation, payment, sole, attempts } = claim;
    if (sole === undefined) return null;
    const { order, store } = sole;
    const known = {
      payment,
      order,
      accountId: store.accountId,
      isTest: this.stores.isTest(store),
      checks: 0,
      notified: 0,
      askedMinor: operation.kind === 'capture' ? sumOf(operation.body) : null,
    };
    const change = plainChange(known, object, {
      now: new Date(
        operation.recordedAt.getTime() + Date.now() - (claim.leaseEndsAtMs - this.options.leaseMs),
      ),
      leadTimeMs: this.options.holdLeadTimeMs,
      receiptLateMs: this.options.receiptLateMs,
      profile: this.options.profile,
      cause: operation.kind,
      evidence: { attempt: attempts },
    });
    if (!change?.moved) return null;
    try {
      const row = await this.#group.add({ claim, order, change });
      if (row === null) return null;
      const { updatedAt, isReady, isAnnounced } = row;
      const now = Object.assign(payment, change.fields, { status: change.moved.to, updatedAt });
      const wakes = [
        ...(isReady ? (['payments'] as const) : []),
        ...(isAnnounced ? (['deliveries'] as const) : []),
      ];
      return { payment: paymentView(now, order), wakes };
    } catch (error) {
      // A row that the database refuses must not fail the others of its group.
      if (error instanceof QueryFailedError) return null;
      throw error;
    }
  }

  async #writeGroup(writes: readonly AnswerWrite[]): Promise<(Row | null)[]> {
    const { rows } = await this.database.statement<Row>(this.#sql, [JSON.stringify(writes.map(rowOf))]);
    const written = new Map(rows.map((row) => [row.id, row]));
    return writes.map(({ claim }) => written.get(claim.payment.id) ?? null);
  }

  get #sql(): string {
    const { database } = this;
    const { now } = database;
    const operations = database.table(OperationEntity);
    const due = database.table(DueEntity);
    return `WITH ${TERMS}, given AS MATERIALIZED (
        SELECT given.* FROM jsonb_to_recordset($1::jsonb) AS given (
          ${LEDGER_COLUMNS}, operation_id uuid, attempts int, ready_at timestamptz, checks int
        ), terms
      ), ${lockedOrders(database)}, sent AS MATERIALIZED (
        SELECT operation.id FROM ${operations} operation
        JOIN given ON given.operation_id = operation.id AND given.attempts = operation.attempts
        WHERE operation.outcome = 'unknown' AND operation.id = ANY(ARRAY(
          SELECT operation_id FROM given WHERE order_id IN (SELECT id FROM locked)))
        ORDER BY operation.id FOR NO KEY UPDATE OF operation
      ), mine AS MATERIALIZED (
        SELECT given.* FROM given WHERE operation_id IN (SELECT id FROM sent)
      ), ${ledgerWrites(database)}, settled AS (
        UPDATE ${operations} operation SET outcome = 'confirmed', lease_until = NULL, last_error = NULL, settled_at = ${now}
        WHERE operation.id = ANY(ARRAY(SELECT operation_id FROM mine))
      ), queue AS MATERIALIZED (
        SELECT due.payment_id, mine.checks, CASE
            -- What was asked for is not answered by this.
            WHEN ${isAsked(database)} OR (mine.ready_at IS NULL AND refund_signals > 0) THEN due.ready_at
            WHEN EXISTS (
              SELECT FROM ${database.table(NotificationEntity)} notified
              WHERE notified.store_id = mine.store_id AND notified.object_id = mine.service_id AND notified.step = 'look_up') THEN ${now}
            ELSE mine.ready_at
          END AS next_at
        FROM ${due} due JOIN mine ON mine.payment_id = due.payment_id
        WHERE due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine))
          AND ${isOver('due.lease_until')}
        ORDER BY due.payment_id FOR NO KEY UPDATE OF due
      ), over AS (
        DELETE FROM ${due} due USING queue
        WHERE due.payment_id = queue.payment_id AND next_at IS NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM queue))
      ), queued AS (
        UPDATE ${due} due SET checks = queue.checks, failing = false, rest_until = NULL, ready_at = next_at
        FROM queue WHERE due.payment_id = queue.payment_id AND next_at IS NOT NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM queue))
      )
      SELECT id, updated_at AS "updatedAt", EXISTS (SELECT FROM announced) AS "isAnnounced",
        EXISTS (SELECT FROM queue WHERE payment_id = changed.id AND next_at <= ${database.inBusinessTime('clock_timestamp()')}) AS "isReady"
      FROM changed`;
  }
}

function rowOf({ claim, order, change }: AnswerWrite): object {
  const { payment, operation, attempts } = claim;
  const { moved, fields, next } = change;
  return {
    ...ledgerRow({ payment, order, fields, moved }),
    operation_id: operation.id,
    attempts,
    ready_at: next.at,
    checks: next.checks,
  };
}
