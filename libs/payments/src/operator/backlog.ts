import { plusMs } from '../common/clock.js';
import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import { isOver } from '../database/lease.js';
import type { CommitMark } from '../rollback/commit-mark.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { lanes as lanesOfQueue, PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { PaymentsIncidentEntity } from '../schema/incident.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../schema/receipt-problem.entity.js';
import { PaymentsRecoveryEntity } from '../schema/recovery.entity.js';
import { isForgottenStore, PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import { hasFailed, linesOf } from './failed-deliveries.js';

/** Waiting items: how many, and for how long the oldest has waited. */
export interface Waiting {
  /** How many, counted up to 1,000. */
  readonly count: number;
  /** true: there are more than `count`. Counting a million, again and again, would cost more than the figure is worth. */
  readonly more: boolean;
  /** How long the oldest has waited, in ms of business time; null if nothing waits. */
  readonly oldestMs: number | null;
}

/**
 * What is in progress, of stores that this process can work for. In a healthy shop every age stays within minutes, and nothing is
 * parked.
 */
export interface Backlog {
  /** Creates, captures, cancels, refunds and receipts of their own that are recorded and without an outcome. */
  readonly operations: Waiting;
  /** Payments that are due for a re-read; if growing, the sweeps do not keep up, or the service is down. */
  readonly payments: Waiting;
  /** Notifications that are stored and not handled yet, including those of unknown payments. */
  readonly notifications: Waiting;
  /** Deliveries that are due, without those that failed and wait for their next run. */
  readonly deliveries: Waiting;
  /**
   * Deliveries whose handler has failed and will be run again; the age is that of the oldest event among those that were counted.
   */
  readonly failingDeliveries: Waiting;
  /** Deliveries that were given up and wait for a person. */
  readonly parkedDeliveries: Waiting;
  /** Holds left to a person, by their policy or since their policy failed; aged from that moment. */
  readonly flaggedHolds: Waiting;
  /** What happened to payments and a person has to look at, and nobody has resolved; see {@link PaymentsOperator.incidents}. */
  readonly openIncidents: Waiting;
  /** Receipts that failed, are late or are missing, and that nobody has resolved. */
  readonly receiptProblems: Waiting;
  /** Payments due to be re-read whose store was disconnected or needs a reconnection: their owners have to connect it first. */
  readonly waitingForOwners: Waiting;
  /** Connected stores that the database has forgotten, and whose notifications arrive: their owners have to connect them again. */
  readonly forgottenStores: Waiting;
  /**
   * Times of which the database may have forgotten commits and that are still to be read at the service, each of one store; see
   * {@link PaymentsOperator.recoveries}. What is read once more for requests that were on their way counts after a quarter of an hour.
   */
  readonly openRecoveries: Waiting;
  /** Likewise those that could not be read; each counts until a time that contains it has been read. */
  readonly unreadRecoveries: Waiting;
  /** Consecutive changes that polls found without a notification: with three or more, notifications do not arrive. */
  readonly unannouncedChanges: Waiting;
  /** 1: the database is another one than its mark says, and a person has not said what it is; aged from when the mark was written. */
  readonly unconfirmedDatabase: Waiting;
}

const COUNTED = 1_000;
/** A second look begins minutes after the first, by design. */
const SECOND_LOOK_MS = 15 * 60_000;
/**
 * Ended on the server too when it is late: a monitor that asks again would otherwise have the same statement run many times over.
 */
const DEADLINE_MS = 30_000;

/** Items that wait in one index, in the order of `since`; several make one figure. */
interface Queue {
  /** SQL of the rows (FROM …), each of which has a part of the index to itself. */
  readonly lanes: string;
  readonly table: string;
  readonly since: string;
  /** SQL condition on the row `waiting` of such a `lane`. */
  readonly waits: string;
}

/** Reads the backlog, in one statement, so that its figures are of one moment. */
export function readBacklog(database: Database, stores: StoreRegistry, mark: CommitMark): Promise<Backlog> {
  return readBacklogWith(database, stores, mark, {}, DEADLINE_MS);
}

/** And beside it further columns of the same moment: their SQL by their names. */
export async function readBacklogWith<Name extends string>(
  database: Database,
  stores: StoreRegistry,
  mark: CommitMark,
  more: Readonly<Record<Name, string>>,
  deadlineMs: number,
): Promise<Backlog & Readonly<Record<Name, unknown>>> {
  await mark.learn();
  const columns = Object.entries<string>({ ...figuresOf(database, stores, mark), ...more });
  const [backlog] = await database.transaction(
    async (manager) => {
      await useIndexes(manager);
      return manager.query<(Backlog & Readonly<Record<Name, unknown>>)[]>(
        `SELECT ${columns.map(([name, sql]) => `${sql} AS "${name}"`).join(', ')}`,
      );
    },
    { deadlineMs },
  );
  if (!backlog) throw new Error('PostgreSQL did not return the backlog.');
  return backlog;
}

/** The SQL of each. */
function figuresOf(
  database: Database,
  registry: StoreRegistry,
  mark: CommitMark,
): Readonly<Record<keyof Backlog, string>> {
  const { now } = database;
  const stores = `${database.table(PaymentsStoreEntity)} store`;
  const usable = `${stores} WHERE ${registry.isUsable('store')}`;
  const managed = `${stores} WHERE ${registry.isManaged('store')}`;
  // Each store's lanes are separate.
  const queues = `${stores} CROSS JOIN (VALUES ${lanesOfQueue.map((lane) => `('${lane}')`).join(', ')}) AS queue (lane)`;
  // And nobody has it.
  const isReady = `waiting.store_id = lane.id AND waiting.lane = lane.lane AND ready_at <= ${now}
    AND ${isOver('lease_until')}`;
  const due = database.table(PaymentsDueEntity);
  const deliveries = database.table(PaymentsDeliveryEntity);
  const payments = database.table(PaymentsPaymentEntity);
  const recoveries = database.table(PaymentsRecoveryEntity);
  const ofLine =
    'waiting.handler_id = lane.handler_id AND waiting.store_id = lane.store_id AND done_at IS NULL AND parked_at IS NULL';
  return {
    operations: waiting(database, {
      lanes: usable,
      table: database.table(PaymentsOperationEntity),
      since: 'recorded_at',
      waits: `waiting.store_id = lane.id AND (outcome IS NULL OR outcome = 'unknown')`,
    }),
    payments: waiting(database, {
      lanes: `${queues} WHERE ${registry.isUsable('store')}`,
      table: due,
      since: 'ready_at',
      waits: isReady,
    }),
    notifications: waiting(database, {
      lanes: usable,
      table: database.table(PaymentsNotificationEntity),
      since: 'waiting_since',
      waits: `waiting.store_id = lane.id AND waiting_since IS NOT NULL`,
    }),
    deliveries: waiting(
      database,
      {
        lanes: linesOf(deliveries, 'attempts = 0'),
        table: deliveries,
        since: 'next_attempt_at',
        waits: `${ofLine} AND attempts = 0 AND next_attempt_at <= ${now}`,
      },
      {
        lanes: linesOf(deliveries, 'attempts > 0'),
        table: deliveries,
        since: 'next_attempt_at',
        waits: `${ofLine} AND attempts > 0 AND next_attempt_at <= ${now}`,
      },
    ),
    parkedDeliveries: waiting(database, {
      lanes: `${database.table(PaymentsHandlerEntity)} handler`,
      table: deliveries,
      since: 'parked_at',
      waits: 'waiting.handler_id = lane.id AND done_at IS NULL AND parked_at IS NOT NULL',
    }),
    flaggedHolds: waiting(database, {
      lanes: managed,
      table: payments,
      since: 'updated_at',
      waits: `waiting.store_id = lane.id AND waiting.status = 'waiting_for_capture' AND hold_due_at IS NULL AND hold_tries > 0`,
    }),
    openIncidents: waiting(database, {
      lanes: managed,
      table: database.table(PaymentsIncidentEntity),
      since: 'since',
      waits: 'waiting.store_id = lane.id AND is_open',
    }),
    receiptProblems: waiting(database, {
      lanes: managed,
      table: database.table(PaymentsReceiptProblemEntity),
      since: 'since',
      waits: 'waiting.store_id = lane.id AND is_open',
    }),
    waitingForOwners: waiting(database, {
      lanes: `${queues} WHERE ${registry.isManaged('store')} AND store.status <> 'connected'`,
      table: due,
      since: 'ready_at',
      waits: isReady,
    }),
    forgottenStores: waiting(database, {
      lanes: `${managed} AND ${isForgottenStore('store')}`,
      table: database.table(PaymentsStoreEntity),
      since: 'created_at',
      waits: 'waiting.id = lane.id',
    }),
    openRecoveries: waiting(database, {
      lanes: `${managed} AND store.status <> 'disconnected'`,
      table: recoveries,
      since: 'started_at',
      waits: `waiting.store_id = lane.id AND done_at IS NULL
        AND (reason <> 'in_flight' OR started_at < ${plusMs(now, -SECOND_LOOK_MS)})`,
    }),
    unreadRecoveries: waiting(database, {
      lanes: `${managed} AND store.status <> 'disconnected'`,
      table: recoveries,
      since: 'started_at',
      waits: 'waiting.store_id = lane.id AND done_at IS NOT NULL AND error IS NOT NULL',
    }),
    failingDeliveries: failingDeliveries(database),
    unannouncedChanges: unannouncedChanges(database, registry),
    unconfirmedDatabase: unconfirmed(database, mark),
  };
}

/** Some of each lane for the count, and the first of each for the age: what waits beyond them is not looked at. */
function waiting(database: Database, ...queues: readonly Queue[]): string {
  const first = (count: number) =>
    queues
      .map(
        ({
          lanes,
          table,
          since,
          waits,
        }) => `SELECT found.since FROM (SELECT * FROM ${lanes}) lane CROSS JOIN LATERAL (
          SELECT waiting.${since} AS since FROM ${table} waiting WHERE ${waits} ORDER BY waiting.${since} LIMIT ${count}
        ) found`,
      )
      .join(' UNION ALL ');
  return `(SELECT json_build_object('count', LEAST(count, ${COUNTED}), 'more', count > ${COUNTED}, 'oldestMs', ${age(database, 'oldest')})
      FROM (SELECT count(*) FROM (${first(COUNTED + 1)} LIMIT ${COUNTED + 1}) part) counted,
        (SELECT min(since) AS oldest FROM (${first(1)}) firsts) ended)`;
}

/** Their queue is ordered by when they run next, which says nothing of how long they have failed. */
function failingDeliveries(database: Database): string {
  const deliveries = database.table(PaymentsDeliveryEntity);
  return `(SELECT json_build_object('count', LEAST(count, ${COUNTED}), 'more', count > ${COUNTED}, 'oldestMs', ${age(database, 'oldest')})
      FROM (SELECT count(*), min(event.created_at) AS oldest FROM (
        SELECT found.event_id FROM ${linesOf(deliveries, 'attempts > 0')} CROSS JOIN LATERAL (
          SELECT tried.event_id FROM ${deliveries} tried
          WHERE tried.handler_id = lines.handler_id AND tried.store_id = lines.store_id AND done_at IS NULL AND parked_at IS NULL
            AND attempts > 0 AND ${hasFailed('tried')}
          ORDER BY next_attempt_at LIMIT ${COUNTED + 1}
        ) found LIMIT ${COUNTED + 1}
      ) failed JOIN ${database.table(PaymentsEventEntity)} event ON event.id = failed.event_id) counted)`;
}

/** Consecutive, and so of the store that has most of them. */
function unannouncedChanges(database: Database, stores: StoreRegistry): string {
  return `(SELECT json_build_object('count', count, 'more', false, 'oldestMs', ${age(database, 'oldest')})
      FROM (SELECT COALESCE(max(unannounced_changes), 0) AS count, min(unannounced_since) FILTER (WHERE unannounced_changes > 0) AS oldest
        FROM ${database.table(PaymentsStoreEntity)} store WHERE ${stores.isUsable('store')}) ended)`;
}

function unconfirmed(database: Database, mark: CommitMark): string {
  return `(SELECT json_build_object('count', count(*), 'more', false, 'oldestMs', ${age(database, 'min(mark.reached_at)')})
      FROM ${mark.elsewhere})`;
}

function age(database: Database, since: string): string {
  return `CASE WHEN ${since} IS NOT NULL THEN GREATEST(0, round(extract(epoch FROM ${database.now} - ${since}) * 1000)) END`;
}
