import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { recordEvent } from '../payment/record-event.js';
import type { NoticedReason } from '../schema/recovery.entity.js';

/** Commits of some time that are missing, or may be. */
export interface Rollback {
  /** The epoch that began with it. */
  readonly epoch: string;
  /** In business time. */
  readonly from: Date;
  readonly to: Date;
  readonly reason: NoticedReason;
}

/** Records the event for the host, once for each epoch, whichever of its stores it is found for. */
export async function recordRollback(
  manager: EntityManager,
  database: Database,
  storeId: string,
  { epoch, from, to, reason }: Rollback,
): Promise<void> {
  await recordEvent(
    manager,
    database,
    { storeId, subject: { type: 'database', id: epoch }, paymentId: null },
    { name: 'database.rolled_back', to: 'rolled_back', cause: 'recovery', evidence: { from, to, reason } },
    { once: true },
  );
}
