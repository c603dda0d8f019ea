import { limits } from '../../api/limits.js';
import { RecoveryInProgressError, RefundKeyReusedError } from '../../common/payments.errors.js';
import type { Draft } from '../../payment/draft.js';
import { refundIdOf } from '../../payment/intent-key.js';
import { rulesOf } from '../../payment/paid-by.js';
import { openReceipt, type NewReceipt } from '../../payment/receipts/receipt-change.js';
import { decideRefund, digestOfAsked, type RefundRequest } from '../../payment/refunds/decide-refund.js';
import { openRefund } from '../../payment/refunds/refund-change.js';
import { refundMark } from '../../payment/refunds/refund-mark.js';
import { refundSums } from '../../payment/refunds/refund-sums.js';
import type { State } from '../../payment/state.js';
import { checkPartReceipt } from '../../receipts/fiscalization.js';
import { mustBeLeft } from '../../receipts/goods-left.js';
import { owedKeys } from '../../receipts/owed-keys.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { OperationRow, RefundRow } from '../../schema/rows.js';
import { newOperation, recordOperation } from '../new-operation.js';
import type { RecordedBody } from '../personal-data.js';
import { goodsOn } from '../receipts/named-goods.js';
import { hasOwedReceipts, saidOfRefund } from '../receipts/owed-receipts-of.js';
import { hasSameExtra, refundBody, sumOf } from '../request-body.js';
import type { Asked, RequestTerms } from '../request-terms.js';
import { receiptOfLines, receiptOfSum } from './refund-receipt.js';
import { refusalOfRefund } from './refund-refusal.js';

interface RefundAsked extends Asked {
  /** As it is recorded, or was before. */
  readonly refund: RefundRow;
}

/**
 * What a request for a refund means: the row, its operation and the money that it reserves (G1, G13).
 * @throws RefundKeyReusedError
 * @throws PaymentNotRefundableError
 * @throws RefundWindowClosedError
 * @throws PaymentWhollyRefundedError
 * @throws RefundAmountExceededError
 * @throws RecoveryInProgressError
 * @throws PaymentInputError if the receipt of a part is missing, does not add up, or gives goods back twice
 */
export function decideRefundRequest(before: Draft, request: RefundRequest, terms: RequestTerms): RefundAsked {
  const { payment, refunds, operations } = before;
  const rules = rulesOf(terms.profile, payment);
  const windowMs = rules ? rules.refundWindowMs : limits.refundWindowMs.value;
  const ageMs = before.now.getTime() - payment.createdAt.getTime();
  const ofLines = receiptOfNewLines(before, request);
  const asked = asMade(before, request, ofLines);
  const decision = decideRefund({ ...payment, windowMs, ageMs }, refunds, asked);
  if (decision.kind === 'same') {
    const { refund } = decision;
    const operation = operationOf(operations, refund);
    if (!hasSameExtra(operation.body, request.extra))
      throw new RefundKeyReusedError(payment.id, request.refundKey);
    return { refund, operation, draft: null, isAnew: false };
  }
  // What would refuse it may be out of date too.
  if (decision.kind !== 'key-reused' && !terms.isLetIn())
    throw new RecoveryInProgressError(before.order.reference);
  if (decision.kind !== 'open') throw refusalOfRefund(payment, request, decision, rules?.title ?? null);
  const { amountMinor } = decision;
  const receipt = receiptOf(before, request, amountMinor, ofLines, terms);
  const { sent, owed } = sentOrOwed(before, receipt, amountMinor);
  const refund = newRefund(before, request, amountMinor);
  const body = bodyOf(before, refund, request, sent, terms);
  const operation = newOperation(
    before,
    { refundId: refund.id, kind: 'refund', request: body },
    terms.caller,
  );
  const opened = openRefund(before, refund, { cause: 'refund', evidence: {} });
  const kept = owed ? openReceipt(opened, keptOf(refund, owed)) : opened;
  return { refund, operation, draft: recordOperation(kept, operation, terms.caller), isAnew: true };
}

/** The receipt of the lines that a new refund names; null: it names none, or there is nothing to be given back. */
function receiptOfNewLines(state: State, request: RefundRequest): ReceiptInput | null {
  const { payment, refunds } = state;
  const { refundedMinor, inFlightMinor } = refundSums(refunds);
  const isOver = payment.capturedMinor <= refundedMinor + inFlightMinor;
  const isNew = refunds.every(({ refundKey }) => refundKey !== request.refundKey);
  if (request.lines === null || isOver || !isNew) return null;
  return receiptOfLines(request, payment, goodsOn(payment, refunds, state));
}

/** A repeat names the sum that was requested, in place of which the service may have given back another one. */
function asMade(
  { refunds, operations }: State,
  request: RefundRequest,
  ofLines: ReceiptInput | null,
): RefundRequest {
  if (ofLines !== null) return { ...request, amountMinor: receiptTotalMinor(ofLines) };
  const earlier = refunds.find(({ refundKey }) => refundKey === request.refundKey);
  if (earlier === undefined || request.amountMinor === null) return request;
  const { body } = operationOf(operations, earlier);
  return request.amountMinor === sumOf(body) ? { ...request, amountMinor: earlier.amountMinor } : request;
}

function operationOf(operations: readonly OperationRow[], { id }: RefundRow): OperationRow {
  const operation = operations.find(({ refundId }) => refundId === id);
  if (!operation) throw new Error(`There is no operation of refund ${id}.`);
  return operation;
}

/** What the refund's receipt says: as it is given, or made of the payment's; null: it needs none. */
function receiptOf(
  { payment, refunds, ...records }: State,
  request: RefundRequest,
  amountMinor: number,
  ofLines: ReceiptInput | null,
  { fiscalization }: RequestTerms,
): ReceiptInput | null {
  const { receiptsAfter, capturedMinor: wholeMinor } = payment;
  const hasReceipt = payment.receiptStatus !== null || hasOwedReceipts(payment);
  const isMade = request.receiptOf !== null || (request.amountMinor === null && hasReceipt);
  // Of the whole payment the service has it, or the module repeats it.
  const isRepeated = amountMinor === wholeMinor && !(receiptsAfter && request.receiptOf);
  const needsGoods = request.receipt !== null || (isMade && !isRepeated);
  const goods = needsGoods ? goodsOn(payment, refunds, records) : null;
  const made = goods && isMade ? (ofLines ?? receiptOfSum(request, amountMinor, payment, goods)) : null;
  const receipt = request.receipt ?? made;
  checkPartReceipt(
    { receipt, amountMinor, receiptsAfter },
    { wholeMinor, hasReceipt, mayRepeat: receiptsAfter },
    fiscalization,
  );
  if (receipt !== null && goods !== null) mustBeLeft(receipt, goods);
  return receipt;
}

/** Sent with the money, or kept until that has moved. */
function sentOrOwed(
  { payment, ...records }: State,
  receipt: ReceiptInput | null,
  amountMinor: number,
): { readonly sent: ReceiptInput | null; readonly owed: RecordedBody | null } {
  if (!payment.receiptsAfter) return { sent: receipt, owed: null };
  const isOwed = receipt !== null || amountMinor === payment.capturedMinor;
  return { sent: null, owed: isOwed ? saidOfRefund(receipt, records) : null };
}

function newRefund({ now, payment }: State, request: RefundRequest, amountMinor: number): RefundRow {
  const { refundKey, description, metadata } = request;
  const { id: paymentId, storeId, intentKey, currency } = payment;
  return {
    id: refundIdOf(payment, refundKey),
    storeId,
    paymentId,
    refundKey,
    serviceId: null,
    status: 'submitting',
    amountMinor,
    currency,
    whole: request.amountMinor === null && request.lines === null,
    description,
    receiptDigest: digestOfAsked(request, intentKey),
    metadata,
    cancellation: null,
    receiptStatus: null,
    object: null,
    createdAt: now,
    updatedAt: now,
  };
}

function bodyOf(
  { payment }: State,
  { amountMinor, whole, receiptDigest }: RefundRow,
  { refundKey, description, metadata, extra }: RefundRequest,
  receipt: ReceiptInput | null,
  { profile }: RequestTerms,
): RecordedBody {
  const { id, serviceId, currency } = payment;
  if (serviceId === null) throw new Error(`Payment ${id} succeeded without an id of the service.`);
  const mark = refundMark(payment, { refundKey, whole, receiptDigest });
  return refundBody({
    serviceId,
    amountMinor,
    currency,
    description,
    metadata,
    receipt,
    extra,
    mark,
    profile,
  });
}

function keptOf({ id: refundId, amountMinor }: RefundRow, said: RecordedBody): NewReceipt {
  const receiptKey = owedKeys.refund(refundId);
  return { ...said, refundId, receiptKey, type: 'refund', status: 'owed', amountMinor };
}
