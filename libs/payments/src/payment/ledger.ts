import { Injectable } from '@nestjs/common';
import { QueryFailedError, type EntityManager } from 'typeorm';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { Grouped } from '../work/grouped.js';
import type { Change, Written } from './change.js';
import { ledgerRow, LedgerTexts, type RecordingTerms } from './ledger-steps.js';

/** Changes of one statement. */
const MOST = 64;

interface Row extends Written {
  readonly place: number;
}

/**
 * The one writer of the ledger: all that a {@link Change} says is written by one statement, for many payments or for one, together or
 * not at all (G5).
 */
@Injectable()
export class Ledger {
  readonly #logger = new PaymentsLog();
  readonly #texts: LedgerTexts;
  /** Each is an answer in hand, about what was recorded before. */
  readonly #group = new Grouped<Change, Row | null>(
    (changes) => this.database.onceRecorded(() => this.#writeGroup(changes)),
    { most: MOST },
  );

  constructor(private readonly database: Database) {
    this.#texts = new LedgerTexts(database);
  }

  /** Null if something came in between, or holds its rows: then it is decided again, on what is there now. */
  async offer(change: Change): Promise<Written | null> {
    try {
      const row = await this.#group.add(change);
      if (row) this.#warn(change);
      return row;
    } catch (error) {
      // A row that the database refuses must not fail the others of its group.
      if (error instanceof QueryFailedError) return null;
      throw error;
    }
  }

  /**
   * Likewise of what records a request that is sent afterwards, by itself: it commits as its terms say, and not where these do not hold. A
   * payment with its order waits for whoever may be about to record that order.
   */
  async record(change: Change, terms: RecordingTerms): Promise<Written | null> {
    const isNew = change.opened?.order != null;
    const sql = this.#texts.get(isNew ? 'new' : 'version', [change], terms);
    const parameters = [this.#parameter([change]), ...terms.parameters];
    const { rows } = await this.database.statement<Written>(sql, parameters, isNew ? {} : { waitMs: 0 });
    const [row = null] = rows;
    if (row) this.#warn(change);
    return row;
  }

  /**
   * Writes a change whose order is locked in this transaction; the order's version grows with it. Null: the terms of what it records do
   * not hold.
   */
  async write(manager: EntityManager, change: Change): Promise<Written>;
  async write(manager: EntityManager, change: Change, terms: RecordingTerms): Promise<Written | null>;
  async write(
    manager: EntityManager,
    change: Change,
    terms: RecordingTerms | null = null,
  ): Promise<Written | null> {
    const sql = this.#texts.get('held', [change], terms);
    const [row] = await manager.query<Row[]>(sql, [this.#parameter([change]), ...(terms?.parameters ?? [])]);
    if (!row && terms) return null;
    if (!row) throw new Error(`Another worker has taken payment ${change.payment.id} over.`);
    Object.assign(change.order, change.totals, row.version !== null && { version: row.version });
    Object.assign(change.payment, change.after, row.updatedAt && { updatedAt: row.updatedAt });
    this.#warn(change);
    return row;
  }

  #warn({ events, order }: Change): void {
    for (const { alarm, notice, paymentId, storeId } of events) {
      const about = { paymentId, storeId, order: order.reference };
      if (alarm !== undefined) this.#logger.error(alarm, about);
      if (notice !== undefined) this.#logger.warn(notice, about);
    }
  }

  async #writeGroup(changes: readonly Change[]): Promise<(Row | null)[]> {
    const { rows } = await this.database.statement<Row>(
      this.#texts.get('version', changes, null),
      [this.#parameter(changes)],
      { waitMs: 0 },
    );
    const written = new Map(rows.map((row) => [row.place, row]));
    return changes.map((_, place) => written.get(place) ?? null);
  }

  #parameter(changes: readonly Change[]): string {
    return JSON.stringify(changes.map((change, place) => ledgerRow(this.database, place, change)));
  }
}
