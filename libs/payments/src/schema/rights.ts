import { orderFields, paymentFields } from './ledger-fields.js';
import { paymentTables } from './payment-rows.js';

/** What a role may do with one table, and no more than it does: a statement that needs more changes this list first. */
export interface TableRights {
  readonly table: string;
  /** On the whole table. */
  readonly all?: readonly ('SELECT' | 'INSERT' | 'DELETE')[];
  /** Columns it may read, if not all of them. */
  readonly select?: readonly string[];
  /** Columns it may change. Locking a row needs the right to change one of them. */
  readonly update?: readonly string[];
}

/**
 * For the role the module runs under. The request (key, body, …) is written once; only its outcome may change, a refund's sum
 * included. An event is never changed or removed. No record of money is removed.
 */
export const moduleRights: readonly TableRights[] = [
  {
    table: 'payments_stores',
    all: ['SELECT', 'INSERT'],
    update: [
      'refunds_seen_to',
      'refund_watch_at',
      'refund_watch_lease_until',
      'retention_at',
      'retention_lease_until',
      'unannounced_changes',
      'unannounced_since',
      'encrypted_token',
      'token_expires_at',
      'expiry_announced_at',
      'owner_ref',
      'connected_at',
      'status',
      'test',
      'name',
      'enabled',
      'payment_methods',
      'fiscalization_enabled',
      'fiscalization_provider',
      'maintenance_at',
      'maintenance_lease_until',
      'maintenance_fence',
      // A copy gives its stores up.
      'kind',
      'account_id',
      'webhook_key',
      'detached_at',
    ],
  },
  {
    table: 'payments_rate_limits',
    all: ['SELECT', 'INSERT'],
    update: ['spent_to', 'polls_rest_until', 'rests_since'],
  },
  {
    table: 'payments_commit_mark',
    all: ['SELECT', 'INSERT'],
    update: [
      'epoch',
      'epoch_number',
      'counter',
      'beat_at',
      'reached_at',
      'system_identifier',
      'timeline',
      'database',
      'installation',
      'store_seed',
    ],
  },
  {
    table: 'payments_recoveries',
    all: ['SELECT', 'INSERT'],
    update: [
      'first_read_at',
      'done_at',
      'listing',
      'cursor',
      'payments_adopted',
      'payments_with_refunds',
      'error',
      'lease_until',
      'fence',
    ],
  },
  {
    table: 'payments_audits',
    all: ['SELECT', 'INSERT'],
    update: [
      'compared_to',
      'payments',
      'refunds',
      'receipts',
      'difference_count',
      'differences',
      'unsettled_count',
      'failures',
      'error',
      'done_at',
      'lease_until',
      'fence',
    ],
  },
  {
    table: 'payments_oauth_states',
    all: ['SELECT', 'INSERT', 'DELETE'],
    update: ['used_at', 'code_hash', 'outcome', 'store_id'],
  },
  {
    table: 'payments_orders',
    all: ['SELECT', 'INSERT'],
    update: columnsOf([...orderFields, 'version', 'updatedAt']),
  },
  {
    table: 'payments_payments',
    all: ['SELECT', 'INSERT'],
    update: columnsOf([...paymentFields, 'updatedAt']),
  },
  {
    table: 'payments_due',
    all: ['SELECT', 'INSERT', 'DELETE'],
    update: [
      'ready_at',
      'wanted_at',
      'lane',
      'checks',
      'refund_signals',
      'lease_until',
      'fence',
      'rest_until',
    ],
  },
  {
    table: 'payments_refunds',
    all: ['SELECT', 'INSERT'],
    update: columnsOf(paymentTables.refunds.changing),
  },
  {
    table: 'payments_receipts',
    all: ['SELECT', 'INSERT'],
    update: columnsOf(paymentTables.receipts.changing),
  },
  {
    table: 'payments_receipt_problems',
    all: ['SELECT', 'INSERT'],
    update: columnsOf(paymentTables.problems.changing),
  },
  { table: 'payments_incidents', all: ['SELECT', 'INSERT'], update: ['is_open', 'resolution'] },
  {
    table: 'payments_operations',
    all: ['SELECT', 'INSERT'],
    update: columnsOf(paymentTables.operations.changing),
  },
  {
    table: 'payments_notifications',
    all: ['SELECT', 'INSERT'],
    update: [
      'of_payment',
      'body',
      'sender_address',
      'traceparent',
      'last_at',
      'count',
      'handled_count',
      'waiting_since',
      'step',
      'ready_at',
      'foreign_at',
      'is_known',
      'attempts',
      'lease_until',
      'fence',
    ],
  },
  { table: 'payments_events', all: ['SELECT', 'INSERT'] },
  { table: 'payments_handlers', all: ['SELECT', 'INSERT'], update: ['event', 'retired_at', 'retired_by'] },
  {
    table: 'payments_deliveries',
    all: ['SELECT', 'INSERT', 'DELETE'],
    update: [
      'attempts',
      'next_attempt_at',
      'next_event_id',
      'lease_until',
      'last_error',
      'done_at',
      'parked_at',
      'data',
    ],
  },
];

/** For the role that removes old rows and erases contacts. It sees no body, key, contact, amount or evidence. */
export const retentionRights: readonly TableRights[] = [
  { table: 'payments_stores', select: ['id'] },
  {
    table: 'payments_payments',
    select: ['id', 'store_id', 'service_id', 'status', 'receipt_status', 'updated_at'],
  },
  { table: 'payments_due', select: ['payment_id'] },
  { table: 'payments_refunds', select: ['id', 'payment_id', 'status', 'receipt_status', 'updated_at'] },
  { table: 'payments_receipt_problems', select: ['payment_id', 'refund_id', 'is_open'] },
  {
    table: 'payments_operations',
    select: ['id', 'store_id', 'payment_id', 'outcome', 'recorded_at', 'settled_at', 'has_personal'],
    update: ['personal', 'has_personal'],
  },
  {
    table: 'payments_notifications',
    all: ['DELETE'],
    select: ['id', 'store_id', 'object_id', 'first_at', 'last_at', 'waiting_since'],
  },
  { table: 'payments_events', all: ['DELETE'], select: ['id', 'store_id', 'payment_id', 'created_at'] },
  { table: 'payments_deliveries', all: ['DELETE'], select: ['event_id', 'done_at'] },
];

/** A column has the name of its field, in snake case. */
function columnsOf(fields: readonly string[]): string[] {
  return fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
