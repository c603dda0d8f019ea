import type { EntityManager } from 'typeorm';
import { PaymentsLog } from '../common/payments-log.js';
import { TERMS, type Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRecoveryEntity } from '../schema/recovery.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { CommitMark } from './commit-mark.js';
import { otherPlace } from './notice.js';
import type { ShownIdentity } from './shown-identity.js';

/** Rows of one statement. */
const BATCH = 1_000;

/** What a copy has given up. */
export interface Detached {
  /** Stores that are the original's alone. */
  readonly stores: number;
  /** Runs of handlers, and effects, that were still to be made. */
  readonly deliveries: number;
}

const logger = new PaymentsLog();

/**
 * Makes a copy of the database safe beside its original. Every store that was copied is given up with all its payments: they are read
 * here and never worked on again, and their tokens are forgotten. A store that is made or connected after that has another id, from which
 * its marks, keys and webhook address are derived, so that nothing of the copy is the original's.
 *
 * In batches, and the stores last: as long as that is not committed nothing runs here, and whoever repeats it goes on where it ended.
 * null: nothing says that the database is a copy, and nothing was changed.
 */
export async function detachCopy(
  database: Database,
  mark: CommitMark,
  identity: ShownIdentity,
): Promise<Detached | null> {
  await identity.learn();
  const deliveries = await inBatches(database, deliveriesSql(database, mark));
  await inBatches(database, prepaymentsSql(database, mark));
  const stores = await database.transaction((manager) => giveUp(database, mark, manager));
  if (stores === null) return null;
  logger.warn(
    `The database is a copy and was detached: it has given up ${stores} ${stores === 1 ? 'store' : 'stores'} with all their payments, and ` +
      `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} that ${deliveries === 1 ? 'was' : 'were'} still to be made.`,
  );
  return { stores, deliveries };
}

async function inBatches(database: Database, sql: string): Promise<number> {
  let [all, last] = [0, BATCH];
  while (last === BATCH) {
    last = (await database.statement(sql, [])).affected;
    all += last;
  }
  return all;
}

/** The stores, with the windows of what the original may have lost; null: it is no copy, or was detached at the same moment. */
async function giveUp(database: Database, mark: CommitMark, manager: EntityManager): Promise<number | null> {
  const found = await mark.look(manager);
  if (otherPlace(found) === null) return null;
  // The identifier at the service is free for a store of the copy. No webhook address has a key like that.
  const [, stores] = await manager.query<[unknown[], number]>(
    `UPDATE ${database.table(PaymentsStoreEntity)} SET detached_at = ${database.now}, kind = 'connected', status = 'disconnected',
         account_id = account_id || ' of the original, ' || id, webhook_key = 'detached ' || id, encrypted_token = NULL,
         token_expires_at = NULL, maintenance_at = NULL
       WHERE detached_at IS NULL`,
  );
  await manager.query(
    `UPDATE ${database.table(PaymentsRecoveryEntity)} SET done_at = ${database.now} WHERE done_at IS NULL`,
  );
  await mark.renew(manager);
  await mark.write(manager, found, true);
  return stores;
}

function isCopy(mark: CommitMark): string {
  return `EXISTS (SELECT FROM ${mark.elsewhere})`;
}

/** SQL: a batch of deliveries that nobody makes any more. */
function deliveriesSql(database: Database, mark: CommitMark): string {
  const deliveries = database.table(PaymentsDeliveryEntity);
  const first = (condition: string, order: string) =>
    `(SELECT ctid FROM ${deliveries} open
         WHERE open.handler_id = handler.id AND done_at IS NULL AND ${condition} ORDER BY ${order} LIMIT ${BATCH})`;
  return `WITH ${TERMS}, batch AS MATERIALIZED (
        SELECT open.ctid FROM terms, ${database.table(PaymentsHandlerEntity)} handler CROSS JOIN LATERAL (
          ${first('parked_at IS NULL', 'sequence, event_id')} UNION ALL ${first('parked_at IS NOT NULL', 'parked_at, event_id')}
        ) open
        WHERE ${isCopy(mark)} LIMIT ${BATCH}
      )
      UPDATE ${deliveries} SET done_at = ${database.now}, parked_at = NULL, lease_until = NULL, data = NULL,
        last_error = 'ended as the copy was detached'
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM batch))`;
}

/** SQL: a batch of prepayments of whose term nobody is told any more. */
function prepaymentsSql(database: Database, mark: CommitMark): string {
  const payments = database.table(PaymentsPaymentEntity);
  return `WITH ${TERMS}, batch AS MATERIALIZED (
        SELECT payment.ctid FROM terms, ${payments} payment
        WHERE unsettled_due_at IS NOT NULL AND ${isCopy(mark)} ORDER BY unsettled_due_at, id LIMIT ${BATCH}
      )
      UPDATE ${payments} SET unsettled_due_at = NULL WHERE ctid = ANY (ARRAY(SELECT ctid FROM batch))`;
}
