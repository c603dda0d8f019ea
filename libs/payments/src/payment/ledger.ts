import { Injectable } from '@nestjs/common';
import { QueryFailedError, type EntityManager } from 'typeorm';
import { DATABASE_NOW } from '../common/clock.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database, termsWithin } from '../database/database.js';
import { JsonColumns } from '../database/json-columns.js';
import { isOver } from '../database/lease.js';
import { StatementTexts } from '../database/statement-texts.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { orderFields, paymentFields } from '../schema/ledger-fields.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { Grouped } from '../work/grouped.js';
import type { Change, Written } from './change.js';
import { isAsked, laneAfter, laneKept } from './due.js';
import { openWork } from './open-work.js';
import { followedUp } from './record-event.js';

/** Changes of one statement. */
const MOST = 64;
/** Nothing that is locked is waited for, but for a handler's row while it is retired. */
const LOCK_MS = 1_000;
/** What is open keeps its payment in the queue, whatever was decided: looked at after 10, 20, 40 s … an hour. */
const OPEN_FIRST_S = 10;
const OPEN_CAP_S = 3_600;

const ofPayment = new JsonColumns(PaymentsPaymentEntity, paymentFields);
const ofOrder = new JsonColumns(PaymentsOrderEntity, orderFields, 'order_');

/**
 * - `version`: many changes at once, of rows that nobody has locked. Each was decided on an earlier read, so it succeeds only while
 *   its order has the version that was read, its operation the attempt and its payment the lease. It waits for no lock.
 * - `held`: a change that was decided under the locks of its own transaction.
 */
type Guard = 'version' | 'held';
/** Most changes answer no notification: the steps for those, which would find nothing, are a tenth of the statement's time. */
type Variant = `${Guard}${'' | ', answering'}`;

interface Row extends Written {
  readonly place: number;
  readonly version: number | null;
}

/**
 * The one writer of the ledger: status, fields, events, deliveries, order totals, the end of an operation and the next place in
 * the queue are written by one statement, for many payments or for one, together or not at all (G5).
 */
@Injectable()
export class Ledger {
  readonly #logger = new PaymentsLog();
  /** Each is an answer in hand, about what was recorded before. */
  readonly #group = new Grouped<Change, Row | null>(
    (changes) => this.database.onceRecorded(() => this.#writeGroup(changes)),
    { most: MOST },
  );

  readonly #texts: StatementTexts<Variant>;

  constructor(private readonly database: Database) {
    this.#texts = new StatementTexts(database, (variant) => this.#sql(variant));
  }

  /** Null if something came in between, or holds its rows: then it is decided again, under the locks. */
  async offer(change: Change): Promise<Written | null> {
    try {
      const row = await this.#group.add(change);
      if (row) this.#warn(change);
      return row;
    } catch (error) {
      // A row that the database refuses must not fail the others of its group.
      if (error instanceof QueryFailedError) return null;
      throw error;
    }
  }

  /** Writes a change whose order is locked in this transaction; the order's version grows with it. */
  async write(manager: EntityManager, change: Change): Promise<Written> {
    const [row] = await manager.query<Row[]>(this.#text('held', [change]), [this.#parameter([change])]);
    if (!row) throw new Error(`Another worker has taken payment ${change.payment.id} over.`);
    Object.assign(change.order, change.totals, row.version !== null && { version: row.version });
    Object.assign(change.payment, change.after, row.updatedAt && { updatedAt: row.updatedAt });
    this.#warn(change);
    return row;
  }

  #warn({ events, order }: Change): void {
    for (const { alarm, notice, paymentId, storeId } of events) {
      const about = { paymentId, storeId, order: order.reference };
      if (alarm !== undefined) this.#logger.error(alarm, about);
      if (notice !== undefined) this.#logger.warn(notice, about);
    }
  }

  async #writeGroup(changes: readonly Change[]): Promise<(Row | null)[]> {
    const parameters = [this.#parameter(changes)];
    const { rows } = await this.database.statement<Row>(this.#text('version', changes), parameters, {
      waitMs: 0,
    });
    const written = new Map(rows.map((row) => [row.place, row]));
    return changes.map((_, place) => written.get(place) ?? null);
  }

  #text(guard: Guard, changes: readonly Change[]): string {
    return this.#texts.get(changes.some(isAnswering) ? `${guard}, answering` : guard);
  }

  #parameter(changes: readonly Change[]): string {
    return JSON.stringify(changes.map((change, place) => ({ place, ...this.#rowOf(change) })));
  }

  #rowOf({ payment, order, after, isDated, totals, events, operation, answered, fence, place }: Change) {
    const { database } = this;
    return {
      payment_id: payment.id,
      store_id: payment.storeId,
      order_id: order.id,
      version: order.version,
      is_changed: after !== null,
      is_dated: isDated,
      is_totaled: totals !== null,
      ...(after && ofPayment.row(database, after)),
      ...(totals && ofOrder.row(database, totals)),
      events: events.map(({ storeId, subject, paymentId, name, from, to, cause, evidence }, index) => ({
        place: index,
        store_id: storeId,
        subject_type: subject.type,
        subject_id: subject.id,
        payment_id: paymentId,
        name,
        from_status: from,
        to_status: to,
        cause,
        evidence,
      })),
      operation_id: operation?.id,
      attempts: operation?.attempts,
      answered: answered ?? [],
      fence,
      is_placed: place !== undefined,
      ...(place && {
        next_at: place.at,
        checks: place.checks,
        checks_before: place.checksBefore,
        lane: place.lane,
        rest_ms: place.restMs ?? 0,
        answered_signals: place.answeredSignals ?? 0,
      }),
    };
  }

  /**
   * Rows are locked in the order that everything keeps: orders, operations, the queue, notifications, each kind in an order of its
   * own: a lateral sub-query locks in the order of what it is joined to, and OFFSET 0 keeps the planner from changing either. A
   * look-up by `ANY(ARRAY(…))` uses the key, whatever the planner believes of the table's size, and comes after the look-ups that it
   * names.
   */
  #sql(variant: Variant): string {
    const { database } = this;
    const { now } = database;
    const orders = database.table(PaymentsOrderEntity);
    const payments = database.table(PaymentsPaymentEntity);
    const operations = database.table(PaymentsOperationEntity);
    const due = database.table(PaymentsDueEntity);
    const notifications = database.table(PaymentsNotificationEntity);
    const isHeld = variant === 'held' || variant === 'held, answering';
    const answers = variant.endsWith(', answering');
    const lock = isHeld ? 'FOR NO KEY UPDATE' : 'FOR NO KEY UPDATE SKIP LOCKED';
    const restEnd = `${DATABASE_NOW} + rest_ms * interval '1 ms'`;
    return `WITH ${isHeld ? 'terms AS (SELECT)' : termsWithin(LOCK_MS)}, given AS MATERIALIZED (
        SELECT given.*, is_changed OR is_totaled OR jsonb_array_length(events) > 0 AS is_ledgered FROM jsonb_to_recordset($1::jsonb) AS given (
          place int, payment_id uuid, store_id uuid, order_id uuid, version int, is_changed boolean, is_dated boolean, is_totaled boolean,
          ${ofPayment.definition(database)}, ${ofOrder.definition(database)}, events jsonb, operation_id uuid, attempts int,
          answered jsonb, fence uuid, is_placed boolean, next_at timestamptz, checks int, checks_before int, lane text,
          rest_ms int, answered_signals int
        ), terms
      ), locked AS MATERIALIZED (
        SELECT shop_order.* FROM (SELECT DISTINCT order_id FROM given WHERE is_ledgered ORDER BY order_id OFFSET 0) wanted
        CROSS JOIN LATERAL (SELECT id, version FROM ${orders} WHERE id = wanted.order_id ${lock}) shop_order
      ), current AS MATERIALIZED (
        SELECT * FROM given WHERE NOT is_ledgered OR (order_id, version) IN (SELECT id, version FROM locked)
      ), sent AS MATERIALIZED (
        SELECT place FROM (SELECT place, operation_id, attempts FROM current WHERE operation_id IS NOT NULL ORDER BY operation_id OFFSET 0) wanted
        CROSS JOIN LATERAL (SELECT attempts, outcome FROM ${operations} WHERE id = wanted.operation_id OFFSET 0 ${lock}) operation
        WHERE operation.attempts = wanted.attempts AND outcome = 'unknown'
      ), queued AS MATERIALIZED (
        SELECT place, due.* FROM (
          SELECT place, payment_id, fence FROM current WHERE is_placed AND (operation_id IS NULL OR place IN (SELECT place FROM sent))
          ORDER BY payment_id OFFSET 0
        ) wanted
        CROSS JOIN LATERAL (SELECT * FROM ${due} WHERE payment_id = wanted.payment_id ${lock}) due
        WHERE wanted.fence IS NULL OR wanted.fence = due.fence
      )${answers ? this.#heard(lock) : ''}, mine AS MATERIALIZED (
        ${
          isHeld
            ? `SELECT * FROM current
        WHERE (operation_id IS NULL OR place IN (SELECT place FROM sent)) AND (fence IS NULL OR place IN (SELECT place FROM queued))`
            : // An answer and a re-read of one payment may both be right, and only one of them may be written.
              `SELECT DISTINCT ON (order_id) * FROM current
        WHERE (operation_id IS NULL OR place IN (SELECT place FROM sent)) AND (NOT is_placed OR place IN (SELECT place FROM queued))
          ${answers ? 'AND jsonb_array_length(answered) = (SELECT count(*) FROM heard WHERE heard.place = current.place)' : ''}
        ORDER BY order_id, place`
        }
      ), changed AS (
        UPDATE ${payments} payment
        SET ${ofPayment.assignments(database, 'mine')}, updated_at = CASE WHEN is_dated THEN ${now} ELSE payment.updated_at END
        FROM mine WHERE payment.id = mine.payment_id AND is_changed
          AND payment.id = ANY(ARRAY(SELECT payment_id FROM mine WHERE is_changed))
        RETURNING mine.place, payment.updated_at
      ), totaled AS (
        UPDATE ${orders} shop_order
        SET ${ofOrder.assignments(database, 'mine')}, version = shop_order.version + 1, summed_version = shop_order.version + 1, updated_at = ${now}
        FROM mine WHERE shop_order.id = mine.order_id AND is_totaled
          AND shop_order.id = ANY(ARRAY(SELECT order_id FROM mine WHERE is_totaled))
        RETURNING mine.place, shop_order.version
      ), event AS (
        INSERT INTO ${database.table(PaymentsEventEntity)}
          (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
        SELECT told.store_id, subject_type, subject_id, told.payment_id, name, from_status, to_status, cause, evidence, ${now}
        FROM mine CROSS JOIN LATERAL jsonb_to_recordset(events) AS told (
          place int, store_id uuid, subject_type text, subject_id text, payment_id uuid, name text, from_status text, to_status text,
          cause text, evidence jsonb)
        ORDER BY mine.place, told.place
        RETURNING *
      ), ${followedUp(database)}, settled AS (
        UPDATE ${operations} operation SET outcome = 'confirmed', lease_until = NULL, last_error = NULL, settled_at = ${now}
        FROM mine WHERE operation.id = mine.operation_id AND operation.id = ANY(ARRAY(SELECT operation_id FROM mine))
      ), open AS MATERIALIZED (
        -- What this statement settles, it still sees as open.
        SELECT payment_id FROM (${openWork(database, 'ARRAY(SELECT payment_id FROM mine WHERE is_placed AND next_at IS NULL)')}) work
        WHERE NOT id = ANY(ARRAY(SELECT operation_id FROM mine WHERE operation_id IS NOT NULL))
      ), planned AS MATERIALIZED (
        SELECT mine.*, CASE WHEN next_at IS NULL
          AND (mine.payment_id IN (SELECT payment_id FROM open) OR refund_signals > answered_signals)
          THEN ${now} + LEAST(${OPEN_FIRST_S} * 2 ^ LEAST(mine.checks, 10), ${OPEN_CAP_S}) * interval '1 s' ELSE next_at END AS planned_at,
          queued.payment_id IS NULL AS is_new, queued.ready_at, queued.wanted_at, queued.checks AS checks_now, queued.lane AS lane_now,
          ${isAsked(database, 'queued')} AS is_asked, mine.fence IS NOT NULL OR ${isOver('queued.lease_until')} AS is_free,
          mine.fence IS NULL AND EXISTS (
            SELECT FROM ${notifications} notified
            WHERE notified.store_id = mine.store_id AND notified.object_id = mine.service_id AND notified.step = 'look_up' OFFSET 0) AS is_told
        FROM mine LEFT JOIN queued USING (place) WHERE is_placed
      ), placed AS MATERIALIZED (
        SELECT planned.*, CASE
            -- Its own worker's: earlier if something was requested since it began, and not before its rest is over.
            WHEN fence IS NOT NULL THEN CASE WHEN planned_at IS NOT NULL OR wanted_at IS NOT NULL
              THEN GREATEST(LEAST(planned_at, wanted_at), CASE WHEN rest_ms > 0 THEN ${database.inBusinessTime(`(${restEnd})`)} END) END
            -- What was requested is not answered by this.
            WHEN is_asked THEN ready_at
            WHEN is_told THEN ${now}
            ELSE planned_at
          END AS place_at, CASE
            WHEN lane = 'kept' THEN lane_now
            WHEN lane = 'failing' THEN CASE WHEN wanted_at IS NULL THEN lane ELSE 'notified' END
            WHEN fence IS NOT NULL THEN ${laneAfter(database, 'wanted_at')}
            WHEN is_told THEN 'notified'
            ELSE ${laneKept('is_asked', 'lane_now')}
          END AS next_lane
        FROM planned WHERE is_free
      ), told AS (
        -- Its worker may have begun before the payment's id was known, and has not seen them (G7).
        UPDATE ${due} due SET wanted_at = ${now}, lane = 'notified'
        WHERE due.payment_id = ANY(ARRAY(SELECT payment_id FROM planned WHERE NOT is_free AND is_told))
      ), moved AS (
        UPDATE ${due} due
        SET ready_at = place_at, checks = CASE WHEN checks_before <> checks_now THEN checks_now ELSE placed.checks END,
          lane = next_lane, refund_signals = refund_signals - answered_signals, lease_until = NULL, fence = NULL, wanted_at = NULL,
          rest_until = CASE WHEN rest_ms > 0 THEN ${restEnd} END
        FROM placed WHERE due.payment_id = placed.payment_id AND place_at IS NOT NULL
          AND due.payment_id = ANY(ARRAY(SELECT payment_id FROM placed WHERE place_at IS NOT NULL))
      ), over AS (
        DELETE FROM ${due} due
        WHERE due.payment_id = ANY(ARRAY(SELECT payment_id FROM placed WHERE place_at IS NULL))
      ), opened AS (
        INSERT INTO ${due} (payment_id, store_id, lane, ready_at, checks)
        SELECT payment_id, store_id, next_lane, place_at, checks FROM placed WHERE is_new AND place_at IS NOT NULL
        ON CONFLICT (payment_id) DO NOTHING
      )${answers ? this.#answered : ''}
      SELECT mine.place, changed.updated_at AS "updatedAt", totaled.version, EXISTS (SELECT FROM announced) AS "isAnnounced",
        COALESCE(place_at <= ${database.inBusinessTime('clock_timestamp()')}, false) AS "isReady"
      FROM mine LEFT JOIN changed USING (place) LEFT JOIN totaled USING (place) LEFT JOIN placed USING (place)`;
  }

  /** The notifications that the changes answer, locked; an earlier step of {@link #sql}. */
  #heard(lock: string): string {
    return `, notified AS MATERIALIZED (
        SELECT current.place, seen.id, seen.count FROM current CROSS JOIN LATERAL jsonb_to_recordset(answered) AS seen (id uuid, count int)
        WHERE NOT is_placed OR place IN (SELECT place FROM queued)
      ), heard AS MATERIALIZED (
        SELECT place, known.id, notified.count
        FROM (
          SELECT id FROM ${this.database.table(PaymentsNotificationEntity)} WHERE id = ANY(ARRAY(SELECT id FROM notified))
          ORDER BY store_id, object_id, event ${lock}
        ) known JOIN notified ON notified.id = known.id
      )`;
  }

  get #answered(): string {
    return `, answered AS (
        UPDATE ${this.database.table(PaymentsNotificationEntity)} known SET ${answeredUpTo('heard.count', this.database.now)}
        FROM heard WHERE known.id = heard.id AND heard.place IN (SELECT place FROM mine) AND known.id = ANY(ARRAY(SELECT id FROM heard))
      )`;
  }
}

function isAnswering({ answered = [] }: Change): boolean {
  return answered.length > 0;
}

/**
 * SQL of the assignments to the row `known` once a re-read has answered it up to a count. Later arrivals were handed over when
 * they came, unless they were waiting for the payment to be known.
 */
function answeredUpTo(count: string, now: string): string {
  const handled = `GREATEST(known.handled_count, ${count})`;
  const more = (then: string) => `CASE WHEN known.count > ${handled} THEN ${then} END`;
  return `handled_count = ${handled}, waiting_since = ${more('known.last_at')}, step = 'hand_over',
          ready_at = ${more(`CASE known.step WHEN 'look_up' THEN ${now} ELSE known.ready_at END`)}`;
}
