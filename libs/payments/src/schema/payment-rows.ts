import { PaymentsOperationEntity } from './operation.entity.js';
import { PaymentsReceiptProblemEntity } from './receipt-problem.entity.js';
import { PaymentsReceiptEntity } from './receipt.entity.js';
import { PaymentsRefundEntity } from './refund.entity.js';
import type { OperationRow, ProblemRow, ReceiptRow, RefundRow } from './rows.js';

/** A table, the order of its rows, which fields their insert sets for good, and which may change after that. */
interface Described<Row> {
  readonly entity: new () => Row;
  readonly order: string;
  readonly fixed: readonly (keyof Row & string)[];
  readonly changing: readonly (keyof Row & string)[];
}

/** The tables of the rows that hang on a payment, in the order in which they are locked. */
export const paymentTables = {
  refunds: {
    entity: PaymentsRefundEntity,
    order: 'created_at, id',
    fixed: [
      'id',
      'storeId',
      'paymentId',
      'refundKey',
      'currency',
      'whole',
      'description',
      'metadata',
      'receiptDigest',
      'createdAt',
    ],
    // The sum, where the service gave back another one than was requested.
    changing: ['serviceId', 'status', 'amountMinor', 'cancellation', 'receiptStatus', 'object', 'updatedAt'],
  },
  receipts: {
    entity: PaymentsReceiptEntity,
    order: 'created_at, id',
    fixed: [
      'id',
      'storeId',
      'paymentId',
      'refundId',
      'receiptKey',
      'askedDigest',
      'type',
      'amountMinor',
      'currency',
      'createdAt',
    ],
    changing: ['body', 'personal', 'serviceId', 'status', 'object', 'updatedAt'],
  },
  problems: {
    entity: PaymentsReceiptProblemEntity,
    order: 'id',
    fixed: ['id', 'storeId', 'paymentId', 'refundId', 'receiptId'],
    changing: ['status', 'isOpen', 'since', 'resolution'],
  },
  operations: {
    entity: PaymentsOperationEntity,
    order: 'recorded_at, id',
    fixed: [
      'id',
      'storeId',
      'paymentId',
      'refundId',
      'receiptId',
      'kind',
      'idempotenceKey',
      'body',
      'personal',
      'hasPersonal',
      'resendable',
      'fingerprint',
      'recordedAt',
    ],
    changing: ['outcome', 'attempts', 'leaseUntil', 'firstSentAt', 'lastSentAt', 'settledAt', 'lastError'],
  },
} as const satisfies {
  readonly refunds: Described<RefundRow>;
  readonly receipts: Described<ReceiptRow>;
  readonly problems: Described<ProblemRow>;
  readonly operations: Described<OperationRow>;
};

type Of<Table extends keyof typeof paymentTables> = (typeof paymentTables)[Table];
type Listed<Table extends keyof typeof paymentTables> = Of<Table>['fixed' | 'changing'][number];
interface Forgotten {
  readonly refunds: Exclude<keyof RefundRow, Listed<'refunds'>>;
  readonly receipts: Exclude<keyof ReceiptRow, Listed<'receipts'>>;
  readonly problems: Exclude<keyof ProblemRow, Listed<'problems'>>;
  readonly operations: Exclude<keyof OperationRow, Listed<'operations'>>;
}
/** A field of a row that nothing writes does not compile. */
export const allOfRowsAreWritten: [Forgotten[keyof Forgotten]] extends [never] ? true : Forgotten = true;
