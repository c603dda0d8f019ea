import { Inject, Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { DATABASE_NOW } from '../clock.js';
import { Database, TERMS } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { DueEntity } from '../payment/due.entity.js';
import { LEDGER_COLUMNS, ledgerRow, ledgerWrites, lockedOrders } from '../payment/ledger-writes.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { paymentView, type Payment } from '../payment/payment.view.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { plainChange, type PlainChange } from '../reconcile/plain-change.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Grouped } from '../sweeps/grouped.js';
import type { SendClaim } from './operation-sender.js';
import { OperationEntity } from './operation.entity.js';

/** Answers of one statement. */
const MOST = 64;

interface AnswerWrite {
  readonly claim: SendClaim;
  readonly order: OrderEntity;
  readonly change: PlainChange;
}

/**
 * Writes the answers to creates that nothing came between, many at once in one statement: what they come to for the payment and
 * its order, the operation's end and the payment's next look. As with a re-read, it goes through only while the attempt is the
 * newest and the order has the version that it was recorded with; else it is settled under the locks.
 */
@Injectable()
export class PlainAnswers {
  readonly #group = new Grouped<AnswerWrite, Payment | null>((writes) => this.#writeGroup(writes), MOST);

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** The payment as it is now; null where it has to be settled under the locks. */
  async write(claim: SendClaim, object: ServicePayment): Promise<Payment | null> {
    const { payment, first, attempts } = claim;
    if (first === undefined) return null;
    const { order, store } = first;
    const known = {
      payment,
      order,
      accountId: store.accountId,
      isTest: this.stores.isTest(store),
      checks: 0,
      told: 0,
    };
    const change = plainChange(known, object, {
      now: new Date(payment.createdAt.getTime() + Date.now() - (claim.leaseEndsAtMs - this.options.leaseMs)),
      leadTimeMs: this.options.holdLeadTimeMs,
      cause: 'create',
      evidence: { attempt: attempts },
    });
    if (change?.moved === undefined || change.moved === null) return null;
    try {
      return await this.#group.add({ claim, order, change });
    } catch (error) {
      // One row that the database refuses is no reason for the others of its group to fail.
      if (error instanceof QueryFailedError) return null;
      throw error;
    }
  }

  async #writeGroup(writes: readonly AnswerWrite[]): Promise<(Payment | null)[]> {
    const { rows } = await this.database.statement<Readonly<Record<string, unknown>>>(this.#sql, [
      JSON.stringify(writes.map(rowOf)),
    ]);
    const views = new Map(
      rows.map((row) => {
        const payment = this.database.hydrate(PaymentEntity, 'payment', row);
        return [payment.id, paymentView(payment, this.database.hydrate(OrderEntity, 'place', row))];
      }),
    );
    return writes.map(({ claim }) => views.get(claim.payment.id) ?? null);
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
        SELECT due.payment_id, mine.ready_at AS next_at, mine.checks, due.ready_at <= ${now} OR EXISTS (
            SELECT FROM ${database.table(NotificationEntity)} told
            WHERE told.store_id = mine.store_id AND told.object_id = mine.service_id AND told.step = 'look_up') AS is_asked
        FROM ${due} due JOIN mine ON mine.payment_id = due.payment_id
        WHERE due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine))
          AND (due.lease_until IS NULL OR due.lease_until <= ${DATABASE_NOW})
        ORDER BY due.payment_id FOR NO KEY UPDATE OF due
      ), over AS (
        DELETE FROM ${due} due USING queue
        WHERE due.payment_id = queue.payment_id AND next_at IS NULL AND NOT is_asked
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM queue))
      ), queued AS (
        UPDATE ${due} due
        SET checks = queue.checks, failing = false, rest_until = NULL, ready_at = CASE WHEN is_asked THEN ${now} ELSE next_at END
        FROM queue WHERE due.payment_id = queue.payment_id AND (next_at IS NOT NULL OR is_asked)
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM queue))
      )
      SELECT ${database.columns(PaymentEntity, 'payment')}, ${database.columns(OrderEntity, 'place')}
      FROM changed payment JOIN totals place ON place.id = payment.order_id`;
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
