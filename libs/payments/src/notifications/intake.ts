import { Injectable } from '@nestjs/common';
import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { randomUUID } from 'node:crypto';
import { Database } from '../database/database.js';
import type { StoreEntity } from '../stores/store.entity.js';
import { WorkSignal } from '../sweeps/work-signal.js';
import type { NotificationHint } from './notification-body.js';
import { NotificationEntity } from './notification.entity.js';
import { objectTypes } from './object-types.js';

/** The service waits for its 200 only so long; a store that is slower than this is as good as down. */
const DEADLINE_MS = 5_000;
/** Notifications that wait for a connection, beside those that have one. What comes beyond is better sent again. */
const WAITING = 100;

/** There are more notifications at once than are taken. */
export class IntakeBusyError extends Error {
  override readonly name = 'IntakeBusyError';
}

/** Stores a notification, once per (store, event, object), and counts its repeats. It touches nothing else. */
@Injectable()
export class Intake {
  readonly #slots: BulkheadPolicy;

  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
  ) {
    // A quarter of the pool, so that no flood takes the connections of the host.
    this.#slots = bulkhead(Math.max(1, Math.floor(database.poolSize / 4)), WAITING);
  }

  /**
   * Resolves once the notification is committed; rejects where it could not be stored.
   * @throws IntakeBusyError where there is no room for it
   */
  async store(
    store: StoreEntity,
    hint: NotificationHint,
    body: string,
    senderAddress: string,
  ): Promise<void> {
    try {
      const giveUpAt = performance.now() + DEADLINE_MS;
      await this.#slots.execute(() => {
        // Not by an abort signal: the bulkhead would never come to those that wait behind an aborted one.
        if (performance.now() > giveUpAt) throw new IntakeBusyError('the database is too slow');
        return this.#store(store, hint, body, senderAddress);
      });
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new IntakeBusyError('too many notifications at once');
      throw error;
    }
    this.signal.wake();
  }

  async #store(
    store: StoreEntity,
    { event, objectType, objectId }: NotificationHint,
    body: string,
    senderAddress: string,
  ): Promise<void> {
    const table = this.database.table(NotificationEntity);
    // Of a kind that nothing here re-reads: kept, and handled with that.
    const handled = objectType !== 'payment' && !objectTypes.some((known) => known === objectType);
    await this.database.transaction(
      (manager) =>
        manager.query(
          `INSERT INTO ${table} AS known 
             (id, store_id, event, object_type, object_id, body, sender_address, handled_count, first_at, last_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${this.database.now}, ${this.database.now})
           ON CONFLICT (store_id, object_id, event) DO UPDATE
           SET count = known.count + 1, handled_count = known.handled_count + excluded.handled_count,
             body = excluded.body, sender_address = excluded.sender_address, last_at = excluded.last_at`,
          [randomUUID(), store.id, event, objectType, objectId, body, senderAddress, handled ? 1 : 0],
        ),
      { deadlineMs: DEADLINE_MS },
    );
  }
}
