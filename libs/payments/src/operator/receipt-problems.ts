import { Inject, Injectable } from '@nestjs/common';
import { useIndexes } from '../database/by-index.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { ReceiptProblemEntity } from '../schema/receipt-problem.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import { StoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** A receipt that needs a person: its registration failed, or takes too long. */
export interface ReceiptProblem {
  readonly id: string;
  readonly store: string;
  readonly paymentId: string;
  /** The refund whose receipt it is; null: the payment's own. */
  readonly refundId: string | null;
  /** `late`: still being registered, and followed on. */
  /** Of a receipt that was sent by itself; null: it went with the money. */
  readonly receiptKey: string | null;
  readonly kind: 'failed' | 'late';
  readonly since: Date;
  /**
   * What helps, by who runs the register (`fiscalization.register`): the service's support, or making the receipt by hand in the
   * register. null: the option is not set.
   */
  readonly remedy: 'ask_service_support' | 'make_by_hand' | null;
}

type Row = Omit<ReceiptProblem, 'remedy'>;

const remedies = { service: 'ask_service_support', third_party: 'make_by_hand' } as const;

/** Receipts that wait for a person, and what the person did. */
@Injectable()
export class ReceiptProblems {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** The oldest ones of each store, and of those the oldest: by the index, whatever else there is. */
  async list(limit: number): Promise<ReceiptProblem[]> {
    const { database, options } = this;
    const remedy = options.fiscalization && remedies[options.fiscalization.register];
    const rows = await database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Row[]>(
        `SELECT open.id, open.store_id AS "store", open.payment_id AS "paymentId", open.refund_id AS "refundId",
           (SELECT receipt_key FROM ${database.table(ReceiptEntity)} own WHERE own.id = open.receipt_id) AS "receiptKey",
           CASE WHEN open.status = 'canceled' THEN 'failed' ELSE 'late' END AS "kind", open.since
         FROM ${database.table(StoreEntity)} store CROSS JOIN LATERAL (
           SELECT * FROM ${database.table(ReceiptProblemEntity)}
           WHERE store_id = store.id AND is_open ORDER BY since LIMIT $1::int
         ) open
         WHERE ${this.stores.isManaged('store')}
         ORDER BY open.since, open.id
         LIMIT $1::int`,
        [limit],
      );
    });
    return rows.map((row) => ({ ...row, remedy }));
  }

  /** False if it is not open any more. */
  async resolve(id: string, { by, note }: { readonly by: string; readonly note: string }): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      const problem = await manager.findOne(ReceiptProblemEntity, {
        where: { id, isOpen: true },
        lock: { mode: 'for_no_key_update' },
      });
      if (!problem) return false;
      const at = (await this.database.businessTime(manager)).toISOString();
      await manager.update(ReceiptProblemEntity, id, { isOpen: false, resolution: { by, note, at } });
      const { paymentId, refundId, storeId } = problem;
      const about = aboutPayment({ id: paymentId, storeId });
      const evidence = { refundId, by, note };
      await recordEvent(manager, this.database, about, {
        name: 'receipt.resolved',
        cause: 'operator',
        evidence,
      });
      return true;
    });
  }
}
