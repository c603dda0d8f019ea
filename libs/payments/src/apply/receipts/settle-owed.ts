import { IN_FLIGHT_MS } from '../../api/limits.js';
import type { ServiceProfile } from '../../api/service-profile.js';
import type { Cause } from '../../common/cause.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { newOperation, recordOperation } from '../../operations/new-operation.js';
import type { RecordedBody } from '../../operations/personal-data.js';
import type { Draft } from '../../payment/draft.js';
import {
  closeProblem,
  dropReceipt,
  openReceipt,
  receiptRow,
  reportMissing,
  submitReceipt,
} from '../../payment/receipts/receipt-change.js';
import type { State } from '../../payment/state.js';
import { decideOwed, type OwedStep } from '../../receipts/decide-owed.js';
import { bodyForSum, bodyOf, type ReceiptSubject } from '../../receipts/owed-body.js';
import { keyOfNext } from '../../receipts/owed-keys.js';
import { registeredOf } from '../../receipts/registered.js';
import type { ReceiptRow, RefundRow } from '../../schema/rows.js';
import { followPrepayment } from './follow-prepayment.js';

type Step = OwedStep<ReceiptRow, RefundRow>;

/**
 * With what is owed by now, once money has moved or a receipt has ended, and what of a prepayment is left to settle: settlements are the
 * host's to send.
 */
export function settleReceipts(draft: Draft, cause: Cause, { profile, unsettledAfterMs }: OwedTerms): Draft {
  const followed = profile.receipts ? followPrepayment(draft, cause, unsettledAfterMs) : draft;
  return settleOwed(followed, cause);
}

export interface OwedTerms {
  readonly profile: Pick<ServiceProfile, 'receipts'>;
  readonly unsettledAfterMs: number;
}

/** What a payment owes by now. */
function owedSteps({ payment, refunds, receipts, problems }: State): readonly Step[] {
  return payment.receiptsAfter ? decideOwed(payment, refunds, registeredOf(receipts, problems).own) : [];
}

/** Money was moved, and nobody has said what is on its receipt. */
function isMissing({ kind }: Step): boolean {
  return kind === 'missing';
}

/**
 * With what receipts a payment owes by now. Where they follow the money, with the sending of those, and without what is not owed any more.
 * What is missing may be at the service and forgotten here: then it is not reported before the service's lists have been read.
 */
function settleOwed(draft: Draft, cause: Cause): Draft {
  const steps = owedSteps(draft);
  const waits = draft.isRecovering && steps.some(isMissing);
  const taken = waits ? steps.filter((one) => !isMissing(one)) : steps;
  const settled = taken.reduce((now, step) => take(now, step, cause), draft);
  if (!waits) return settled;
  const at = new Date(draft.now.getTime() + IN_FLIGHT_MS);
  return { ...settled, wanted: { at, isUrgent: false, ...settled.wanted, withRefunds: true } };
}

function take(draft: Draft, step: Step, cause: Cause): Draft {
  if (step.kind === 'send') return send(draft, step, cause);
  if (step.kind === 'drop') return dropReceipt(draft, step.receipt);
  if (step.kind === 'return') return giveBack(draft, step, cause);
  if (step.kind === 'missing') return reportMissing(draft, step.refund?.id ?? null, cause);
  return closeProblem(draft, { refundId: null, receiptId: step.receipt.id }, cause);
}

function send(draft: Draft, { receipt, amountMinor }: Extract<Step, { kind: 'send' }>, cause: Cause): Draft {
  const { type, refundId, body, personal, receiptKey } = receipt;
  const of = subjectOf(draft, refundId);
  const isLowered = amountMinor !== receipt.amountMinor;
  const said = isLowered ? loweredOrNull(body, amountMinor) : body;
  if (said === null || of === null) return reportMissing(dropReceipt(draft, receipt), null, cause);
  const request = { body: JSON.stringify(bodyOf(said, type, of)), personal };
  if (!isLowered) return sent(submitReceipt(draft, receipt), receipt, request);
  const dropped = dropReceipt(draft, receipt);
  const lowered = {
    refundId,
    type,
    amountMinor,
    receiptKey: keyOfNext(receiptKey),
    status: 'submitting',
  } as const;
  return sent(openReceipt(dropped, lowered), receiptRow(dropped, lowered), request);
}

/** With a new receipt that returns what another one says. */
function giveBack(
  draft: Draft,
  { of, key: receiptKey, refund }: Extract<Step, { kind: 'return' }>,
  cause: Cause,
): Draft {
  const refundId = refund?.id ?? null;
  const operation = draft.operations.find(({ receiptId }) => receiptId === of.id);
  if (!operation) throw new Error(`There is no operation of receipt ${of.id}.`);
  const { body, personal } = operation;
  const subject = subjectOf(draft, refundId);
  if (personal === null || subject === null) return reportMissing(draft, refundId, cause);
  const { amountMinor } = of;
  const receipt = { refundId, receiptKey, type: 'refund', amountMinor, status: 'submitting' } as const;
  const request = { body: JSON.stringify(bodyOf(body, 'refund', subject)), personal };
  return sent(openReceipt(draft, receipt), receiptRow(draft, receipt), request);
}

/** With its operation, which the sweep sends. */
function sent(draft: Draft, { id: receiptId }: ReceiptRow, request: RecordedBody): Draft {
  return recordOperation(draft, newOperation(draft, { receiptId, kind: 'receipt', request }, null), null);
}

function subjectOf({ payment, refunds }: Draft, refundId: string | null): ReceiptSubject | null {
  if (refundId === null) return payment.serviceId === null ? null : { payment_id: payment.serviceId };
  const serviceId = refunds.find(({ id }) => id === refundId)?.serviceId ?? null;
  return serviceId === null ? null : { refund_id: serviceId };
}

/** Null: no prices make that sum. */
function loweredOrNull(body: string | null, amountMinor: number): string | null {
  try {
    return body && bodyForSum(body, amountMinor);
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}
