import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IN_FLIGHT_MS } from '../api/limits.js';
import { plusMs } from '../common/clock.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { recordRollback } from '../rollback/record-rollback.js';
import {
  PaymentsRecoveryEntity,
  type RecoveryListing,
  type RecoveryReason,
} from '../schema/recovery.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { WorkSignal } from '../work/work-signal.js';
import { afterWindow, rereadPauseMs } from './decide-window.js';

/** After a list that failed, in the database's own time. */
const RETRY_MS = 60_000;

/** The right to read one window, for as long as its fence stands. */
export interface RecoveryLease {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly accountId: string;
  readonly epoch: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly reason: RecoveryReason;
  readonly startedAt: Date;
  /** Since when the service answers its lists, before this lease; null: it does not, or was not asked yet. */
  readonly firstReadAt: Date | null;
  /** Where another process left it. */
  readonly listing: RecoveryListing;
  readonly cursor: string | null;
}

/** What a page of its list brought. */
export interface Progress {
  readonly listing: RecoveryListing;
  /** Null: the place stays where it is. */
  readonly place: string | null;
  readonly payments?: number;
  /** By all of the list so far: the same payments are seen again when it is listed once more, re-read meanwhile or not. */
  readonly withRefunds?: number;
}

/** How a window ended. */
export interface Ended {
  readonly payments: number;
  readonly withRefunds: number;
}

/** Another process has taken the window over. */
export class RecoveryLeaseLostError extends Error {
  constructor() {
    super('Another process has taken the window over.');
  }
}

/** Which process reads which window, how far it has come, and how it ended. */
@Injectable()
export class RecoveryLeases {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly limiter: RateLimiter,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: there is a window to read. */
  get waits(): string {
    return `EXISTS (${this.#waiting})`;
  }

  /** The one that has waited longest; none: null. */
  async take(): Promise<RecoveryLease | null> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[RecoveryLease[], number]>(
        // Checked again on the row itself, which another process may have taken since it was found.
        `UPDATE ${this.#table} taken SET lease_until = ${leaseEnd(this.options.leaseMs)}, fence = fence + 1
         FROM ${this.#stores} store
         WHERE taken.id = (${this.#waiting}) AND store.id = taken.store_id AND taken.done_at IS NULL AND ${isOver('taken.lease_until')}
         RETURNING taken.id, taken.fence, taken.store_id AS "storeId", store.account_id AS "accountId", taken.epoch,
           taken.from_at AS "from", taken.to_at AS "to", taken.reason, taken.started_at AS "startedAt",
           taken.first_read_at AS "firstReadAt", taken.listing, taken.cursor`,
      ),
    );
    return rows[0] ?? null;
  }

  /**
   * Keeps the place and extends the lease; false: the store has no request left for now.
   * @throws RecoveryLeaseLostError
   */
  async advance(
    { id, fence }: RecoveryLease,
    { listing, place, payments = 0, withRefunds = 0 }: Progress,
  ): Promise<boolean> {
    const row = await this.#write<{ readonly left: boolean }>(
      `listing = $3, cursor = CASE WHEN listing = $3 THEN COALESCE($4, cursor) ELSE $4 END, error = NULL,
       first_read_at = COALESCE(first_read_at, ${this.database.now}), payments_adopted = payments_adopted + $5, payments_with_refunds = GREATEST(payments_with_refunds, $6),
       lease_until = ${leaseEnd(this.options.leaseMs)}`,
      [id, fence, listing, place, payments, withRefunds],
      `${this.limiter.left('taken.store_id', 'notified')} AS left`,
    );
    if (row === null) throw new RecoveryLeaseLostError();
    return row.left;
  }

  /** All of it was read, or nobody may ever read it: `error` says why, or what is still missing (`isRead`). */
  async end(lease: RecoveryLease, error: string | null, isRead = error === null): Promise<Ended> {
    const { id, fence, storeId } = lease;
    const ended = await this.database.transaction(async (manager) => {
      const [[row]] = await manager.query<[Ended[], number]>(
        `UPDATE ${this.#table} SET done_at = ${this.database.now}, lease_until = NULL, cursor = NULL, error = $3
         WHERE id = $1 AND fence = $2 AND done_at IS NULL
         RETURNING payments_adopted AS payments, payments_with_refunds AS "withRefunds"`,
        [id, fence, error],
      );
      if (!row) throw new RecoveryLeaseLostError();
      const { looksAgain, settlesWithin, rollback } = afterWindow(lease, { error, isRead, ...row });
      if (looksAgain) await this.#lookAgain(manager, id);
      if (settlesWithin) await this.#settleWithin(manager, lease);
      if (rollback) await recordRollback(manager, this.database, storeId, rollback);
      return row;
    });
    this.signal.wake('deliveries');
    return ended;
  }

  async #lookAgain(manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `INSERT INTO ${this.#table} (id, store_id, from_at, to_at, reason, started_at)
       SELECT gen_random_uuid(), store_id, to_at, ${plusMs('to_at', IN_FLIGHT_MS)}, 'in_flight', ${plusMs(this.database.now, IN_FLIGHT_MS)}
       FROM ${this.#table} WHERE id = $1`,
      [id],
    );
  }

  async #settleWithin(manager: EntityManager, { storeId, from, to }: RecoveryLease): Promise<void> {
    await manager.query(
      `UPDATE ${this.#table} SET error = NULL
       WHERE store_id = $1 AND done_at IS NOT NULL AND error IS NOT NULL AND from_at >= $2 AND to_at <= $3`,
      [storeId, from, to],
    );
  }

  /**
   * For another try later. `isFromStart`: the place is of no use any more. `isOutage`: the service did not answer, and buyers wait until
   * it does; otherwise they do so no longer than while its lists are read.
   */
  async postpone(
    lease: RecoveryLease,
    error: string,
    { isFromStart, isOutage }: { readonly isFromStart: boolean; readonly isOutage: boolean },
  ): Promise<void> {
    const firstReadAt = isOutage ? 'NULL' : `COALESCE(first_read_at, ${this.database.now})`;
    const place = isFromStart ? ', cursor = NULL' : '';
    await this.#again(lease, error, RETRY_MS, `, first_read_at = ${firstReadAt}${place}`);
  }

  /** From the page on that shows its payment, once that will have been re-read; false: the window has waited long enough. */
  async awaitReread(lease: RecoveryLease, error: string): Promise<boolean> {
    const { firstReadAt } = lease;
    const now = await this.database.businessTime();
    const pauseMs = rereadPauseMs(firstReadAt && now.getTime() - firstReadAt.getTime());
    if (pauseMs === null) return false;
    await this.#again(lease, error, pauseMs);
    return true;
  }

  async #again({ id, fence }: RecoveryLease, error: string, afterMs: number, also = ''): Promise<void> {
    await this.#write(`lease_until = ${leaseEnd(afterMs)}, error = $3${also}`, [id, fence, error]);
  }

  /** For another process, at once. */
  async giveBack({ id, fence }: RecoveryLease): Promise<void> {
    await this.#write('lease_until = NULL', [id, fence]);
  }

  /** Only while the fence of $2 stands; null: it does not. */
  async #write<Row>(
    assignments: string,
    parameters: readonly unknown[],
    returned = 'id',
  ): Promise<Row | null> {
    const [[row]] = await this.database.transaction((manager) =>
      manager.query<[Row[], number]>(
        `UPDATE ${this.#table} taken SET ${assignments} WHERE id = $1 AND fence = $2 AND done_at IS NULL RETURNING ${returned}`,
        [...parameters],
      ),
    );
    return row ?? null;
  }

  get #waiting(): string {
    return `SELECT waiting.id FROM ${this.#table} waiting JOIN ${this.#stores} store ON store.id = waiting.store_id
            WHERE waiting.done_at IS NULL AND waiting.started_at <= ${this.database.now} AND ${isOver('waiting.lease_until')}
              AND ${this.stores.isUsable('store')} AND ${this.limiter.left('store.id', 'notified')}
            ORDER BY waiting.started_at LIMIT 1`;
  }

  get #stores(): string {
    return this.database.table(PaymentsStoreEntity);
  }

  get #table(): string {
    return this.database.table(PaymentsRecoveryEntity);
  }
}
