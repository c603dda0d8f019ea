import { plusMs } from '../common/clock.js';
import { headOf, tailOf } from '../database/by-index.js';
import { TERMS, type Database } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { unlocked } from '../database/lock-wait.js';
import { wantedAt } from '../payment/due.js';
import { PaymentsDueEntity, lanes, type Lane } from '../schema/due.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { WorkSignal } from '../work/work-signal.js';

/** Polls alone find a payment's end within ten minutes: what they find by then may be from before. */
const GRACE_MS = 10 * 60_000;
/** Rows of one statement: few enough that no worker waits long for one of them. */
const BATCH = 500;

/**
 * Has every payment of a store that is not over re-read, for a time in which its notifications could not arrive. They are on their way from
 * now on; changes found before they arrive are no sign that they do not.
 */
export async function catchUpNow(database: Database, signal: WorkSignal, storeId: string): Promise<void> {
  const { now } = database;
  await database.transaction((manager) =>
    manager.query(
      `UPDATE ${database.table(PaymentsStoreEntity)} SET unannounced_changes = 0, unannounced_since = ${plusMs(now, GRACE_MS)} WHERE id = $1`,
      [storeId],
    ),
  );
  await catchUpAfter(database, storeId, 0);
  signal.wake('payments');
}

/** Due `delayMs` from now at the latest, whatever happens to this process. */
export async function catchUpAfter(database: Database, storeId: string, delayMs: number): Promise<void> {
  const dueAt = new Date((await database.businessTime()).getTime() + delayMs);
  const want = (id: string, bounds: { readonly waitMs?: number } = {}) =>
    database.statement(
      `WITH ${TERMS} UPDATE ${database.table(PaymentsDueEntity)} due SET ${wantedAt(database, '$2::timestamptz', { urgent: false })} FROM terms WHERE payment_id = $1`,
      [id, dueAt],
      bounds,
    );
  const locked: string[] = [];
  for (const lane of lanes) {
    while ((await hurry(database, storeId, lane, dueAt)) === BATCH);
    // A worker that has one may have read it too early, and will see that a re-read was requested meanwhile: one of the head,
    // where what the sweep took stays while it is read, or one of the rest. One statement each: a lock on several could meet
    // another transaction's halfway. More than a batch are never held at once; those that rest beyond it, in a storm, do so for
    // a minute at most and are polled soon after.
    const late = await database.read((from) =>
      from.query<{ id: string }[]>(
        `(SELECT payment_id AS id FROM (
             SELECT payment_id, fence FROM ${database.table(PaymentsDueEntity)} due WHERE ${first(lane)} LIMIT ${BATCH}
           ) ready WHERE fence IS NOT NULL)
           UNION ALL
           (SELECT payment_id FROM ${database.table(PaymentsDueEntity)} due WHERE ${later(lane)} LIMIT ${BATCH})`,
        [storeId, dueAt],
      ),
    );
    const ids = late.map(({ id }) => id);
    locked.push(...(await unlocked(ids, want)));
  }
  await Promise.all(locked.map((id) => want(id)));
}

/**
 * Those that nobody has and that need not rest, the latest first; returns how many there were. COALESCE, since the planner
 * would assume that one in two hundred has no fence, and collect and sort them all.
 */
async function hurry(database: Database, storeId: string, lane: Lane, dueAt: Date): Promise<number> {
  const { affected } = await database.statement(
    `WITH ${TERMS}, late AS MATERIALIZED (
         SELECT payment_id FROM ${database.table(PaymentsDueEntity)} due, terms
         WHERE COALESCE(fence IS NULL AND ${isOver('rest_until')}, false) AND ${later(lane)} LIMIT ${BATCH} FOR NO KEY UPDATE OF due SKIP LOCKED
       )
       UPDATE ${database.table(PaymentsDueEntity)} SET ready_at = $2 WHERE payment_id = ANY(ARRAY(SELECT payment_id FROM late))`,
    [storeId, dueAt],
  );
  return affected;
}

/** SQL condition on the row `due`: it is in this lane of store $1 and due by $2; and the order. */
function first(lane: Lane): string {
  return headOf({ ...of(lane), upTo: '$2::timestamptz' });
}

/** Likewise: it is not due before $2; the latest first. */
function later(lane: Lane): string {
  return tailOf({ ...of(lane), after: '$2::timestamptz' });
}

function of(lane: Lane) {
  return {
    of: 'due',
    where: { store_id: '(SELECT $1::uuid)', lane: `'${lane}'` },
    time: 'ready_at',
  };
}
