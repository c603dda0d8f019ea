import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { plusMs } from '../common/clock.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shutdown } from '../work/shutdown.js';

const WAIT_FOR_OTHER_MS = 50;
/** From a look that failed to the next, in business time. */
const RETRY_MS = 60_000;

/** The right to work on one store, for as long as its fence stands. */
export interface StoreLease {
  readonly storeId: string;
  readonly fence: number;
}

/** Only one process works on a store: otherwise what it creates at the service would exist twice. */
@Injectable()
export class StoreLeases {
  constructor(
    private readonly database: Database,
    private readonly gate: RecoveryGate,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: some store is due. */
  get waits(): string {
    return `EXISTS (${this.#waiting})`;
  }

  /** A store that is due, the longest waiting first; null if there is none. */
  next(): Promise<StoreLease | null> {
    return this.#take(
      // Checked again on the row itself, which another process may have handled since it was found.
      `maintenance_at <= ${this.database.now} AND id = (${this.#waiting})`,
    );
  }

  /** This store, as soon as no other process has it; null if that takes longer than a call may, or this process ends. */
  async of(storeId: string): Promise<StoreLease | null> {
    const deadline = performance.now() + this.options.callDeadlineMs;
    do {
      const lease = await this.#take('id = $1', storeId);
      if (lease) return lease;
      await delay(WAIT_FOR_OTHER_MS);
    } while (performance.now() < deadline && !this.shutdown.hasBegun);
    return null;
  }

  /** false: another process has taken over. */
  async renew({ storeId, fence }: StoreLease): Promise<boolean> {
    const [, count] = await this.database.transaction((manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE ${this.#table} SET maintenance_lease_until = ${this.#end} WHERE id = $1 AND maintenance_fence = $2`,
        [storeId, fence],
      ),
    );
    return count === 1;
  }

  /**
   * `maintenanceAt`: SQL of when the store is checked next; null: the time it was postponed to. A request that made it due
   * meanwhile stays.
   */
  async release({ storeId, fence }: StoreLease, maintenanceAt: string | null): Promise<void> {
    const next =
      maintenanceAt === null
        ? ''
        : `, maintenance_at = CASE WHEN maintenance_at > ${this.database.now} THEN ${maintenanceAt} ELSE maintenance_at END`;
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.#table} SET maintenance_lease_until = NULL${next} WHERE id = $1 AND maintenance_fence = $2`,
        [storeId, fence],
      ),
    );
  }

  /** Postpones the next look first: what fails or dies now is tried again then. */
  async #take(condition: string, ...parameters: unknown[]): Promise<StoreLease | null> {
    const retryAt = plusMs(this.database.now, RETRY_MS);
    const [rows] = await this.database.transaction(async (manager) => {
      await this.gate.mustBeConfirmedIn(manager);
      return manager.query<[StoreLease[], number]>(
        `UPDATE ${this.#table} SET maintenance_lease_until = ${this.#end}, maintenance_fence = maintenance_fence + 1,
           maintenance_at = CASE WHEN maintenance_at < ${retryAt} THEN ${retryAt} ELSE maintenance_at END
         WHERE ${condition} AND ${isOver('maintenance_lease_until')}
         RETURNING id AS "storeId", maintenance_fence AS fence`,
        parameters,
      );
    });
    return rows[0] ?? null;
  }

  get #waiting(): string {
    return `SELECT due.id FROM ${this.#table} due
         WHERE due.kind = 'connected' AND due.maintenance_at <= ${this.database.now} AND ${isOver('due.maintenance_lease_until')}
         ORDER BY due.maintenance_at LIMIT 1`;
  }

  get #end(): string {
    return leaseEnd(this.options.leaseMs);
  }

  get #table(): string {
    return this.database.table(PaymentsStoreEntity);
  }
}
