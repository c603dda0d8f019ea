import type { EntityManager } from 'typeorm';
import { KEY_USABLE_MS } from '../api/limits.js';
import { DATABASE_NOW, plusMs } from '../common/clock.js';
import { DAY_MS, HOUR_MS } from '../common/durations.js';
import type { Database } from '../database/database.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsRecoveryEntity, type RecoveryReason } from '../schema/recovery.entity.js';
import { isForgottenStore, PaymentsStoreEntity } from '../schema/store.entity.js';
import type { DatabaseEventName } from '../views/events.js';
import type { WorkSignal } from '../work/work-signal.js';

/** How many are shown to a person. */
const LISTED = 100;
/** However long the lists take, once the service answers: who has a key of their own is let in again by then. */
const KEEPS_OUT_MS = HOUR_MS;
/** In all. An outage of the service is shorter, and a list that cannot be read must not keep buyers out for ever. */
const KEEPS_OUT_UNREAD_MS = 3 * DAY_MS;
/** By then an owner whose store was forgotten has connected it again. */
const MISSED_MS = 30 * DAY_MS;
/** More of them are no failovers. */
const MISSED = 10;

/** SQL condition: commits may be gone. */
const IS_SUSPECTED = `reason NOT IN ('in_flight', 'requested')`;

/** A time of which commits may be missing, for one store. */
export interface Recovery {
  readonly id: string;
  readonly store: string;
  readonly from: Date;
  readonly to: Date;
  readonly reason: RecoveryReason;
  readonly startedAt: Date;
  /** Null: the service's lists of that time are still being read. */
  readonly doneAt: Date | null;
  /** Payments of the service that had no row here and got one. */
  readonly paymentsAdopted: number;
  /** Payments that have a refund which was not known here as the window began, or in another status. */
  readonly paymentsWithRefunds: number;
  /** Why it could not be read, or not yet; null: it was, alone or within another one, or nobody has tried. */
  readonly error: string | null;
}

/** A window before it has rows: one for each store. */
export interface NewWindow {
  /** The epoch that begins with it; null: a person asks for it. */
  readonly epoch: string | null;
  /** In business time. */
  readonly from: Date;
  readonly to: Date;
  readonly reason: RecoveryReason;
}

/**
 * Opens a window for every store that takes payments or may do so again; returns their ids, the shop's own first. One that was forgotten gets
 * its windows as it is connected: nobody can read them before, and they would be too old to keep anybody out by then.
 */
export async function openWindows(
  database: Database,
  manager: EntityManager,
  { epoch, from, to, reason }: NewWindow,
): Promise<string[]> {
  const rows = await manager.query<{ storeId: string }[]>(
    `WITH opened AS (
         INSERT INTO ${database.table(PaymentsRecoveryEntity)} (id, store_id, epoch, from_at, to_at, reason, started_at)
         SELECT gen_random_uuid(), store.id, $1, $2, $3, $4, ${database.now} FROM ${database.table(PaymentsStoreEntity)} store
         WHERE store.status <> 'disconnected' AND NOT (${isForgottenStore('store')})
         RETURNING store_id
       )
       SELECT store_id AS "storeId" FROM opened JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = store_id
       ORDER BY store.kind = 'own' DESC, store.id`,
    [epoch, from, to, reason],
  );
  return rows.map(({ storeId }) => storeId);
}

/** Of windows that are open: whoever was reading them may have died with the server, and their pauses are of no use any more. */
export async function endRecoveryLeases(database: Database, manager: EntityManager): Promise<void> {
  await manager.query(
    `UPDATE ${database.table(PaymentsRecoveryEntity)} SET lease_until = NULL, fence = fence + 1 WHERE done_at IS NULL AND lease_until > ${DATABASE_NOW}`,
  );
}

/**
 * Opens, for a store that is being connected, the windows that it missed: its row, or its connection, may be what was forgotten, and
 * then it was not there when they were opened.
 */
export async function openMissedWindows(
  database: Database,
  manager: EntityManager,
  storeId: string,
): Promise<void> {
  await manager.query(
    `WITH told AS (
         SELECT subject_id, evidence FROM ${database.table(PaymentsEventEntity)}
         WHERE subject_type = 'database' AND name = $2 AND to_status IS NOT NULL AND created_at > ${plusMs(database.now, -MISSED_MS)}
         ORDER BY created_at DESC LIMIT ${MISSED}
       )
       INSERT INTO ${database.table(PaymentsRecoveryEntity)} (id, store_id, epoch, from_at, to_at, reason, started_at)
       SELECT gen_random_uuid(), $1, subject_id::uuid, (evidence->>'from')::timestamptz, (evidence->>'to')::timestamptz,
         evidence->>'reason', ${database.now}
       FROM told
       ON CONFLICT (store_id, epoch) DO NOTHING`,
    [storeId, 'database.rolled_back' satisfies DatabaseEventName],
  );
}

/**
 * Opens a window for a time that a person names; returns for how many stores.
 */
export async function askRecovery(
  database: Database,
  signal: WorkSignal,
  from: Date,
  to: Date,
): Promise<number> {
  const stores = await database.transaction((manager) =>
    openWindows(database, manager, { epoch: null, from, to, reason: 'requested' }),
  );
  signal.wake();
  return stores.length;
}

/** When the last stores were given up; null: none was. */
export async function detachedAt(database: Database): Promise<Date | null> {
  const [row] = await database.read((from) =>
    from.query<{ at: Date | null }[]>(
      `SELECT max(detached_at) AS at FROM ${database.table(PaymentsStoreEntity)} WHERE status <> 'connected'`,
    ),
  );
  return row?.at ?? null;
}

/**
 * SQL condition: a window of the store of this id is open because commits may be gone, so that a payment of an order may exist of which
 * nothing is known here, or a refund. Its receipts open none. For an hour at most from the first page that the service answers, or once
 * it answers again, and for three days in all: a list that cannot be read must not keep buyers out for ever.
 */
export function openWindowSql(database: Database, storeId: string): string {
  return `EXISTS (SELECT FROM ${database.table(PaymentsRecoveryEntity)} recovery
      WHERE recovery.store_id = ${storeId} AND recovery.done_at IS NULL AND recovery.${IS_SUSPECTED}
        AND recovery.listing <> 'receipts' AND ${isRecent(database)})`;
}

/**
 * SQL condition: a window of the store is open, and requests of its time had keys that the service may have forgotten by now. A time that
 * a person names may be long and lack nothing: it counts for what was recorded so long ago. For three days at most: no buyer waits for
 * what was recorded.
 */
export function keysGoneSql(database: Database, storeId: string, recordedAt: string): string {
  const oldest = plusMs(database.now, -KEY_USABLE_MS);
  return `EXISTS (SELECT FROM ${database.table(PaymentsRecoveryEntity)} recovery
      WHERE recovery.store_id = ${storeId} AND recovery.done_at IS NULL AND recovery.from_at < ${oldest}
        AND (recovery.reason <> 'requested' OR ${recordedAt} < ${oldest}) AND ${isYoung(database)})`;
}

/** Whether some keep buyers out and no process has begun to read one: there may be none that sweeps. */
export async function areUnread(database: Database): Promise<boolean> {
  const open = `SELECT FROM ${database.table(PaymentsRecoveryEntity)} WHERE done_at IS NULL AND ${IS_SUSPECTED}`;
  const [row] = await database.read((from) =>
    from.query<{ areUnread: boolean }[]>(
      `SELECT EXISTS (${open}) AND NOT EXISTS (${open} AND fence > 0) AS "areUnread"`,
    ),
  );
  return row?.areUnread === true;
}

/** The newest first. `storeId`: those of one store. Default: of all. */
export function recoveries(database: Database, storeId: string | null = null): Promise<Recovery[]> {
  return database.read((from) =>
    from.query<Recovery[]>(
      `SELECT id, store_id AS store, from_at AS "from", to_at AS "to", reason, started_at AS "startedAt", done_at AS "doneAt",
           payments_adopted AS "paymentsAdopted", payments_with_refunds AS "paymentsWithRefunds", error
         FROM ${database.table(PaymentsRecoveryEntity)} ${storeId === null ? '' : 'WHERE store_id = $1'} ORDER BY started_at DESC, id DESC LIMIT ${LISTED}`,
      storeId === null ? [] : [storeId],
    ),
  );
}

/** SQL condition: what is missing here may still be found: as long, at most, as {@link openWindowSql} says. */
export function recoveringSql(database: Database, storeId: string): string {
  return `EXISTS (SELECT FROM ${database.table(PaymentsRecoveryEntity)} recovery
      WHERE recovery.store_id = ${storeId} AND recovery.done_at IS NULL AND ${isRecent(database)})`;
}

/** Whether what is missing here is being looked for, and when that last ended; null: it never was. */
export async function lastRecovery(
  manager: EntityManager,
  database: Database,
  storeId: string,
): Promise<{ readonly isOpen: boolean; readonly endedAt: Date | null }> {
  const [row] = await manager.query<{ isOpen: boolean | null; endedAt: Date | null }[]>(
    `SELECT bool_or(recovery.done_at IS NULL AND ${isYoung(database)}) AS "isOpen", max(recovery.done_at) AS "endedAt"
     FROM ${database.table(PaymentsRecoveryEntity)} recovery WHERE store_id = $1`,
    [storeId],
  );
  return { isOpen: row?.isOpen === true, endedAt: row?.endedAt ?? null };
}

/** SQL condition on the row `recovery`. */
function isRecent(database: Database): string {
  return `${isYoung(database)} AND COALESCE(recovery.first_read_at > ${plusMs(database.now, -KEEPS_OUT_MS)}, true)`;
}

/** Likewise. */
function isYoung({ now }: Database): string {
  return `recovery.started_at > ${plusMs(now, -KEEPS_OUT_UNREAD_MS)}`;
}
