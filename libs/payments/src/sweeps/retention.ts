import { Inject, Injectable, Logger } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { removeOldRows } from './old-rows.js';

/** Business time from one pass to the next. */
const EVERY_MS = 86_400_000;
/** In the database's own time. */
const LEASE_MS = 60_000;

/** Removes old rows once a day, by one process at a time. */
@Injectable()
export class Retention {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Removes one batch if a pass is due; false where there is nothing left to remove. */
  async runNext(): Promise<boolean> {
    const { retentionMs } = this.options;
    const startedAt = retentionMs === null ? null : await this.#lease();
    if (retentionMs === null || startedAt === null) return false;
    const removed = await removeOldRows(this.database, this.stores.shop.id, retentionMs);
    if (removed > 0) {
      this.#logger.log(`Removed ${removed} rows about payments settled before the retention time.`);
      await this.#release({});
      return true;
    }
    await this.#release({ retentionAt: new Date(startedAt.getTime() + EVERY_MS) });
    return false;
  }

  /** Answers with the business time of the pass; null where none is due. */
  async #lease(): Promise<Date | null> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ now: Date }[], number]>(
        `UPDATE ${this.database.table(StoreEntity)}
         SET retention_lease_until = ${plusMs('clock_timestamp()', LEASE_MS)}
         WHERE id = $1 AND (retention_at IS NULL OR retention_at <= ${this.database.now})
           AND (retention_lease_until IS NULL OR retention_lease_until <= clock_timestamp())
         RETURNING ${this.database.now} AS now`,
        [this.stores.shop.id],
      ),
    );
    return rows[0]?.now ?? null;
  }

  async #release(next: { retentionAt?: Date }): Promise<void> {
    await this.database.transaction((manager) =>
      manager.update(StoreEntity, { id: this.stores.shop.id }, { ...next, retentionLeaseUntil: null }),
    );
  }
}
