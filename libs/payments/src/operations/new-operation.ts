import { derivedKey } from '../common/derived.js';
import { newId } from '../common/uuid.js';
import { withRow, type Draft } from '../payment/draft.js';
import type { State } from '../payment/state.js';
import type { OperationKind } from '../schema/operation.entity.js';
import type { OperationRow, PaymentRow } from '../schema/rows.js';
import type { RecordedBody } from './personal-data.js';
import { fingerprint } from './request-body.js';

/** What is requested of the service for a payment. */
interface Requested<Kind extends OperationKind> {
  readonly refundId?: string | null;
  readonly receiptId?: string | null;
  readonly kind: Kind;
  readonly request: RecordedBody;
  /** false: of what pays, its body has nothing. Default: true. */
  readonly resendable?: boolean;
}

/** The time of a caller who sends what is recorded. */
export interface CallTimes {
  readonly leaseMs: number;
  readonly callDeadlineMs: number;
}

/**
 * An operation with a key of its own: those of its kind that were there before, the service has refused (G2). A create's is that of its
 * payment's intent. `caller`: sends it first, with
 * the attempt counted and leased; null: the sweep sends it.
 */
export function newOperation(
  { now, databaseNow, payment, operations }: State,
  requested: Requested<OperationKind>,
  caller: CallTimes | null,
): OperationRow {
  const row = rowOf(payment, requested);
  const earlier = operations.filter(
    (one) => one.kind === row.kind && one.refundId === row.refundId && one.receiptId === row.receiptId,
  );
  const sentAt = caller && now;
  return {
    ...row,
    idempotenceKey: row.kind === 'create' ? payment.intentKey : `${row.idempotenceKey}.${earlier.length}`,
    resendable: requested.resendable ?? true,
    outcome: caller && 'unknown',
    attempts: caller ? 1 : 0,
    leaseUntil: caller && new Date(databaseNow.getTime() + caller.leaseMs),
    recordedAt: now,
    firstSentAt: sentAt,
    lastSentAt: sentAt,
    settledAt: null,
  };
}

/**
 * The operation of a request that was made before the database forgot it, and whose object was found at the service: it is over and never
 * sent again. Nobody knows when it was sent, so it says nothing of the service's clock either.
 */
export function foundOperation(
  payment: Pick<PaymentRow, 'id' | 'storeId' | 'intentKey'>,
  requested: Requested<'create' | 'refund' | 'receipt'>,
  now: Date,
): OperationRow {
  const row = rowOf(payment, requested);
  return {
    ...row,
    // Its own key may belong to a row that was refused because of it.
    idempotenceKey: `${row.idempotenceKey}.found`,
    resendable: false,
    outcome: 'confirmed',
    attempts: 1,
    leaseUntil: null,
    recordedAt: now,
    firstSentAt: null,
    lastSentAt: null,
    settledAt: now,
  };
}

/** What both have; the key is what its keys begin with. */
function rowOf(
  { id: paymentId, storeId, intentKey }: Pick<PaymentRow, 'id' | 'storeId' | 'intentKey'>,
  { kind, refundId = null, receiptId = null, request }: Requested<OperationKind>,
) {
  return {
    id: newId(),
    storeId,
    paymentId,
    refundId,
    receiptId,
    kind,
    idempotenceKey: derivedKey(intentKey, kind, refundId, receiptId),
    ...request,
    hasPersonal: request.personal !== null,
    fingerprint: fingerprint(kind, request),
    lastError: null,
  };
}

/** With an operation that is to be sent: by its caller, and once that call's time is up by the sweep; null: by the sweep. */
export function recordOperation(draft: Draft, operation: OperationRow, caller: CallTimes | null): Draft {
  const at = new Date(draft.now.getTime() + (caller?.callDeadlineMs ?? 0));
  const operations = withRow(draft.operations, operation);
  return { ...draft, operations, wanted: { ...draft.wanted, at, isUrgent: caller === null, isAfresh: true } };
}

/** With an operation that is over, whoever found its outcome. */
export function endOperation(
  draft: Draft,
  operation: OperationRow,
  outcome: 'confirmed' | 'refused',
  said: Partial<Pick<OperationRow, 'lastError'>> = {},
): Draft {
  const ended = { ...operation, outcome, leaseUntil: null, settledAt: draft.now, ...said };
  return { ...draft, operations: withRow(draft.operations, ended) };
}

/** With an operation that goes on: an attempt of it may have arrived (`unknown`), or none has. */
export function releaseOperation(
  draft: Draft,
  operation: OperationRow,
  outcome: 'unknown' | null,
  lastError: object | null,
): Draft {
  const released = { ...operation, outcome, leaseUntil: null, lastError };
  return { ...draft, operations: withRow(draft.operations, released) };
}
