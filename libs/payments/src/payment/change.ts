import type { OrderFields, PaymentFields } from '../schema/ledger-fields.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type {
  OperationRow,
  OrderRow,
  PaymentRow,
  ProblemRow,
  ReceiptRow,
  RefundRow,
} from '../schema/rows.js';
import type { Place } from './queue.js';
import type { EventAbout, NewEvent } from './record-event.js';

/** An event of a change, and what the log says of it to a person: as an error, or as a warning. */
export type ChangeEvent = EventAbout &
  Omit<NewEvent, 'object'> & { readonly alarm?: string; readonly notice?: string };

/** How many notifications had arrived before a re-read; later ones cause another. */
export interface SeenNotification {
  readonly id: string;
  readonly count: number;
  /** The span of the last request that brought it; read only where somebody traces. */
  readonly traceparent?: string | null;
}

/** Rows of one table. */
export interface RowChanges<Row> {
  readonly opened: readonly Row[];
  /** As they are from now on. */
  readonly changed: readonly Row[];
}

/** The rows that hang on a payment. */
interface PaymentRows {
  readonly refunds: RefundRow;
  readonly receipts: ReceiptRow;
  readonly problems: ProblemRow;
  readonly operations: OperationRow;
}
export type PaymentTable = keyof PaymentRows;

/** Stands for the time of the statement that writes a change, where nothing was read before: what the change says is counted from then on. */
export const AS_WRITTEN = new Date(0);

/** A payment that had no row. `order`: its order had none either, and must have none as this is written; all is counted from {@link AS_WRITTEN}. */
interface Opened {
  readonly payment: PaymentRow;
  readonly order: Pick<OrderRow, 'id' | 'storeId' | 'reference' | 'currency' | 'totalDueMinor'> | null;
}

/** When the sweep looks at a payment of which something is to be sent, in business time. */
export interface Wanted {
  readonly at: Date;
  /** Ahead of polls. */
  readonly isUrgent: boolean;
  /** Polls begin with their shortest pause: a hold that was polled for days would otherwise see its capture repeated once an hour. */
  readonly isAfresh?: true;
  /** A list of its refunds is wanted too. */
  readonly withRefunds?: boolean;
}

/**
 * All that happens to one payment at once: status and fields, its rows, events with their deliveries, the order's totals, the end of the
 * operation that was answered, the notifications that were, and the next place in the queue.
 */
export interface Change {
  readonly payment: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>;
  /** As it was read: its version guards the change. */
  readonly order: Pick<PaymentsOrderEntity, 'id' | 'version' | 'reference'>;
  /** The payment from now on; null: it stays as it is. */
  readonly after: PaymentFields | null;
  /** `updatedAt` says since when the payment has its status, or waits for a person. Default: it stays. */
  readonly isDated?: boolean;
  /** The order from now on; null: it stays as it is. */
  readonly totals: OrderFields | null;
  /** Set where this change makes the payment's own row. */
  readonly opened?: Opened;
  /** What of its rows is new. */
  readonly rows?: { readonly [Table in PaymentTable]?: RowChanges<PaymentRows[Table]> };
  readonly events: readonly ChangeEvent[];
  readonly wanted?: Wanted;
  /** The operation that this confirms: only while that attempt is its newest. */
  readonly operation?: { readonly id: string; readonly attempts: number };
  readonly answered?: readonly SeenNotification[];
  /** The lease under which the payment was re-read. */
  readonly fence?: string;
  /** null or omitted: whoever has the payment decides. */
  readonly place?: Place;
}

/** What a statement saw of the commit mark beside what it did; when, in business time. */
export interface SeenMark {
  readonly epoch: string;
  readonly counter: number;
  readonly at: string;
}

/** The result of a change. */
export interface Written {
  /** It may be claimed at once. */
  readonly isReady: boolean;
  /** Handlers have something to do. */
  readonly isAnnounced: boolean;
  /** The payment's, as it is now; null: the payment stayed as it was. */
  readonly updatedAt: Date | null;
  /** The order's, as it is now; null: nothing of the order was changed. */
  readonly version: number | null;
  /** Business time of the change. */
  readonly now: Date;
  /** Where its terms ask for that. */
  readonly seen?: SeenMark;
}
