import { Inject, Injectable } from '@nestjs/common';
import { followPrepayment } from '../../apply/receipts/follow-prepayment.js';
import { headOf, useIndexes } from '../../database/by-index.js';
import { Database } from '../../database/database.js';
import { unlocked } from '../../database/lock-wait.js';
import { HeldPayments } from '../../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { withPayment } from '../../payment/locks.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';

/** Rows of one step. */
const BATCH = 100;
const FIRST: Place = ['-infinity', '00000000-0000-0000-0000-000000000000'];

type Place = readonly [dueAt: string, id: string];

interface Row {
  readonly id: string;
  readonly storeId: string;
  readonly dueAt: string;
}

/**
 * Finds prepayments whose term is over, of every store: nothing of the service has to be read for that, so they have no place in the
 * queue of re-reads, where they would wait for their store, and stand before payments that are in progress.
 */
@Injectable()
export class UnsettledWatch {
  #after: Place = FIRST;

  constructor(
    private readonly database: Database,
    private readonly held: HeldPayments,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: there is one. */
  get waits(): string {
    const { database } = this;
    if (!this.options.profile.receipts) return 'false';
    const due = headOf({ of: 'payment', where: {}, time: 'unsettled_due_at', upTo: database.now });
    return `EXISTS (SELECT FROM ${database.table(PaymentsPaymentEntity)} payment WHERE ${due} LIMIT 1)`;
  }

  /** The next of them, each in a transaction of its own; false: these were the last. One that is locked waits for the next tick. */
  async runNext(): Promise<boolean> {
    const rows = await this.#next();
    const last = rows.at(-1);
    this.#after = last && rows.length === BATCH ? [last.dueAt, last.id] : FIRST;
    await unlocked(rows, (row, bounds) =>
      withPayment(
        this.database,
        row,
        (manager, locked) =>
          this.held.change(manager, locked, 'sweep', (before) => ({
            draft: followPrepayment(before, 'sweep', this.options.unsettledAfterMs),
          })),
        bounds,
      ),
    );
    return rows.length === BATCH;
  }

  #next(): Promise<Row[]> {
    const { database } = this;
    return database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Row[]>(
        `SELECT id, store_id AS "storeId", to_json(unsettled_due_at) #>> '{}' AS "dueAt" FROM ${database.table(PaymentsPaymentEntity)}
         WHERE (unsettled_due_at, id) > ($1::timestamptz, $2::uuid) AND unsettled_due_at <= ${database.now}
         ORDER BY unsettled_due_at, id LIMIT ${BATCH}`,
        [...this.#after],
      );
    });
  }
}
