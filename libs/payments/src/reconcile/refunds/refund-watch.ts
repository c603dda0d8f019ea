import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../../common/clock.js';
import { HOUR_MS } from '../../common/durations.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../../common/log-limit.js';
import { messageOf } from '../../common/message-of.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { Database } from '../../database/database.js';
import { isOver, leaseEnd } from '../../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { RateLimiter } from '../../stores/rate-limiter.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { Shutdown } from '../../work/shutdown.js';
import type { Work } from '../../work/worker-pool.js';
import { RefundNews } from './refund-news.js';

/** Business time from one look to the next. */
const EVERY_MS = 10 * 60_000;
/** Looked at again each time: a list may lag behind, and the service's clock may have been set. */
const OVERLAP_MS = HOUR_MS;
/** After a look that failed, in the database's own time. */
const RETRY_MS = 60_000;
/** Looks at stores that hang, beside the slots of those that answer. */
const ASIDE = 8;

/** The right to watch a store, and since when. */
interface Watch {
  readonly storeId: string;
  readonly accountId: string;
  readonly seenTo: Date;
  readonly now: Date;
}

/** Two, so that a store that hangs leaves one for the others. */
const SLOTS = 2;

/**
 * Finds refunds made outside the module whose notifications were lost: nothing else would make us look at a payment that is over.
 * Lists the store's refunds since the last look, and makes each payment due that has news.
 */
@Injectable()
export class RefundWatch {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly limiter: RateLimiter,
    private readonly refunds: RefundNews,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: it is time to look at some store. */
  get waits(): string {
    return `EXISTS (SELECT FROM ${this.#table} store WHERE ${this.#mayBeWatched} AND ${this.#isDue})`;
  }

  /** SQL condition on the row `store`. */
  get #mayBeWatched(): string {
    return `${this.stores.isUsable('store')} AND ${this.limiter.left('store.id', 'polls')}`;
  }

  get #isDue(): string {
    return `status = 'connected' AND refund_watch_at <= ${this.database.now}
             AND ${isOver('refund_watch_lease_until')}`;
  }

  /** Looks at stores for which it is time, if no other process does. */
  get work(): Work<Watch> {
    return {
      slots: SLOTS,
      aside: ASIDE,
      take: async () => (this.shutdown.hasBegun ? [] : this.#claim()),
      run: (watch) => this.#watch(watch),
    };
  }

  async #watch(watch: Watch): Promise<void> {
    try {
      await this.#look(watch);
      await this.#done(watch);
    } catch (error) {
      // Broken off, not failed: another process may look at once.
      if (this.shutdown.hasBegun) return this.#giveBack(watch);
      const count = this.#failures.take();
      const message = messageOf(error);
      if (count !== null)
        this.#logger.warn(
          `The refunds of store ${watch.accountId} could not be listed and will be tried again: ${message}${andOthers(count)}`,
          { storeId: watch.storeId },
        );
      await this.limiter.heed(watch.storeId, error);
      await this.#lease(watch, RETRY_MS);
    }
  }

  async #claim(): Promise<Watch[]> {
    // Checked again on the row itself, which another worker may have leased since it was found.
    const isDue = this.#isDue;
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[Watch[], number]>(
        // Postponed first: a store that fails or hangs goes behind those that have waited meanwhile.
        `UPDATE ${this.#table} SET refund_watch_lease_until = ${leaseEnd(this.options.leaseMs)},
           refund_watch_at = ${plusMs(this.database.now, RETRY_MS)}
         WHERE ${isDue} AND id = (
           SELECT store.id FROM ${this.#table} store
           WHERE ${this.#mayBeWatched} AND ${isDue}
           ORDER BY refund_watch_at
           LIMIT 1
         )
         RETURNING id AS "storeId", account_id AS "accountId",
           COALESCE(refunds_seen_to, created_at) AS "seenTo", ${this.database.now} AS now`,
      ),
    );
    return rows;
  }

  async #look(watch: Watch): Promise<void> {
    await this.refunds.list(watch.storeId, {
      ours: { from: watch.seenTo, to: watch.now },
      marginMs: OVERLAP_MS,
      isOpenEnded: true,
      cursor: null,
      since: null,
      end: this.shutdown.signal,
      seen: () => this.#lease(watch, this.options.leaseMs),
    });
  }

  /** A process that was paused past its lease may come late: the watched time never goes back. */
  async #done({ storeId, now }: Watch): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.#table}
         SET refunds_seen_to = GREATEST(refunds_seen_to, $2), refund_watch_at = ${plusMs('$2::timestamptz', EVERY_MS)},
             refund_watch_lease_until = NULL
         WHERE id = $1`,
        [storeId, now],
      ),
    );
  }

  async #lease({ storeId }: Watch, ms: number): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(`UPDATE ${this.#table} SET refund_watch_lease_until = ${leaseEnd(ms)} WHERE id = $1`, [
        storeId,
      ]),
    );
  }

  async #giveBack({ storeId }: Watch): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.#table} SET refund_watch_lease_until = NULL, refund_watch_at = ${this.database.now} WHERE id = $1`,
        [storeId],
      ),
    );
  }

  get #table(): string {
    return this.database.table(PaymentsStoreEntity);
  }
}
