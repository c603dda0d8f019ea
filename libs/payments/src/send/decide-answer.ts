import { ServiceError, ServiceKeyReusedError } from '../api/service-errors.js';
import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceReceipt } from '../api/service-receipt.js';
import type { ServiceRefund } from '../api/service-refund.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { applyReading } from '../apply/apply-reading.js';
import type { ReadingFacts, ReadingTerms } from '../apply/decide-reading.js';
import { settleReceipts, type OwedTerms } from '../apply/receipts/settle-owed.js';
import { applyRefunds, rejectRefund } from '../apply/refunds/apply-refunds.js';
import { raiseWronglyRejected } from '../apply/wrongly-rejected.js';
import { nameOf } from '../common/message-of.js';
import { isFinal } from '../common/payment-status.js';
import { PaymentClosedError, PaymentsError } from '../common/payments.errors.js';
import { endOperation, releaseOperation } from '../operations/new-operation.js';
import { isAboutCredentials } from '../operations/refused-operation.js';
import type { Draft } from '../payment/draft.js';
import { answered as planAnswered } from '../payment/planned.js';
import { rejectReceipt, seeReceipt } from '../payment/receipts/receipt-change.js';
import { movePayment } from '../payment/status-change.js';
import type { OperationRow, ReceiptRow, RefundRow } from '../schema/rows.js';
import type { AttemptResult } from './attempt.js';

/** The service's answer to an operation. */
export type OperationAnswer =
  | { readonly of: 'payment'; readonly object: ServicePayment }
  | { readonly of: 'refund'; readonly object: ServiceRefund }
  | { readonly of: 'receipt'; readonly object: ServiceReceipt };

/** What became of an operation. */
export type AnswerEnd =
  | { readonly kind: 'settled'; readonly outcome: 'confirmed' | 'refused'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown }
  /** Nothing was sent, and nothing will be: the operation is refused. */
  | { readonly kind: 'unsent'; readonly error: PaymentsError }
  /** Answered, and a re-read finds out what the answer means. */
  | { readonly kind: 'unclear'; readonly error: unknown }
  /** Answered, and closed before as never received. */
  | { readonly kind: 'late'; readonly error: PaymentClosedError }
  /** Another sender has the request in flight, or its answer to apply. */
  | { readonly kind: 'busy' };

interface AnswerDecision {
  readonly draft: Draft;
  readonly end: AnswerEnd;
}

export interface AnswerTerms extends ReadingTerms {
  readonly sentBy: 'caller' | 'sweep';
  /** Of an answer that is a payment. */
  readonly facts: ReadingFacts | null;
}

interface Attempt {
  readonly id: string;
  /** The fence that its answer must still find. */
  readonly attempts: number;
}

/**
 * What the end of an attempt means for its operation, its payment, refund or receipt: settled only by the newest attempt, confirmed only by
 * an answer that fits, refused only by a definite no (G2).
 */
export function decideAnswer(
  before: Draft,
  { id, attempts }: Attempt,
  result: AttemptResult<OperationAnswer>,
  terms: AnswerTerms,
): AnswerDecision {
  const operation = before.operations.find((one) => one.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  const { kind, outcome } = operation;
  if (outcome === 'confirmed') return ended(before, { kind: 'settled', outcome, error: null });
  if (outcome === 'refused') return afterRefusal(before, operation, result, terms);
  // Another sender took over when our lease expired: the answer is theirs to apply.
  if (operation.attempts !== attempts) return ended(before, { kind: 'busy' });
  if (result.kind === 'answered') return answered(before, operation, result.answer, terms);
  const { error } = result;
  if (result.kind === 'unsent' && terms.sentBy === 'caller')
    return ended(refused(before, operation, error, terms), { kind: 'unsent', error: result.error });
  if (result.kind !== 'refused') {
    const left = result.kind === 'unknown' ? 'unknown' : null;
    return ended(releaseOperation(before, operation, left, describeError(error)), { kind: 'unknown', error });
  }
  // The service has a refund under that key, which the database has forgotten: the list of refunds shows it.
  if (kind === 'refund' && error instanceof ServiceKeyReusedError)
    return ended(releaseOperation(before, operation, 'unknown', describeError(error)), {
      kind: 'unclear',
      error,
    });
  const isTold = kind !== 'create' && terms.sentBy === 'sweep';
  const reason = `the service refused the ${kind}: ${result.error.reason}`;
  const told = (draft: Draft) => (isTold ? raiseAnomaly(draft, reason, { cause: kind }) : draft);
  if (isTold && isAboutCredentials(error)) {
    const draft = releaseOperation(before, operation, null, describeError(error));
    return ended(told(draft), { kind: 'unknown', error });
  }
  const end = { kind: 'settled', outcome: 'refused', error } as const;
  return ended(told(refused(before, operation, error, terms)), end);
}

/** Nothing of it comes to anything any more: a new payment or refund will never exist; a hold stays unchanged. */
function refused(before: Draft, operation: OperationRow, error: unknown, terms: OwedTerms): Draft {
  const { kind: cause, refundId, receiptId } = operation;
  const said = describeError(error);
  const over = endOperation(before, operation, 'refused', { lastError: said });
  const decided = { cause, evidence: { ...said } };
  if (refundId !== null) return settleReceipts(rejectRefund(over, refundId, decided), cause, terms);
  if (receiptId !== null)
    return settleReceipts(rejectReceipt(over, receiptOf(over, receiptId), cause), cause, terms);
  if (cause !== 'create') return settleReceipts(over, cause, terms);
  const rejected = settleReceipts(movePayment(over, 'rejected', {}, decided), cause, terms);
  return planAnswered(rejected, { at: null, checks: 0 }, false);
}

/** What the service's answer says, and whether the operation is over with it. */
function answered(
  before: Draft,
  operation: OperationRow,
  answer: OperationAnswer,
  terms: AnswerTerms,
): AnswerDecision {
  const { draft, open } = whatIsSaid(before, operation, answer, terms);
  const now = current(draft, operation);
  if (open !== null) return ended(releaseOperation(draft, now, 'unknown', null), open);
  const over = endOperation(draft, now, 'confirmed', { lastError: null });
  return ended(over, { kind: 'settled', outcome: 'confirmed', error: null });
}

interface Said {
  readonly draft: Draft;
  /** Why the operation is not over with it. */
  readonly open: Extract<AnswerEnd, { kind: 'unknown' | 'unclear' }> | null;
}

function whatIsSaid(
  before: Draft,
  operation: OperationRow,
  answer: OperationAnswer,
  terms: AnswerTerms,
): Said {
  const { kind: cause, refundId, receiptId, attempts } = operation;
  const evidence = { attempt: attempts };
  if (answer.of === 'refund') {
    const seen = [{ object: answer.object, ourId: refundId, marked: null }];
    const { draft, anomalies } = applyRefunds(before, seen, { cause, evidence }, terms);
    const [misfit] = anomalies;
    const told = anomalies.reduce((now, reason) => raiseAnomaly(now, reason, { cause }), draft);
    return {
      draft: settleReceipts(told, cause, terms),
      open: misfit === undefined ? null : { kind: 'unknown', error: misfitError(misfit) },
    };
  }
  if (answer.of === 'receipt') {
    const seen = seeReceipt(before, receiptOf(before, receiptId), answer.object, { isLate: false, cause });
    return { draft: settleReceipts(seen, cause, terms), open: null };
  }
  if (terms.facts === null) throw new Error('What is known besides was not read.');
  const { object } = answer;
  const reading = { object, cause, evidence };
  const { draft: applied, verdict, plan } = applyReading(before, reading, terms.facts, terms);
  const draft = planAnswered(applied, plan, terms.facts.isTold);
  if (verdict.kind === 'anomaly') {
    const error = misfitError(verdict.reason);
    if (verdict.inDoubt) return { draft, open: { kind: 'unclear', error } };
    const told = raiseAnomaly(draft, verdict.reason, { cause, object });
    return { draft: told, open: { kind: 'unknown', error } };
  }
  // Accepted but not done: the hold is still open, and the operation is not over until it is gone.
  const isIdle = cause !== 'create' && verdict.kind !== 'move' && !isFinal(draft.payment.status);
  const error = new Error(`The ${cause} is accepted and not done yet.`);
  return { draft, open: isIdle ? { kind: 'unknown', error } : null };
}

/**
 * It was closed as without effect while its answer was on the way. What the answer says is written as far as it still can be, and
 * never told as a refusal.
 */
function afterRefusal(
  before: Draft,
  operation: OperationRow,
  result: AttemptResult<OperationAnswer>,
  terms: AnswerTerms,
): AnswerDecision {
  const { kind } = operation;
  // Closed by a look that says nothing of this attempt.
  if (result.kind === 'unknown') return ended(before, result);
  if (result.kind !== 'answered')
    return ended(before, { kind: 'settled', outcome: 'refused', error: result.error });
  const { answer } = result;
  if (kind === 'create' && answer.of === 'payment') {
    const { object } = answer;
    const error = new PaymentClosedError(before.payment.id, object.id, object.status);
    return ended(raiseWronglyRejected(before, object, kind), { kind: 'late', error });
  }
  const { draft, open } =
    answer.of === 'receipt' ? { draft: before, open: null } : whatIsSaid(before, operation, answer, terms);
  if (answer.of === 'payment')
    return ended(draft, open ?? { kind: 'settled', outcome: 'confirmed', error: null });
  const reason = `its ${kind} is closed as never received, but the service has it as ${answer.object.id}`;
  return ended(raiseAnomaly(draft, reason, { cause: kind }), { kind: 'unknown', error: new Error(reason) });
}

function ended(draft: Draft, end: AnswerEnd): AnswerDecision {
  return { draft, end };
}

/** The operation as it is in a draft. */
function current({ operations }: Draft, operation: OperationRow): OperationRow {
  return operations.find(({ id }) => id === operation.id) ?? operation;
}

export function receiptOf({ receipts }: Draft, receiptId: string | null): ReceiptRow {
  const receipt = receipts.find(({ id }) => id === receiptId);
  if (!receipt) throw new Error(`There is no receipt ${receiptId}.`);
  return receipt;
}

export function refundOf({ refunds }: Draft, refundId: string): RefundRow {
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund) throw new Error(`There is no refund ${refundId}.`);
  return refund;
}

function misfitError(reason: string): Error {
  return new Error(`The service's answer does not fit: ${reason}.`);
}

/** What may be stored of an error: its code and the service's own words, never a body or a credential. */
function describeError(error: unknown): object {
  if (error instanceof ServiceError) return { code: error.code, ...error.details };
  if (error instanceof PaymentsError) return { code: error.code };
  return { code: nameOf(error) ?? 'unknown' };
}

/**
 * Of an attempt by which nothing was sent, since the payment may not be its own. `isOwn`: null: that could not be found out. `wasSent`: an
 * attempt before it may have arrived.
 */
export function leaveUnsent(
  before: Draft,
  { id, attempts }: Attempt,
  {
    isOwn,
    wasSent,
    error,
    misfit,
  }: {
    readonly isOwn: false | null;
    readonly wasSent: boolean;
    readonly error: unknown;
    readonly misfit: string;
  },
  terms: OwedTerms,
): { readonly draft: Draft; readonly isBusy: boolean } {
  const operation = before.operations.find((one) => one.id === id);
  if (operation?.attempts !== attempts || operation.outcome !== 'unknown')
    return { draft: before, isBusy: true };
  const told = isOwn === false ? raiseAnomaly(before, misfit, { cause: operation.kind }) : before;
  // A refund's body names that other payment: with the row put right, it would be sent no more.
  if (isOwn === false && !wasSent) return { draft: refused(told, operation, error, terms), isBusy: false };
  const left = wasSent ? 'unknown' : null;
  return { draft: releaseOperation(told, operation, left, describeError(error)), isBusy: false };
}
