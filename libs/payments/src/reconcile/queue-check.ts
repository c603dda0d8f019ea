import { Inject, Injectable } from '@nestjs/common';
import { raiseAnomaly } from '../apply/anomaly.js';
import { useIndexes } from '../database/by-index.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { withPayment } from '../payment/locks.js';
import { PaymentsDueEntity } from '../schema/due.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { followed, PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';

/** Business time from one check to the next. */
const EVERY_MS = 10 * 60_000;
/** Rows of one statement. */
const BATCH = 500;

const FORGOTTEN =
  'it was in progress and had no place in the queue of re-reads, where it is put back; that is a defect of this module';

/** What comes before all others. */
const FIRST = { uuid: '00000000-0000-0000-0000-000000000000', timestamptz: '-infinity', text: '' } as const;

/** Rows of one kind that are in progress: all that an index of their own has, in its order. */
interface Open {
  readonly table: string;
  readonly payment: 'id' | 'payment_id';
  /** SQL condition: that of the index. */
  readonly isOpen: string;
  /** The index's columns, with what makes them unique, and their types. */
  readonly order: Readonly<Record<string, keyof typeof FIRST>>;
}

interface Row {
  readonly paymentId: string;
  readonly place: readonly string[];
  readonly isForgotten: boolean;
}

/**
 * Stands behind the queue: nothing would ever look again at a payment that left it too early. Finds what is in progress and has no
 * place there, which is a defect of ours each time, puts it back and reports it. Each process looks for itself, so that no process
 * that stops can keep the others from it.
 */
@Injectable()
export class QueueCheck {
  #dueAtMs: number;

  constructor(
    private readonly database: Database,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#dueAtMs = this.#nowMs + EVERY_MS;
  }

  /** SQL condition: it is time to look. */
  get waits(): string {
    return String(this.#isDue);
  }

  /** Looks if it is time. Never finds more to do: what a look leaves is left to the next one. */
  async runNext(): Promise<boolean> {
    if (!this.#isDue) return false;
    this.#dueAtMs = this.#nowMs + EVERY_MS;
    for (const open of this.#kinds()) {
      let rows: readonly Row[] = [];
      do {
        if (this.shutdown.hasBegun) return false;
        rows = await this.#page(open, rows.at(-1)?.place ?? null);
        for (const { paymentId } of rows.filter(({ isForgotten }) => isForgotten))
          await this.#putBack(paymentId);
      } while (rows.length === BATCH);
    }
    return false;
  }

  /** Through its own index, so that what is settled costs nothing. OFFSET: looked up one by one. */
  #page({ table, payment, isOpen, order }: Open, after: readonly string[] | null): Promise<Row[]> {
    const columns = Object.keys(order);
    const types = Object.values(order);
    return this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Row[]>(
        `SELECT payment_id AS "paymentId", place, NOT EXISTS (
           SELECT FROM ${this.database.table(PaymentsDueEntity)} due WHERE due.payment_id = open.payment_id OFFSET 0
         ) AS "isForgotten"
         FROM (
           SELECT ${payment} AS payment_id, ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS place
           FROM ${table}
           WHERE (${isOpen}) AND (${columns.join(', ')}) > (${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})
           ORDER BY ${columns.join(', ')} LIMIT ${BATCH}
         ) open`,
        [...(after ?? types.map((type) => FIRST[type]))],
      );
    });
  }

  /** Reported by the process that did it. */
  async #putBack(paymentId: string): Promise<void> {
    const { database } = this;
    const payment = await database.read((from) =>
      from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }),
    );
    await withPayment(database, payment, async (manager, locked) => {
      const put = await manager.query<object[]>(
        `INSERT INTO ${database.table(PaymentsDueEntity)} (payment_id, store_id, ready_at) VALUES ($1, $2, ${database.now})
         ON CONFLICT DO NOTHING RETURNING payment_id`,
        [paymentId, payment.storeId],
      );
      if (put.length === 0) return;
      await this.held.change(manager, locked, 'sweep', (before) => ({
        draft: raiseAnomaly(before, FORGOTTEN, { cause: 'sweep' }),
      }));
    });
    this.signal.wake('payments');
    this.signal.wake('deliveries');
  }

  /** What indexes show that lose a row when it is settled. */
  #kinds(): readonly Open[] {
    const { database } = this;
    const payments = { table: database.table(PaymentsPaymentEntity), payment: 'id' } as const;
    const receipts = { table: database.table(PaymentsReceiptEntity), payment: 'payment_id' } as const;
    return [
      {
        table: database.table(PaymentsOperationEntity),
        payment: 'payment_id',
        isOpen: `outcome IS NULL OR outcome = 'unknown'`,
        order: { store_id: 'uuid', recorded_at: 'timestamptz', id: 'uuid' },
      },
      {
        ...payments,
        isOpen: `status IN ('submitting', 'pending') AND superseded_at IS NULL`,
        order: { order_id: 'uuid', part: 'text' },
      },
      {
        ...payments,
        isOpen: `status = 'waiting_for_capture' AND hold_tries = 0`,
        order: { store_id: 'uuid', hold_due_at: 'timestamptz', id: 'uuid' },
      },
      {
        ...payments,
        isOpen: `status = 'waiting_for_capture' AND hold_due_at IS NULL AND hold_tries > 0`,
        order: { store_id: 'uuid', updated_at: 'timestamptz', id: 'uuid' },
      },
      { ...payments, isOpen: followed, order: { id: 'uuid' } },
      {
        table: database.table(PaymentsRefundEntity),
        payment: 'payment_id',
        isOpen: `status IN ('submitting', 'pending') OR receipt_status = 'pending'`,
        order: { payment_id: 'uuid' },
      },
      // Without receipts in the profile nobody follows them.
      ...(this.options.profile.receipts
        ? [
            {
              ...receipts,
              isOpen: `status IN ('submitting', 'pending')`,
              order: { payment_id: 'uuid' },
            } as const,
          ]
        : []),
    ];
  }

  get #isDue(): boolean {
    return this.#nowMs >= this.#dueAtMs;
  }

  get #nowMs(): number {
    return performance.now() + this.options.clock.offsetMs();
  }
}
