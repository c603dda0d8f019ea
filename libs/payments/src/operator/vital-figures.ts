import { Injectable } from '@nestjs/common';
import { isRecord } from '../common/is-record.js';
import { FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { followed, PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { BacklogReader, type Backlog } from './backlog.js';
import { conditionsOf, type ConditionName } from './conditions.js';

/** What a monitor draws. */
export interface Figures {
  readonly backlog: Backlog;
  /** Those that hold. */
  readonly conditions: ReadonlySet<ConditionName>;
  /** How long until the first hold ends by itself, in ms; null: none has a known end. */
  readonly holdEndsInMs: number | null;
  /** Receipts that are not registered, each counted up to 1,000. */
  readonly receipts: Readonly<Record<'pending' | 'failed' | 'late' | 'missing', number>>;
}

/** However many monitors ask, and however often. */
const FRESH_MS = 10_000;
/** A monitor that waits longer counts as failed itself. */
const DEADLINE_MS = 5_000;
const COUNTED = 1_000;

/** One reading, shared by all that ask within seconds, those that ask while it is made among them. */
@Injectable()
export class VitalFigures {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  /** When the last figures came, or this process began to try. */
  #cameAtMs = performance.now();
  #last: { readonly atMs: number; readonly figures: Promise<Figures | null> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly backlogReader: BacklogReader,
  ) {}

  /** null: the database does not tell. It is not asked again for as long as an answer would be fresh. */
  read(): Promise<Figures | null> {
    const atMs = performance.now();
    if (this.#last === null || atMs - this.#last.atMs > FRESH_MS)
      this.#last = { atMs, figures: this.#read().catch((error: unknown) => this.#report(error)) };
    return this.#last.figures;
  }

  /** How old the last figures are, in ms, by a clock that nobody sets. */
  ageMs(): number {
    return performance.now() - this.#cameAtMs;
  }

  async #read(): Promise<Figures> {
    const { holdEndsInMs, receipts, ...backlog } = await this.backlogReader.readWith(
      { holdEndsInMs: this.#holdEndsIn, receipts: this.#receipts },
      DEADLINE_MS,
    );
    this.#cameAtMs = performance.now();
    return {
      backlog,
      conditions: new Set(conditionsOf(backlog).map(({ name }) => name)),
      holdEndsInMs: typeof holdEndsInMs === 'number' ? holdEndsInMs : null,
      receipts: {
        pending: numberOf(receipts, 'pending'),
        failed: numberOf(receipts, 'failed'),
        late: numberOf(receipts, 'late'),
        missing: numberOf(receipts, 'missing'),
      },
    };
  }

  #report(error: unknown): null {
    const count = this.#failures.take();
    if (count !== null)
      this.#logger.warn(
        `The figures for the metrics could not be read (${count} since the last such line): ${messageOf(error)}`,
      );
    return null;
  }

  get #holdEndsIn(): string {
    return `(SELECT (extract(epoch FROM min(ends_at) - ${this.database.now}) * 1000)::float8 FROM (SELECT * FROM ${this.#managed}) lane
      CROSS JOIN LATERAL (
        SELECT hold_expires_at AS ends_at FROM ${this.database.table(PaymentsPaymentEntity)} held
        WHERE held.store_id = lane.id AND status = 'waiting_for_capture' AND hold_expires_at IS NOT NULL
        ORDER BY hold_expires_at LIMIT 1
      ) found)`;
  }

  /** Those that wait to be registered are in indexes of what is followed on; the others are problems. */
  get #receipts(): string {
    const open = (alias: string, condition: string) => `(SELECT LEAST(count(*), ${COUNTED}) FROM (
        SELECT FROM ${alias} WHERE ${condition} LIMIT ${COUNTED}
      ) counted)`;
    const payments = `(SELECT receipt_status FROM ${this.database.table(PaymentsPaymentEntity)} WHERE ${followed} LIMIT ${COUNTED}) its`;
    const refunds = `(SELECT receipt_status FROM ${this.database.table(PaymentsRefundEntity)}
        WHERE "status" IN ('submitting', 'pending') OR "receipt_status" = 'pending' LIMIT ${COUNTED}) its`;
    const own = `${this.database.table(PaymentsReceiptEntity)} its`;
    const isPending = `receipt_status = 'pending'`;
    const problems = `(SELECT found.status FROM (SELECT * FROM ${this.#managed}) lane CROSS JOIN LATERAL (
        SELECT problem.status FROM ${this.database.table(PaymentsReceiptProblemEntity)} problem
        WHERE problem.store_id = lane.id AND is_open ORDER BY since LIMIT ${COUNTED}
      ) found LIMIT ${COUNTED})`;
    return `(SELECT json_build_object(
        'pending', LEAST(${COUNTED}, ${open(payments, isPending)} + ${open(refunds, isPending)} + ${open(own, `status IN ('submitting', 'pending')`)}),
        'failed', count(*) FILTER (WHERE status = 'canceled'), 'late', count(*) FILTER (WHERE status = 'pending'),
        'missing', count(*) FILTER (WHERE status = 'missing')) FROM ${problems} problems)`;
  }

  get #managed(): string {
    return `${this.database.table(PaymentsStoreEntity)} store WHERE ${this.stores.isManaged('store')}`;
  }
}

function numberOf(counts: unknown, name: string): number {
  const value: unknown = isRecord(counts) ? counts[name] : undefined;
  return typeof value === 'number' ? value : 0;
}
