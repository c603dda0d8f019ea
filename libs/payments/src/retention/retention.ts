import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../common/durations.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { OldContacts } from './old-contacts.js';
import { OldRows } from './old-rows.js';

/** Business time from one pass to the next. */
const EVERY_MS = DAY_MS;
/** In the database's own time. */
const LEASE_MS = 60_000;

/** What a pass through a store's rows still has to look at; null: it is kept for ever. */
interface Walk {
  readonly rows: OldRows | null;
  readonly contacts: OldContacts | null;
  removed: number;
  erased: number;
}

/** Removes old rows and erases contacts once a day, by one process at a time. */
@Injectable()
export class Retention {
  readonly #logger = new PaymentsLog();
  /** Where this process continues; another one begins again, which costs no more than reading again what is kept. */
  readonly #walks = new Map<string, Walk>();

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: a pass is due. */
  get waits(): string {
    if (!this.#isOn) return 'false';
    return `EXISTS (SELECT FROM ${this.database.table(PaymentsStoreEntity)} store WHERE ${this.stores.isManaged('store')} AND ${this.#isDue})`;
  }

  get #isOn(): boolean {
    return this.options.retentionMs !== null || this.options.contactsRetentionMs !== null;
  }

  get #isDue(): string {
    return `retention_at <= ${this.database.now}
           AND ${isOver('retention_lease_until')}`;
  }

  /** Handles one batch if a pass is due; false if there is nothing left to do. */
  async runNext(): Promise<boolean> {
    const pass = this.#isOn ? await this.#lease() : null;
    if (pass === null) return false;
    const { storeId, now } = pass;
    const walk = this.#walks.get(storeId) ?? this.#begin(storeId);
    this.#walks.set(storeId, walk);
    const { rows, contacts } = walk;
    if (rows) walk.removed += await rows.remove();
    if (contacts) walk.erased += await contacts.erase();
    if (rows?.isDone === false || contacts?.isDone === false) {
      await this.#release(storeId, {});
      return true;
    }
    this.#walks.delete(storeId);
    if (walk.removed > 0)
      this.#logger.log(`Removed ${walk.removed} rows about payments settled before the retention time.`);
    if (walk.erased > 0) this.#logger.log(`Erased who gets the receipts of ${walk.erased} requests.`);
    await this.#release(storeId, { retentionAt: new Date(now.getTime() + EVERY_MS) });
    // Another store may be due.
    return this.stores.mayHaveConnected;
  }

  #begin(storeId: string): Walk {
    const { retentionMs, contactsRetentionMs } = this.options;
    return {
      rows: retentionMs === null ? null : new OldRows(this.database, storeId, retentionMs),
      contacts:
        contactsRetentionMs === null ? null : new OldContacts(this.database, storeId, contactsRetentionMs),
      removed: 0,
      erased: 0,
    };
  }

  /** A store that is due, and the business time of its pass; null if none is. */
  async #lease(): Promise<{ storeId: string; now: Date } | null> {
    // Checked again on the row itself, which another process may have leased since it was found.
    const isDue = this.#isDue;
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ storeId: string; now: Date }[], number]>(
        `UPDATE ${this.database.table(PaymentsStoreEntity)}
         SET retention_lease_until = ${leaseEnd(LEASE_MS)}
         WHERE ${isDue} AND id = (
           SELECT store.id FROM ${this.database.table(PaymentsStoreEntity)} store
           WHERE ${this.stores.isManaged('store')} AND ${isDue}
           ORDER BY retention_at
           LIMIT 1
         )
         RETURNING id AS "storeId", ${this.database.now} AS now`,
      ),
    );
    return rows[0] ?? null;
  }

  async #release(storeId: string, next: { retentionAt?: Date }): Promise<void> {
    await this.database.transaction((manager) =>
      manager.update(PaymentsStoreEntity, { id: storeId }, { ...next, retentionLeaseUntil: null }),
    );
  }
}
