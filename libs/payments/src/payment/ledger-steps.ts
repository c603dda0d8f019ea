import { DATABASE_NOW } from '../common/clock.js';
import { TERMS, termsWithin, type Database } from '../database/database.js';
import { counted, JsonColumns } from '../database/json-columns.js';
import { isOver } from '../database/lease.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { intentFields, orderFields, paymentFields } from '../schema/ledger-fields.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { paymentTables } from '../schema/payment-rows.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { eventNames } from '../views/events.js';
import type { Change, PaymentTable } from './change.js';
import { isAsked, wantedAt } from './due.js';
import { LedgerTable } from './ledger-table.js';
import { LOCKS_ORDER } from './locks.js';
import { openWork } from './open-work.js';
import { followedUp } from './record-event.js';

/** Nothing that is locked is waited for, but for a handler's row while it is retired. */
const LOCK_MS = 1_000;

const ofPayment = new JsonColumns(PaymentsPaymentEntity, paymentFields);
const ofOrder = new JsonColumns(PaymentsOrderEntity, orderFields);
const ofNewOrder = new JsonColumns(PaymentsOrderEntity, [
  'id',
  'storeId',
  'reference',
  'currency',
  'totalDueMinor',
]);
const payments = new LedgerTable('payments', {
  entity: PaymentsPaymentEntity,
  fixed: [...intentFields, 'createdAt'],
  changing: [...paymentFields, 'updatedAt'],
});
/** In the order in which they are written. */
const tables = {
  refunds: new LedgerTable('refunds', paymentTables.refunds),
  receipts: new LedgerTable('receipts', paymentTables.receipts),
  problems: new LedgerTable('problems', paymentTables.problems),
  operations: new LedgerTable('operations', paymentTables.operations),
};
const tableNames = [
  'refunds',
  'receipts',
  'problems',
  'operations',
] as const satisfies readonly PaymentTable[];

/**
 * - `version`: many changes at once, of rows that nobody has locked. Each was decided on an earlier read, so it succeeds only while
 *   its order has the version that was read, its operation the attempt and its payment the lease. It waits for no lock.
 * - `held`: a change that was decided under the locks of its own transaction.
 * - `new`: a payment with its order, for as long as nobody has recorded that. It waits for whoever may be about to.
 */
type Guard = 'version' | 'held' | 'new';

/** What changes may need of the statement; what none of them needs is no part of it. */
const ownNeeds = ['opened', 'after', 'totals', 'events', 'wanted', 'operation', 'answered', 'place'] as const;
type OwnNeed = (typeof ownNeeds)[number];
type Need = OwnNeed | 'handlers' | `${PaymentTable} ${'opened' | 'changed'}`;
type Needs = ReadonlySet<Need>;

/** Of other events no handler is told. */
const handledEvents: ReadonlySet<string> = new Set(eventNames);

function needsOf(changes: readonly Change[]): Needs {
  const own = ownNeeds.filter((need) => changes.some((change) => isGiven(change[need])));
  const ofRows = tableNames.flatMap((table) =>
    (['opened', 'changed'] as const)
      .filter((kind) => changes.some(({ rows }) => isGiven(rows?.[table]?.[kind])))
      .map((kind) => `${table} ${kind}` as const),
  );
  const isHandled = changes.some(({ events }) => events.some(({ name }) => handledEvents.has(name)));
  return new Set([...own, ...(isHandled ? (['handlers'] as const) : []), ...ofRows]);
}

function isGiven(part: Change[OwnNeed] | readonly object[]): boolean {
  return Array.isArray(part) ? part.length > 0 : part !== null && part !== undefined;
}

/** What else must hold where a request is recorded that is sent afterwards, and how durable that is. */
export interface RecordingTerms {
  /** SQL condition. Its parameters begin at $2. */
  readonly condition: string;
  readonly parameters: readonly unknown[];
  /** SQL of what is asked and set beside it. */
  readonly columns: string;
}

/** Texts of the statement, each built once; a clock that is moved, as in tests, changes them all. */
export class LedgerTexts {
  #now: string | null = null;
  readonly #texts = new Map<string, string>();

  constructor(private readonly database: Database) {}

  get(guard: Guard, changes: readonly Change[], terms: RecordingTerms | null): string {
    const { now } = this.database;
    if (now !== this.#now) this.#texts.clear();
    this.#now = now;
    const needed = needsOf(changes);
    const key = [guard, ...needed, terms?.condition].join(' ');
    const text = this.#texts.get(key) ?? ledgerSql(this.database, guard, needed, terms);
    this.#texts.set(key, text);
    return text;
  }
}

/** SQL of the CTE `terms`. */
const ownTerms: Readonly<Record<Guard, string>> = {
  version: termsWithin(LOCK_MS),
  held: 'terms AS (SELECT)',
  new: TERMS,
};

/** The values of a change, as the statement reads them. */
export function ledgerRow(database: Database, place: number, change: Change): object {
  const { payment, order, opened, after, totals, events, operation, rows, wanted } = change;
  return {
    place,
    payment_id: payment.id,
    store_id: payment.storeId,
    order_id: order.id,
    version: order.version,
    founded: opened?.order && ofNewOrder.row(database, opened.order),
    ...payments.values(database, opened && { opened: [opened.payment], changed: [] }),
    is_ledgered: after !== null || totals !== null || events.length > 0 || rows !== undefined,
    is_dated: change.isDated,
    payment: after && ofPayment.row(database, after),
    totals: totals && ofOrder.row(database, totals),
    ...tables.refunds.values(database, rows?.refunds),
    ...tables.receipts.values(database, rows?.receipts),
    ...tables.problems.values(database, rows?.problems),
    ...tables.operations.values(database, rows?.operations),
    events: events.map((event, index) => ({
      place: index,
      store_id: event.storeId,
      subject_type: event.subject.type,
      subject_id: event.subject.id,
      payment_id: event.paymentId,
      name: event.name,
      from_status: event.from,
      to_status: event.to,
      cause: event.cause,
      evidence: event.evidence,
    })),
    look_at: wanted?.at,
    look_lane: wanted && (wanted.isUrgent ? 'notified' : 'polls'),
    look_afresh: wanted?.isAfresh ?? false,
    look_signals: wanted?.withRefunds ? 1 : 0,
    operation_id: operation?.id,
    attempts: operation?.attempts,
    answered: change.answered ?? [],
    fence: change.fence,
    ...placed(change.place),
  };
}

function placed(place: Change['place']): object {
  if (place === undefined) return { is_placed: false };
  const { at, checks, lane, refundSignals, restMs, before } = place;
  return {
    is_placed: true,
    next_at: at,
    next_checks: checks,
    next_lane: lane,
    next_signals: refundSignals,
    rest_ms: restMs,
    checks_before: before?.checks,
    signals_before: before?.refundSignals,
  };
}

/**
 * The statement. Rows are locked in the order that everything keeps: orders, operations, the queue, notifications, each kind in an order of
 * its own: a lateral sub-query locks in the order of what it is joined to, and OFFSET 0 keeps the planner from changing either. A
 * look-up by `ANY(ARRAY(…))` uses the key, whatever the planner believes of the table's size, and comes after the look-ups that it
 * names.
 */
function ledgerSql(
  database: Database,
  guard: Guard,
  needed: Needs,
  recording: RecordingTerms | null,
): string {
  const of = new Steps(database, guard, needed);
  const isCounted = guard === 'new';
  const own: Readonly<Record<OwnNeed, () => string>> = {
    opened: () => payments.insert(database, { isCounted }),
    after: () => of.changed,
    totals: () => of.totaled,
    events: () => of.event,
    wanted: () => of.wanted,
    operation: () => of.settled,
    answered: () => of.answered,
    place: () => of.placed,
  };
  const written = [
    ...ownNeeds.filter((need) => needed.has(need)).map((need) => own[need]()),
    ...tableNames
      .filter((table) => needed.has(`${table} changed`))
      .map((table) => tables[table].update(database)),
    ...tableNames
      .filter((table) => needed.has(`${table} opened`))
      .map((table) =>
        tables[table].insert(database, { hasChanges: needed.has(`${table} changed`), isCounted }),
      ),
  ];
  const has = (need: Need, column: string, otherwise: string) => (needed.has(need) ? column : otherwise);
  const joined = (['after', 'totals'] as const).filter((need) => needed.has(need));
  const from = { after: 'changed', totals: 'totaled' } as const;
  return `WITH ${[of.given(recording?.condition ?? 'true'), of.guarded, ...written].join(',\n')}
    SELECT mine.place, ${database.now} AS now, ${has('after', 'changed.updated_at', 'NULL')} AS "updatedAt",
      ${has('totals', 'totaled.version', versions[guard])} AS version,
      ${has('handlers', 'EXISTS (SELECT FROM announced)', 'false')} AS "isAnnounced",
      ${has('place', `COALESCE(next_at <= ${database.inBusinessTime('clock_timestamp()')} AND rest_ms = 0, false)`, 'false')} AS "isReady"
      ${recording ? `, ${recording.columns}` : ''}
    FROM mine ${joined.map((need) => `LEFT JOIN ${from[need]} USING (place)`).join(' ')}`;
}

/** SQL of the order's version from now on, where its totals stay. */
const versions: Readonly<Record<Guard, string>> = {
  version: 'mine.version + 1',
  held: 'NULL',
  new: 'mine.version',
};

/** Each is one or more CTEs. Those that write read `mine`: the changes of which nothing has come in between. */
class Steps {
  readonly #orders: string;
  readonly #operations: string;
  readonly #due: string;
  readonly #notifications: string;
  readonly #lock: string;

  constructor(
    private readonly database: Database,
    private readonly guard: Guard,
    private readonly needed: Needs,
  ) {
    this.#orders = database.table(PaymentsOrderEntity);
    this.#operations = database.table(PaymentsOperationEntity);
    this.#due = database.table(PaymentsDueEntity);
    this.#notifications = database.table(PaymentsNotificationEntity);
    this.#lock = guard === 'version' ? 'FOR NO KEY UPDATE SKIP LOCKED' : 'FOR NO KEY UPDATE';
  }

  given(condition: string): string {
    return `${ownTerms[this.guard]}, given AS MATERIALIZED (
      SELECT given.* FROM jsonb_to_recordset($1::jsonb) AS given (
        place int, payment_id uuid, store_id uuid, order_id uuid, version int, is_ledgered boolean, is_dated boolean,
        founded jsonb, ${payments.columns}, payment jsonb, totals jsonb, ${tableNames.map((table) => tables[table].columns).join(', ')}, events jsonb,
        look_at timestamptz, look_lane text, look_afresh boolean, look_signals int, operation_id uuid, attempts int,
        answered jsonb, fence uuid, is_placed boolean, next_at timestamptz, next_checks int, next_lane text, next_signals int, rest_ms int,
        checks_before int, signals_before int
      ), terms WHERE ${condition}
    )`;
  }

  /** `mine`. */
  get guarded(): string {
    if (this.guard === 'new') return this.#founded;
    const has = (need: Need, step: string) => (this.needed.has(need) ? [step] : []);
    const ended = has('operation', '(operation_id IS NULL OR place IN (SELECT place FROM sent))');
    const seen =
      this.guard === 'held'
        ? has('place', '(fence IS NULL OR place IN (SELECT place FROM queued))')
        : [
            ...has('place', '(NOT is_placed OR place IN (SELECT place FROM queued))'),
            ...has(
              'answered',
              'jsonb_array_length(answered) = (SELECT count(*) FROM heard WHERE heard.place = current.place)',
            ),
          ];
    const all = [...ended, ...seen].join(' AND ') || 'true';
    // An answer and a re-read of one payment may both be right, and only one of them may be written.
    const one = this.guard === 'held' ? 'SELECT *' : 'SELECT DISTINCT ON (order_id) *';
    const order = this.guard === 'held' ? '' : 'ORDER BY order_id, place';
    return [
      `locked AS MATERIALIZED (
      SELECT shop_order.* FROM (SELECT DISTINCT order_id FROM given WHERE is_ledgered ORDER BY order_id OFFSET 0) wanted
      CROSS JOIN LATERAL (SELECT id, version FROM ${this.#orders} WHERE id = wanted.order_id ${this.#lock}) shop_order
    ), current AS MATERIALIZED (
      SELECT * FROM given WHERE NOT is_ledgered OR (order_id, version) IN (SELECT id, version FROM locked)
    )`,
      ...has('operation', this.#sent),
      ...has('place', this.#queued),
      ...has('answered', this.#heard),
      `mine AS MATERIALIZED (${one} FROM current WHERE ${all} ${order})`,
      ...(this.guard === 'held' ? [] : [this.#counted]),
    ].join(',\n');
  }

  /** No row if the order exists. */
  get #founded(): string {
    const { now } = this.database;
    return `founded AS (
      INSERT INTO ${this.#orders} (${ofNewOrder.names(this.database)}, created_at, updated_at)
      SELECT ${ofNewOrder.names(this.database, 'made')}, ${now}, ${now}
      FROM given CROSS JOIN LATERAL jsonb_to_record(given.founded) AS made (${ofNewOrder.definition(this.database)})
      ON CONFLICT (store_id, reference) DO NOTHING
      RETURNING id
    ), mine AS MATERIALIZED (SELECT * FROM given WHERE order_id IN (SELECT id FROM founded))`;
  }

  /** Whose totals stay has another version all the same: what was decided on the same read is decided again. */
  get #counted(): string {
    return `counted AS (
      UPDATE ${this.#orders} locked SET ${LOCKS_ORDER} FROM mine
      WHERE locked.id = mine.order_id AND is_ledgered AND totals IS NULL
        AND locked.id = ANY(ARRAY(SELECT order_id FROM mine WHERE is_ledgered AND totals IS NULL))
    )`;
  }

  get #sent(): string {
    return `sent AS MATERIALIZED (
      SELECT place FROM (SELECT place, operation_id, attempts FROM current WHERE operation_id IS NOT NULL ORDER BY operation_id OFFSET 0) wanted
      CROSS JOIN LATERAL (SELECT attempts, outcome FROM ${this.#operations} WHERE id = wanted.operation_id OFFSET 0 ${this.#lock}) operation
      WHERE operation.attempts = wanted.attempts AND outcome = 'unknown'
    )`;
  }

  /** Whose place is still what was read; what was requested since then has the next one decided again. */
  get #queued(): string {
    const isSent = this.needed.has('operation')
      ? 'AND (operation_id IS NULL OR place IN (SELECT place FROM sent))'
      : '';
    const isAsRead = `due.checks = checks_before AND due.refund_signals = signals_before AND (next_at IS NOT NULL OR NOT ${this.#isOpen}) AND (
        mine.fence = due.fence AND due.wanted_at IS NULL
        OR mine.fence IS NULL AND ${isOver('due.lease_until')} AND NOT ${isAsked(this.database, 'due')} AND NOT ${this.#isTold})`;
    return `queued AS MATERIALIZED (
      SELECT place FROM (SELECT * FROM current WHERE is_placed ${isSent} ORDER BY payment_id OFFSET 0) mine
      CROSS JOIN LATERAL (SELECT * FROM ${this.#due} WHERE payment_id = mine.payment_id ${this.#lock}) due
      WHERE ${this.guard === 'held' ? 'mine.fence IS NULL OR mine.fence = due.fence' : isAsRead}
    )`;
  }

  /** SQL condition: something of the payment is open, which what is not ledgered has not seen if it was recorded meanwhile. */
  get #isOpen(): string {
    const ended = this.needed.has('operation') ? 'WHERE id IS DISTINCT FROM mine.operation_id' : '';
    return `EXISTS (SELECT FROM (${openWork(this.database, 'ARRAY[mine.payment_id]')}) work ${ended})`;
  }

  /** SQL condition: notifications have waited for the id that the payment has now (G7). */
  get #isTold(): string {
    if (!this.needed.has('after')) return 'false';
    return `EXISTS (SELECT FROM ${this.#notifications} notified
          WHERE notified.store_id = mine.store_id AND notified.object_id = mine.payment ->> 'service_id' AND notified.step = 'look_up' OFFSET 0)`;
  }

  get #heard(): string {
    const isQueued = this.needed.has('place')
      ? 'WHERE NOT is_placed OR place IN (SELECT place FROM queued)'
      : '';
    return `notified AS MATERIALIZED (
      SELECT current.place, seen.id, seen.count FROM current CROSS JOIN LATERAL jsonb_to_recordset(answered) AS seen (id uuid, count int)
      ${isQueued}
    ), heard AS MATERIALIZED (
      SELECT place, known.id, notified.count
      FROM (
        SELECT id FROM ${this.#notifications} WHERE id = ANY(ARRAY(SELECT id FROM notified))
        ORDER BY store_id, object_id, event ${this.#lock}
      ) known JOIN notified ON notified.id = known.id
    )`;
  }

  get changed(): string {
    const { database } = this;
    return `changed AS (
      UPDATE ${database.table(PaymentsPaymentEntity)} payment
      SET ${ofPayment.assignments(database, 'made')}, updated_at = CASE WHEN is_dated THEN ${database.now} ELSE payment.updated_at END
      FROM mine CROSS JOIN LATERAL jsonb_to_record(mine.payment) AS made (${ofPayment.definition(database)})
      WHERE payment.id = mine.payment_id AND payment.id = ANY(ARRAY(SELECT payment_id FROM mine WHERE mine.payment IS NOT NULL))
      RETURNING mine.place, payment.updated_at
    )`;
  }

  get totaled(): string {
    const { database } = this;
    return `totaled AS (
      UPDATE ${this.#orders} shop_order SET ${ofOrder.assignments(database, 'made')}, version = shop_order.version + 1,
        updated_at = ${database.now}
      FROM mine CROSS JOIN LATERAL jsonb_to_record(mine.totals) AS made (${ofOrder.definition(database)})
      WHERE shop_order.id = mine.order_id AND shop_order.id = ANY(ARRAY(SELECT order_id FROM mine WHERE totals IS NOT NULL))
      RETURNING mine.place, shop_order.version
    )`;
  }

  get event(): string {
    const { database } = this;
    return `event AS (
      INSERT INTO ${database.table(PaymentsEventEntity)}
        (store_id, subject_type, subject_id, payment_id, name, from_status, to_status, cause, evidence, created_at)
      SELECT told.store_id, subject_type, subject_id, told.payment_id, name, from_status, to_status, cause, evidence, ${database.now}
      FROM mine CROSS JOIN LATERAL jsonb_to_recordset(events) AS told (
        place int, store_id uuid, subject_type text, subject_id text, payment_id uuid, name text, from_status text, to_status text,
        cause text, evidence jsonb)
      ORDER BY mine.place, told.place
      RETURNING *
    )${this.needed.has('handlers') ? `, ${followedUp(database)}` : ''}`;
  }

  get wanted(): string {
    const { database } = this;
    return `wanted AS (
      INSERT INTO ${this.#due} AS due (payment_id, store_id, lane, ready_at, refund_signals)
      SELECT payment_id, store_id, look_lane, ${this.guard === 'new' ? counted('look_at', database.now) : 'look_at'}, look_signals FROM mine WHERE look_at IS NOT NULL ORDER BY payment_id
      ON CONFLICT (payment_id) DO UPDATE SET ${wantedAt(database, 'excluded.ready_at', { urgent: false })},
        checks = CASE WHEN due.payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE look_afresh)) THEN 0 ELSE due.checks END,
        refund_signals = due.refund_signals + excluded.refund_signals, lane = CASE excluded.lane WHEN 'notified' THEN excluded.lane ELSE due.lane END
    )`;
  }

  get settled(): string {
    return `settled AS (
      UPDATE ${this.#operations} operation SET outcome = 'confirmed', lease_until = NULL, last_error = NULL, settled_at = ${this.database.now}
      FROM mine WHERE operation.id = mine.operation_id AND operation.id = ANY(ARRAY(SELECT operation_id FROM mine))
    )`;
  }

  get answered(): string {
    return `answered AS (
      UPDATE ${this.#notifications} known SET ${answeredUpTo('heard.count', this.database.now)}
      FROM heard WHERE known.id = heard.id AND heard.place IN (SELECT place FROM mine) AND known.id = ANY(ARRAY(SELECT id FROM heard))
    )`;
  }

  get placed(): string {
    const rest = `${DATABASE_NOW} + NULLIF(rest_ms, 0) * interval '1 ms'`;
    const due = this.#due;
    return `queue_moved AS (
      UPDATE ${due} due
      SET ready_at = GREATEST(next_at, ${this.database.inBusinessTime(`(${rest})`)}), rest_until = ${rest}, checks = next_checks, lane = next_lane,
        refund_signals = next_signals, lease_until = NULL, fence = NULL, wanted_at = NULL
      FROM mine WHERE due.payment_id = mine.payment_id AND due.${placedNow('next_at IS NOT NULL AND checks_before IS NOT NULL')}
    ), queue_left AS (
      DELETE FROM ${due} due WHERE due.${placedNow('next_at IS NULL AND checks_before IS NOT NULL')}
    ), queue_entered AS (
      INSERT INTO ${due} (payment_id, store_id, lane, ready_at, checks, refund_signals)
      SELECT payment_id, store_id, next_lane, next_at, next_checks, next_signals FROM mine
      WHERE next_at IS NOT NULL AND checks_before IS NULL
      ON CONFLICT (payment_id) DO NOTHING
    )`;
  }
}

/** SQL condition on a row of the queue: this statement places it, and so. */
function placedNow(condition: string): string {
  return `payment_id = ANY(ARRAY(SELECT payment_id FROM mine WHERE is_placed AND ${condition}))`;
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
