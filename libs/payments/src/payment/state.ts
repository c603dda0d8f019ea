import type {
  OperationRow,
  OrderRow,
  PaymentRow,
  ProblemRow,
  ReceiptRow,
  RefundRow,
} from '../schema/rows.js';
import type { SeenMark } from './change.js';
import type { KnownOrder } from './order-totals.js';
import type { Queued } from './queue.js';

/** All that is decided by, of one payment, as one statement has read it. */
export interface State {
  /** Business time of the read. */
  readonly now: Date;
  /** The database's own, in which leases end. */
  readonly databaseNow: Date;
  /** Its version guards what is decided. */
  readonly order: KnownOrder;
  readonly payment: PaymentRow;
  readonly refunds: readonly RefundRow[];
  /** Those that are sent by themselves, oldest first. */
  readonly receipts: readonly ReceiptRow[];
  /** Of the receipts of all that money. */
  readonly problems: readonly ProblemRow[];
  /** Oldest first. */
  readonly operations: readonly OperationRow[];
  /** null: the payment has no place in the queue. */
  readonly queued: Queued | null;
  /** Reasons of the anomalies that were raised. */
  readonly anomalies: readonly string[];
  /** What is missing here may be at the service, and forgotten: its lists are being read. */
  readonly isRecovering: boolean;
  /** null: it was not asked for, or this process does not know yet what the server shows of itself. */
  readonly admission: Admission | null;
}

/** Nothing else is open of such a payment, nor was read. */
export const NOTHING_READ = {
  refunds: [],
  receipts: [],
  problems: [],
  operations: [],
  queued: null,
  anomalies: [],
  isRecovering: false,
  admission: null,
} as const satisfies Partial<State>;

/** An order, as far as a payment of it is decided by that is opened, or found again. */
export interface OrderPayments extends Pick<State, 'now' | 'databaseNow'> {
  readonly order: KnownOrder & Pick<OrderRow, 'currency'>;
  /** Those that may still bring or let go money, and of the others those that count. */
  readonly payments: readonly PaymentRow[];
  /** The newest of the part, newest first. */
  readonly tries: readonly PaymentRow[];
  /** Of those tries. */
  readonly creates: readonly OperationRow[];
}

/** Whether a request that moves money anew may be recorded here: the database may have forgotten that it was moved. */
interface Admission {
  readonly isLetIn: boolean;
  /** false: the service may have forgotten keys of requests that the database has forgotten. */
  readonly areKeysKnown: boolean;
  readonly isolation: string;
  readonly seen: SeenMark | null;
}

/** SQL that reads it as JSON, with parameters from $3 on. */
export interface AdmissionSql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
