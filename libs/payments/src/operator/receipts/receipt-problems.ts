import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { settleReceipts } from '../../apply/receipts/settle-owed.js';
import { ReceiptNotPossibleError } from '../../common/payments.errors.js';
import { useIndexes } from '../../database/by-index.js';
import { Database } from '../../database/database.js';
import { HeldPayments } from '../../operations/held-payments.js';
import { sendReceiptAgain, type Correction } from '../../operations/receipts/decide-receipt-request.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { lockPayment, type LockedPayment } from '../../payment/locks.js';
import { aboutPayment, recordEvent } from '../../payment/record-event.js';
import { fiscalizationOf, mustReach, mustSuit, type Fiscalization } from '../../receipts/fiscalization.js';
import { mustAddUp } from '../../receipts/receipt-sums.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity, type ReceiptResolution } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import type { RecordedEventName } from '../../views/events.js';
import { receiptView, type Receipt } from '../../views/receipt.view.js';
import { WorkSignal } from '../../work/work-signal.js';
import { acrossStores } from '../across-stores.js';

/** A receipt that needs a person: its registration failed, or takes too long. */
export interface ReceiptProblem {
  readonly id: string;
  readonly store: string;
  readonly paymentId: string;
  /** The refund whose receipt it is; null: the payment's own. */
  readonly refundId: string | null;
  /** Of a receipt that was sent by itself; null: it went with the money. */
  readonly receiptKey: string | null;
  /**
   * `late`: still being registered, and followed on; `missing`: money was moved elsewhere, and nobody has said what is on its
   * receipt.
   */
  readonly kind: 'failed' | 'late' | 'missing';
  readonly since: Date;
  /**
   * What helps. One that was sent by itself and failed can be sent again, and one that is missing be sent by
   * `payments.receipts.create`. Otherwise by who runs the register (`fiscalization.register`, or as the service says of the store): the service's support, or making
   * the receipt by hand in the register; null: not known.
   */
  readonly remedy: 'send_again' | 'send_it' | 'ask_service_support' | 'make_by_hand' | null;
}

/** Who did what about it. */
type Doing = Pick<ReceiptResolution, 'by' | 'note'>;

type Row = Omit<ReceiptProblem, 'remedy'> &
  Pick<PaymentsStoreEntity, 'fiscalizationEnabled' | 'fiscalizationProvider'>;

const remedies = { service: 'ask_service_support', third_party: 'make_by_hand' } as const;

/** Receipts that wait for a person, and what the person did. */
@Injectable()
export class ReceiptProblems {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** The oldest ones of all stores: by the index, whatever else there is. */
  list(limit: number): Promise<ReceiptProblem[]> {
    const oldest = acrossStores(this.database, this.stores, {
      table: this.#problems,
      condition: 'is_open',
      order: ['since'],
      limit: '$1::int',
    });
    return this.#read(`${oldest} open JOIN ${this.#stores} store ON store.id = open.store_id`, limit);
  }

  /** Those of one order, the oldest first. OFFSET 0 keeps each look with its row, whatever statistics say. */
  ofOrder(storeId: string, reference: string, limit: number): Promise<ReceiptProblem[]> {
    return this.#read(
      `${this.database.table(PaymentsOrderEntity)} ours
       JOIN ${this.#stores} store ON store.id = ours.store_id
       CROSS JOIN LATERAL (SELECT id FROM ${this.database.table(PaymentsPaymentEntity)} WHERE order_id = ours.id OFFSET 0) payment
       CROSS JOIN LATERAL (SELECT * FROM ${this.#problems} WHERE payment_id = payment.id AND is_open OFFSET 0) open
       WHERE ours.store_id = $2 AND ours.reference = $3`,
      limit,
      [storeId, reference],
    );
  }

  /** Those of one payment, the oldest first. */
  ofPayment(paymentId: string, limit: number): Promise<ReceiptProblem[]> {
    return this.#read(
      `(SELECT * FROM ${this.#problems} WHERE payment_id = $2::uuid AND is_open OFFSET 0) open
       JOIN ${this.#stores} store ON store.id = open.store_id`,
      limit,
      [paymentId],
    );
  }

  async #read(
    rowsFrom: string,
    limit: number,
    parameters: readonly string[] = [],
  ): Promise<ReceiptProblem[]> {
    const { database, options } = this;
    const rows = await database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Row[]>(
        `SELECT open.id, open.store_id AS "store", open.payment_id AS "paymentId", open.refund_id AS "refundId",
           (SELECT receipt_key FROM ${database.table(PaymentsReceiptEntity)} own WHERE own.id = open.receipt_id) AS "receiptKey",
           CASE open.status WHEN 'canceled' THEN 'failed' WHEN 'missing' THEN 'missing' ELSE 'late' END AS "kind", open.since,
           store.fiscalization_enabled AS "fiscalizationEnabled", store.fiscalization_provider AS "fiscalizationProvider"
         FROM ${rowsFrom}
         ORDER BY open.since, open.id
         LIMIT $1::int`,
        [limit, ...parameters],
      );
    });
    return rows.map(({ fiscalizationEnabled, fiscalizationProvider, ...problem }) => {
      const says = { fiscalizationEnabled, fiscalizationProvider };
      return { ...problem, remedy: remedyOf(problem, fiscalizationOf(says, options.fiscalization)) };
    });
  }

  /** False if it is not open any more. */
  async resolve(id: string, doing: Doing): Promise<boolean> {
    const resolved = await this.#open(id, async (manager, locked, problem) => {
      await this.#close(manager, problem, 'receipt.resolved', doing);
      // What waited for this receipt waits no more.
      await this.held.change(manager, locked, 'operator', (before) => ({
        draft: settleReceipts(before, 'operator', this.options),
      }));
      return true;
    });
    if (resolved) this.signal.wake('payments');
    return resolved ?? false;
  }

  /**
   * Another attempt of a receipt that was sent by itself and failed; null: it is not open any more.
   * @throws ReceiptNotPossibleError
   * @throws PaymentInputError
   */
  async sendAgain(id: string, doing: Doing, said: Correction): Promise<Receipt | null> {
    const sent = await this.#open(id, async (manager, locked, problem) => {
      const { receiptId, status, paymentId } = problem;
      if (receiptId === null || status !== 'canceled')
        throw new ReceiptNotPossibleError(
          paymentId,
          'only one that was sent by itself and failed is sent again',
        );
      const failed = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId });
      const store = await manager.findOneByOrFail(PaymentsStoreEntity, { id: failed.storeId });
      const fiscalization = fiscalizationOf(store, this.options.fiscalization);
      if (said.customer) mustReach(said.customer, fiscalization);
      if (said.receipt) {
        mustSuit(said.receipt, fiscalization);
        mustAddUp(said.receipt, failed.amountMinor);
      }
      const { receipt } = await this.held.change(manager, locked, 'operator', (before) =>
        sendReceiptAgain(before, failed, said),
      );
      const { receiptKey: sentAgainAs } = receipt;
      await this.#close(manager, problem, 'receipt.sent_again', { ...doing, sentAgainAs });
      return receiptView(receipt);
    });
    if (sent) this.signal.wake('payments');
    return sent;
  }

  /** Under its payment's lock; null: it is not open, or not ours. */
  #open<T>(
    id: string,
    work: (
      manager: EntityManager,
      locked: LockedPayment,
      problem: PaymentsReceiptProblemEntity,
    ) => Promise<T>,
  ): Promise<T | null> {
    const { database } = this;
    return database.transaction(async (manager) => {
      const known = await manager.findOneBy(PaymentsReceiptProblemEntity, { id, isOpen: true });
      if (known === null) return null;
      const locked = await lockPayment(manager, database, known.paymentId);
      const problem = await manager.findOneBy(PaymentsReceiptProblemEntity, { id, isOpen: true });
      return problem && work(manager, locked, problem);
    });
  }

  get #stores(): string {
    return this.database.table(PaymentsStoreEntity);
  }

  get #problems(): string {
    return this.database.table(PaymentsReceiptProblemEntity);
  }

  async #close(
    manager: EntityManager,
    { id, paymentId, refundId, receiptId, storeId }: PaymentsReceiptProblemEntity,
    name: RecordedEventName,
    doing: Omit<ReceiptResolution, 'at'>,
  ): Promise<void> {
    const at = (await this.database.businessTime(manager)).toISOString();
    await manager.update(PaymentsReceiptProblemEntity, id, { isOpen: false, resolution: { ...doing, at } });
    const about = aboutPayment({ id: paymentId, storeId });
    const evidence = { refundId, receiptId, ...doing };
    await recordEvent(manager, this.database, about, { name, cause: 'operator', evidence });
  }
}

function remedyOf(
  { kind, receiptKey }: Omit<ReceiptProblem, 'remedy'>,
  fiscalization: Fiscalization | null,
): ReceiptProblem['remedy'] {
  if (kind === 'missing') return 'send_it';
  if (kind === 'failed' && receiptKey !== null) return 'send_again';
  return fiscalization && remedies[fiscalization.register];
}
