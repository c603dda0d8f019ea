import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreEntity } from '../stores/store.entity.js';

/**
 * How many re-reads all processes together make for one store, whatever asks for them: a storm of notifications,
 * forged ones too, costs the service no more than this. The store's row tells up to when its budget is spent; it may
 * be spent `burst` re-reads ahead. Leases bound what processes that look at once can overdraw: one each.
 */
@Injectable()
export class RereadBudget {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: the store of this id has a re-read left. */
  left(storeId: string): string {
    const ahead = plusMs('clock_timestamp()', this.#everyMs * (this.options.rereadBurst - 1));
    return `EXISTS (SELECT 1 FROM ${this.#table} WHERE id = ${storeId} AND (rereads_spent_to IS NULL OR rereads_spent_to <= ${ahead}))`;
  }

  /** SQL of a statement that spends one re-read of the store of this id, for a row of `picked`. */
  spend(storeId: string): string {
    return `UPDATE ${this.#table} store
       SET rereads_spent_to = ${plusMs('GREATEST(store.rereads_spent_to, clock_timestamp())', this.#everyMs)}
       FROM picked WHERE store.id = ${storeId}`;
  }

  get #everyMs(): number {
    return 1_000 / this.options.rereadsPerSecond;
  }

  get #table(): string {
    return this.database.table(StoreEntity);
  }
}
