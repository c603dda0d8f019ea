import { parseAmount } from '../../api/objects/fields.js';
import { isRecord } from '../../common/is-record.js';
import { valueFromMinor } from '../../common/money.js';
import {
  PaymentInputError,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
} from '../../common/payments.errors.js';
import { withRow, type Draft } from '../../payment/draft.js';
import { closeProblem, receiptRow, seeReceipt } from '../../payment/receipts/receipt-change.js';
import type { State } from '../../payment/state.js';
import { thousandthsOf } from '../../receipts/left-of.js';
import type { ReceiptSubject } from '../../receipts/owed-body.js';
import { isFoundKey, keyOfNext, latestOf } from '../../receipts/owed-keys.js';
import type { ReceiptType } from '../../receipts/own-receipt.js';
import { excessOf, type Said } from '../../receipts/receipt-bounds.js';
import { saidItems } from '../../receipts/receipt-from-wire.js';
import { itemTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { OperationRow, PaymentRow, ReceiptRow, RefundRow } from '../../schema/rows.js';
import { type CallTimes, foundOperation, newOperation, recordOperation } from '../new-operation.js';
import type { RecordedBody } from '../personal-data.js';
import { correctedBody, readdressedBody } from '../request-body.js';
import type { Asked, RequestTerms } from '../request-terms.js';
import { receiptIn } from './named-goods.js';

type NewReceipt = Pick<ReceiptRow, 'receiptKey' | 'askedDigest' | 'type' | 'refundId' | 'amountMinor'>;

/** A receipt to send: what it is of, what was asked for, and what it says. */
export type SaidReceipt = Omit<NewReceipt, 'askedDigest'> & {
  /** Of what was asked for, of the payment with this key of its intent. */
  readonly digestOf: (intentKey: string) => string;
  readonly bodyOf: (subject: ReceiptSubject) => RecordedBody;
};

/** What another attempt says otherwise, in all of it or in whom it goes to; nothing: it is as it was. */
export interface Correction {
  readonly receipt?: ReceiptInput;
  readonly customer?: ReceiptInput['customer'];
}

interface ReceiptAsked extends Asked {
  /** As it is recorded, or was before. */
  readonly receipt: ReceiptRow;
}

/**
 * What a request for a receipt that is sent by itself means: the row and its operation (G1), or the one that its key names.
 * @throws ReceiptKeyReusedError
 * @throws ReceiptNotPossibleError
 * @throws PaymentInputError for an unknown refund
 */
export function decideReceiptRequest(before: Draft, said: SaidReceipt, terms: RequestTerms): ReceiptAsked {
  const { payment } = before;
  const { bodyOf, digestOf, ...rest } = said;
  const row = { ...rest, askedDigest: digestOf(payment.intentKey) };
  const refund = refundOf(before, row.refundId);
  const known = latestOf(before.receipts, row.receiptKey);
  if (known && known.askedDigest !== row.askedDigest)
    throw new ReceiptKeyReusedError(payment.id, row.receiptKey);
  if (known) return { receipt: known, operation: operationOf(before, known), draft: null, isAnew: false };
  mustBePossible(payment, refund, row.type);
  const request = bodyOf(idOf(payment, refund));
  const found = foundUnder(before, row, request.body);
  if (found !== undefined) return nameFound(before, found, row);
  mustFitMoney(before, row, request.body);
  return open(before, row, request, terms.mayHaveBeenSent() ? null : terms.caller);
}

/**
 * Another attempt of a receipt that failed: as it was, or as it is said now. The sweep sends it.
 * @throws ReceiptNotPossibleError
 * @throws PaymentInputError if a contact is needed that is not kept any more
 */
export function sendReceiptAgain(
  before: Draft,
  failed: ReceiptRow,
  said: Correction,
): ReceiptAsked & { readonly draft: Draft } {
  const { refundId, receiptKey, askedDigest, type, amountMinor } = failed;
  mustBePossible(before.payment, refundOf(before, refundId), type);
  const { body, personal } = operationOf(before, failed);
  const request = corrected({ body, personal }, said);
  if (request.personal === null)
    throw new PaymentInputError('customer', 'is required: the contact of the receipt is not kept any more');
  const row = { refundId, type, amountMinor, askedDigest, receiptKey: keyOfNext(receiptKey) };
  mustFitMoney(before, row, request.body);
  return open(before, row, request, null);
}

function open(
  before: Draft,
  row: NewReceipt,
  request: RecordedBody,
  caller: CallTimes | null,
): ReceiptAsked & { readonly draft: Draft } {
  const receipt = receiptRow(before, { ...row, status: 'submitting' });
  const operation = newOperation(before, { receiptId: receipt.id, kind: 'receipt', request }, caller);
  const opened = { ...before, receipts: withRow(before.receipts, receipt) };
  return { receipt, operation, draft: recordOperation(opened, operation, caller), isAnew: false };
}

function operationOf({ operations }: State, { id }: ReceiptRow): OperationRow {
  const operation = operations.find(({ receiptId }) => receiptId === id);
  if (!operation) throw new Error(`There is no operation of receipt ${id}.`);
  return operation;
}

/** One whose key the database has forgotten, of the same goods. */
function foundUnder(
  state: State,
  { type, refundId, amountMinor }: NewReceipt,
  body: string,
): ReceiptRow | undefined {
  return state.receipts.find(
    (one) =>
      isFoundKey(one.receiptKey) &&
      one.status !== 'void' &&
      one.type === type &&
      one.refundId === refundId &&
      one.amountMinor === amountMinor &&
      goodsIn(operationOf(state, one).body) === goodsIn(body),
  );
}

/**
 * One that was found without its key is what its caller asks for again: it goes on in a row with that key, and with the effects of the
 * row that the database has forgotten.
 */
function nameFound(before: Draft, found: ReceiptRow, named: NewReceipt): ReceiptAsked {
  const { id: receiptId, serviceId, refundId, object, status } = found;
  if (serviceId === null) throw new Error(`The receipt ${receiptId} was found without an id of the service.`);
  const { body, personal } = operationOf(before, found);
  const closed = closeProblem(before, { refundId, receiptId }, 'receipt');
  const left = { ...found, serviceId: null, status: 'void', updatedAt: before.now } as const;
  const receipt = receiptRow(closed, { ...named, status: 'submitting' });
  const opened = { ...closed, receipts: [...withRow(closed.receipts, left), receipt] };
  const seen = { id: serviceId, status: isServiceStatus(status) ? status : null, kept: { ...object } };
  const draft = seeReceipt(opened, receipt, seen, { isLate: false, cause: 'receipt' });
  const request = { kind: 'receipt', receiptId: receipt.id, request: { body, personal } } as const;
  const operation = foundOperation(before.payment, request, before.now);
  return {
    receipt: draft.receipts.find(({ id }) => id === receipt.id) ?? receipt,
    operation,
    draft: { ...draft, operations: withRow(draft.operations, operation) },
    isAnew: false,
  };
}

function isServiceStatus(status: ReceiptRow['status']): status is 'pending' | 'succeeded' | 'canceled' {
  return status === 'pending' || status === 'succeeded' || status === 'canceled';
}

/** All receipts of a payment say no more than its money. */
function mustFitMoney(
  { payment, order, receipts, refunds, problems, operations }: State,
  { type, refundId }: Pick<ReceiptRow, 'type' | 'refundId'>,
  body: string,
): void {
  const sent = new Map(operations.map((operation) => [operation.receiptId, operation.body]));
  const known = receipts.map((one) => ({
    id: one.id,
    type: one.type,
    refundId: one.refundId,
    status: one.status,
    ...settledBy(one.body ?? sent.get(one.id) ?? null),
  }));
  const money = { payment, refunds, problems, totalDueMinor: order.totalDueMinor };
  const excess = excessOf(money, known, { type, refundId, ...settledBy(body) });
  if (excess === null) return;
  const [said, most] = [excess.saidMinor, excess.mostMinor].map(valueFromMinor);
  throw new ReceiptNotPossibleError(
    payment.id,
    `with those that are sent or kept, ${said} would be settled as ${excess.what}, of ${most} at most: send the return of the wrong one first`,
  );
}

/** Whatever else a service's answer says of them, or masks. */
function goodsIn(body: string): string {
  return saidItems(receiptIn(body)?.['items'])
    .map((item) => JSON.stringify([item.description, thousandthsOf(item), itemTotalMinor(item)]))
    .toSorted()
    .join();
}

function corrected(recorded: RecordedBody, { receipt, customer }: Correction): RecordedBody {
  if (receipt) return correctedBody(recorded.body, receipt);
  return customer ? readdressedBody(recorded.body, customer) : recorded;
}

/** What the receipt in a recorded request says was paid, and how. */
function settledBy(body: string | null): Pick<Said, 'cashlessMinor' | 'prepaymentMinor'> {
  const request: unknown = body === null ? null : JSON.parse(body);
  const given: unknown = isRecord(request) ? request['settlements'] : null;
  const settlements = Array.isArray(given) ? given.filter(isRecord) : [];
  const sumOf = (type: string) =>
    settlements
      .filter((settled) => settled['type'] === type)
      .reduce((sum, { amount }) => sum + (parseAmount(amount)?.amountMinor ?? 0), 0);
  return { cashlessMinor: sumOf('cashless'), prepaymentMinor: sumOf('prepayment') };
}

function refundOf({ refunds }: State, refundId: string | null): RefundRow | null {
  const refund = refunds.find(({ id }) => id === refundId) ?? null;
  if (refund === null && refundId !== null)
    throw new PaymentInputError('refundId', 'must be the id of a refund of this payment');
  return refund;
}

/** The service takes income of what is held or paid, and its return once money went back or was not taken. */
function mustBePossible({ id, status }: PaymentRow, refund: RefundRow | null, type: ReceiptType): void {
  if (refund !== null) {
    if (type !== 'refund') throw new PaymentInputError('type', 'must be refund beside refundId');
    if (refund.status !== 'succeeded')
      throw new ReceiptNotPossibleError(id, `its refund ${refund.id} is ${refund.status}, not succeeded`);
    return;
  }
  const fits = type === 'payment' ? ['waiting_for_capture', 'succeeded'] : ['canceled', 'succeeded'];
  if (!fits.includes(status))
    throw new ReceiptNotPossibleError(
      id,
      `it is ${status}, and a receipt of type ${type} needs it ${fits.join(' or ')}`,
    );
}

function idOf({ id, serviceId }: PaymentRow, refund: RefundRow | null): ReceiptSubject {
  if (refund !== null && refund.serviceId !== null) return { refund_id: refund.serviceId };
  if (refund === null && serviceId !== null) return { payment_id: serviceId };
  throw new ReceiptNotPossibleError(id, 'the service does not know it yet');
}
