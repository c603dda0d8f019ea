import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { sqlState } from '../database/sql-state.js';
import { PaymentsError } from '../payments.errors.js';
import { DeliveryEntity } from './delivery.entity.js';

/** in_failed_sql_transaction: a statement failed before, and nothing counts any more until the transaction is undone. */
const ABORTED = '25P02';

/** The right to make one delivery, for as long as its attempt is the newest. */
export interface DeliveryClaim {
  readonly eventId: string;
  readonly handlerId: string;
  readonly attempts: number;
}

/** The transaction that is open after the handler is not the one that it was given. */
export class HandlerTransactionEndedError extends PaymentsError {
  readonly code = 'handler_transaction_ended';

  constructor() {
    super(
      'The handler ended the transaction it was given. It must not commit or roll back: return to keep what it wrote, throw to undo it. ' +
        'What it committed itself stays, and is written again by the next run.',
    );
  }
}

/** A statement failed and the handler went on. */
export class HandlerTransactionFailedError extends PaymentsError {
  readonly code = 'handler_transaction_failed';

  constructor(cause: unknown) {
    super(
      'A statement of the handler failed, so PostgreSQL keeps nothing of its transaction, but the handler went on. Let the error ' +
        'through, or run what may fail in manager.transaction(), which undoes that part alone.',
      { cause },
    );
  }
}

/** Locks the delivery and returns the id of the transaction; null where another worker has the delivery, or has made it. */
export async function lockDelivery(
  manager: EntityManager,
  database: Database,
  { eventId, handlerId, attempts }: DeliveryClaim,
): Promise<string | null> {
  const [locked] = await manager.query<{ transactionId: string }[]>(
    `SELECT pg_current_xact_id()::text AS "transactionId" FROM ${database.table(DeliveryEntity)}
     WHERE event_id = $1 AND handler_id = $2 AND attempts = $3 AND done_at IS NULL AND parked_at IS NULL
     FOR NO KEY UPDATE`,
    [eventId, handlerId, attempts],
  );
  return locked?.transactionId ?? null;
}

/**
 * Marks the delivery done, in this very transaction alone: in another one the mark would be kept without what the handler wrote.
 * @throws HandlerTransactionEndedError
 * @throws HandlerTransactionFailedError
 */
export async function markDone(
  manager: EntityManager,
  database: Database,
  { eventId, handlerId }: DeliveryClaim,
  transactionId: string,
): Promise<void> {
  try {
    const [, marked] = await manager.query<[unknown[], number]>(
      `UPDATE ${database.table(DeliveryEntity)} SET done_at = ${database.now}, lease_until = NULL, last_error = NULL
       WHERE event_id = $1 AND handler_id = $2 AND pg_current_xact_id()::text = $3`,
      [eventId, handlerId, transactionId],
    );
    if (marked === 0) throw new HandlerTransactionEndedError();
  } catch (error) {
    throw sqlState(error) === ABORTED ? new HandlerTransactionFailedError(error) : error;
  }
}
