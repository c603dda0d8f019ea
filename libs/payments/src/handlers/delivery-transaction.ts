import type { EntityManager } from 'typeorm';
import { PaymentsError } from '../common/payments.errors.js';
import { sqlState } from '../common/sql-state.js';
import type { Database } from '../database/database.js';
import { makeNextDue } from '../payment/delivery-sequence.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { DeliveryClaim } from './delivery-claims.js';

/** in_failed_sql_transaction: a statement failed before, and nothing counts any more until the transaction is rolled back. */
const ABORTED = '25P02';

/** The transaction that is open after the handler is not the one that it was given. */
class HandlerTransactionEndedError extends PaymentsError {
  readonly code = 'handler_transaction_ended';

  constructor() {
    super(
      'The handler ended the transaction it was given. It must not commit or roll back: return to keep what it wrote, throw to roll it back. ' +
        'What it committed itself stays, and is written again by the next run.',
    );
  }
}

/** A statement failed and the handler continued. */
class HandlerTransactionFailedError extends PaymentsError {
  readonly code = 'handler_transaction_failed';

  constructor(cause: unknown) {
    super(
      'A statement of the handler failed, so PostgreSQL keeps nothing of its transaction, but the handler continued. Let the error ' +
        'through, or run what may fail in manager.transaction(), which rolls back only that part.',
      { cause },
    );
  }
}

/** The handler, or a statement of its own, took longer than it may. */
export class HandlerDeadlineError extends PaymentsError {
  readonly code = 'handler_deadline';

  constructor(deadlineMs: number) {
    super(
      `The handler did not finish within ${deadlineMs} ms, and what it wrote is rolled back. Make it faster, or raise handlerTimeoutMs.`,
    );
  }
}

/** The data that a run begins with. */
interface LockedDelivery {
  readonly transactionId: string;
  /** As it is now; null for an event that has none. */
  readonly payment: PaymentsPaymentEntity | null;
}

/**
 * Runs `work` in the delivery's transaction, with the delivery locked. Does nothing if another worker has the delivery, or has
 * made it: we were paused past our lease.
 */
export function inDelivery(
  database: Database,
  { eventId, handlerId, attempts, leaseUntil, payment: claimed, paymentVersion }: DeliveryClaim,
  deadlineMs: number,
  work: (manager: EntityManager, locked: LockedDelivery) => Promise<void>,
): Promise<void> {
  // The payment was read with the claim, many at once; it is read again only if its row has changed since. The delivery is found
  // by its key alone: the other conditions are written so that no index of waiting deliveries fits. The lock keeps every other run
  // out, and nobody who puts a delivery behind this one. A run that did not count leaves its number to the next one: the lease tells
  // them apart.
  const sql = (terms: string) => `SELECT ${terms}, pg_current_xact_id()::text AS transaction_id,
      (SELECT xmin::text FROM ${database.table(PaymentsPaymentEntity)} WHERE id = $4) AS payment_version
    FROM ${database.table(PaymentsDeliveryEntity)}
    WHERE event_id = $1 AND handler_id = $2 AND attempts IS NOT DISTINCT FROM $3
      AND lease_until IS NOT DISTINCT FROM $5::timestamptz AND COALESCE(done_at, parked_at) IS NULL
    FOR KEY SHARE`;
  return database.transactionFrom(
    { sql, parameters: [eventId, handlerId, attempts, claimed?.id ?? null, leaseUntil] },
    async (manager, { rows: [row] }) => {
      if (!row) return;
      const transactionId = String(row['transaction_id']);
      const isChanged = claimed !== null && row['payment_version'] !== paymentVersion;
      const payment = isChanged
        ? await manager.findOneByOrFail(PaymentsPaymentEntity, { id: claimed.id })
        : claimed;
      await work(manager, { transactionId, payment });
    },
    // Not run again on a conflict: what the handler did outside the database counts as this attempt's.
    { deadlineMs, retry: false },
  );
}

/**
 * Marks the delivery done, only in this very transaction: in another one the mark would be kept without the handler's writes.
 * @throws HandlerTransactionEndedError
 * @throws HandlerTransactionFailedError
 */
export async function markDone(
  manager: EntityManager,
  database: Database,
  claim: DeliveryClaim,
  transactionId: string,
): Promise<void> {
  const { eventId, handlerId } = claim;
  try {
    const [done] = await database.query<{ nextEventId: string | null }>(
      manager,
      `UPDATE ${database.table(PaymentsDeliveryEntity)} SET done_at = ${database.now}, lease_until = NULL, last_error = NULL
       WHERE event_id = $1 AND handler_id = $2 AND pg_current_xact_id()::text = $3
       RETURNING next_event_id AS "nextEventId"`,
      [eventId, handlerId, transactionId],
    );
    if (!done) throw new HandlerTransactionEndedError();
    if (done.nextEventId !== null) await makeNextDue(manager, database, done.nextEventId, handlerId);
  } catch (error) {
    throw sqlState(error) === ABORTED ? new HandlerTransactionFailedError(error) : error;
  }
}
