import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isOver, leaseEnd } from '../../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { PaymentsAuditEntity } from '../../schema/audit.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import type { AuditSlice } from '../audit.js';

/** The right to work on one audit, for as long as its fence stands. */
export interface AuditLease {
  readonly id: string;
  readonly fence: number;
  readonly storeId: string;
  readonly from: Date;
  readonly to: Date;
  /** Where another process, or a try before, left it. */
  readonly comparedTo: Date | null;
  /** Tries of the next day that have failed. */
  readonly failures: number;
}

/** Another process has taken the audit over. */
export class AuditLeaseLostError extends Error {
  constructor() {
    super('Another process has taken the audit over.');
  }
}

/** Differences that are kept. Whoever has more has one cause to look for. */
const KEPT = 1_000;

/** Which process makes which audit, how far it has come, and how it ended. */
@Injectable()
export class AuditLeases {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: there is an audit to make. */
  get waits(): string {
    return `EXISTS (${this.#waiting})`;
  }

  /** How long a lease lasts unless it is kept, in ms. */
  get lastsMs(): number {
    return this.options.leaseMs;
  }

  /** The one that has waited longest; none: null. */
  async take(): Promise<AuditLease | null> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[AuditLease[], number]>(
        // Checked again on the row itself, which another process may have taken since it was found.
        `UPDATE ${this.#table} taken SET lease_until = ${leaseEnd(this.lastsMs)}, fence = fence + 1
         WHERE id = (${this.#waiting}) AND done_at IS NULL AND ${isOver('lease_until')}
         RETURNING id, fence, store_id AS "storeId", from_at AS "from", to_at AS "to", compared_to AS "comparedTo", failures`,
      ),
    );
    return rows[0] ?? null;
  }

  /** @throws AuditLeaseLostError */
  keep(lease: AuditLease): Promise<void> {
    return this.#write(lease, `lease_until = ${leaseEnd(this.lastsMs)}`);
  }

  /**
   * Another day is compared.
   * @throws AuditLeaseLostError
   */
  advance(lease: AuditLease, slice: AuditSlice): Promise<void> {
    const { to, payments, refunds, receipts, differences, unsettled } = slice;
    return this.#write(
      lease,
      `compared_to = $3, payments = payments + $4, refunds = refunds + $5, receipts = receipts + $6::int,
       difference_count = difference_count + $7, unsettled_count = unsettled_count + $8, failures = 0, error = NULL,
       differences = CASE WHEN difference_count < ${KEPT} THEN differences || $9::jsonb ELSE differences END,
       lease_until = ${leaseEnd(this.lastsMs)}`,
      [
        to,
        payments,
        refunds,
        receipts,
        differences.length,
        unsettled.length,
        JSON.stringify(differences.slice(0, KEPT)),
      ],
    );
  }

  /** All of it is compared, or it is broken off: `error` says why. */
  end(lease: AuditLease, error: string | null): Promise<void> {
    return this.#write(lease, `done_at = ${this.database.now}, lease_until = NULL, error = $3`, [error]);
  }

  /** For another try later, by whatever process. */
  postpone(lease: AuditLease, error: string, afterMs: number): Promise<void> {
    return this.#write(lease, `lease_until = ${leaseEnd(afterMs)}, failures = failures + 1, error = $3`, [
      error,
    ]);
  }

  /** For another process, at once. */
  giveBack(lease: AuditLease): Promise<void> {
    return this.#write(lease, 'lease_until = NULL');
  }

  /** Only while the fence stands. */
  async #write(
    { id, fence }: AuditLease,
    assignments: string,
    values: readonly unknown[] = [],
  ): Promise<void> {
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[object[], number]>(
        `UPDATE ${this.#table} SET ${assignments} WHERE id = $1 AND fence = $2 AND done_at IS NULL RETURNING id`,
        [id, fence, ...values],
      ),
    );
    if (rows.length === 0) throw new AuditLeaseLostError();
  }

  /** By the index of those that are open: one of each store. */
  get #waiting(): string {
    return `SELECT waiting.id FROM ${this.#table} waiting
      JOIN ${this.database.table(PaymentsStoreEntity)} store ON store.id = waiting.store_id
      WHERE waiting.done_at IS NULL AND ${isOver('waiting.lease_until')} AND ${this.stores.isManaged('store')}
      ORDER BY waiting.started_at LIMIT 1`;
  }

  get #table(): string {
    return this.database.table(PaymentsAuditEntity);
  }
}
