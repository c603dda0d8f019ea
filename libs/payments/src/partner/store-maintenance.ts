import { Injectable } from '@nestjs/common';
import { plusMs } from '../common/clock.js';
import { DAY_MS } from '../common/durations.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { StoreBusyError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';
import type { Work } from '../work/worker-pool.js';
import { StoreCheck } from './store-check.js';
import { StoreLeases, type StoreLease } from './store-leases.js';
import type { SubscriptionReport } from './subscriptions.js';
import { TokenRevoker } from './token-revoker.js';

/** There is no notification when an owner changes the store's settings or removes a webhook. */
const EVERY_MS = DAY_MS;
/** Looks at stores that hang, beside the slots of those that answer. */
const ASIDE = 16;
const SLOTS = 4;

/**
 * Checks connected stores: once a day, when their token is in doubt, and if a connection or disconnection was left half-way.
 * Every step may be repeated: if this process is about to end, what was sent is finished and the rest is left to others, at once.
 */
@Injectable()
export class StoreMaintenance {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly leases: StoreLeases,
    private readonly check: StoreCheck,
    private readonly shutdown: Shutdown,
    private readonly revoker: TokenRevoker,
    private readonly signal: WorkSignal,
  ) {}

  /** SQL condition: there is one to check. */
  get waits(): string {
    return this.leases.waits;
  }

  /** Checks stores that are due. */
  get work(): Work<StoreLease> {
    return {
      slots: SLOTS,
      aside: ASIDE,
      take: async () => {
        const lease = this.shutdown.hasBegun ? null : await this.leases.next();
        return lease ? [lease] : [];
      },
      run: (lease) => this.#sweep(lease),
    };
  }

  /** The store is connected, whatever happens here: the sweep continues. `replaced`: the token that it had before. */
  async begin(storeId: string, replaced: string | null): Promise<void> {
    this.signal.wake();
    try {
      await this.lookAfter(storeId);
    } catch (error) {
      const reason = messageOf(error);
      this.#logger.warn(
        `The webhooks of store ${storeId} are not complete yet; the sweep continues: ${reason}`,
        { storeId },
      );
    }
    if (replaced !== null) await this.revoker.revoke(storeId, replaced);
  }

  /** Reads the store's settings now. */
  refresh(store: PaymentsStoreEntity): Promise<void> {
    return this.check.refresh(store);
  }

  /**
   * Checks the store now, as the sweep would; null if it is not connected.
   * @throws StoreBusyError if another process has worked on it all the time, or this one ends
   */
  async lookAfter(storeId: string): Promise<SubscriptionReport | null> {
    const lease = await this.leases.of(storeId);
    if (!lease) throw new StoreBusyError(storeId);
    return this.#look(lease);
  }

  async #sweep(lease: StoreLease): Promise<void> {
    try {
      await this.#look(lease);
    } catch (error) {
      const count = this.shutdown.hasBegun ? null : this.#failures.take();
      if (count === null) return;
      const reason = messageOf(error);
      this.#logger.warn(
        `Store ${lease.storeId} could not be checked and will be tried again: ${reason}${andOthers(count)}`,
        { storeId: lease.storeId },
      );
    }
  }

  /** The whole check, which alone postpones the next one for a day; null if the store is not connected. */
  async #look(lease: StoreLease): Promise<SubscriptionReport | null> {
    let next: string | null = null;
    try {
      const report = await this.check.run(lease);
      next = plusMs(this.database.now, EVERY_MS);
      return report;
    } finally {
      await this.leases.release(lease, next ?? this.#again());
    }
  }

  /** SQL of when to check next after an unfinished check; null: the time it was postponed to. */
  #again(): string | null {
    // An interrupted check is another process's at once.
    return this.shutdown.hasBegun ? this.database.now : null;
  }
}
