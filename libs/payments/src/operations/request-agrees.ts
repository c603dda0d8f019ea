import { parseAmount } from '../api/objects/fields.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { methodToWire } from '../api/wire-names.js';
import { isRecord } from '../common/is-record.js';
import { besides, type Metadata } from '../common/metadata.js';
import { isOwnMethod } from '../payment/inputs/extra.js';
import { readPaymentMark } from '../payment/payment-mark.js';
import { readRefundMark } from '../payment/refunds/refund-mark.js';
import { sentReceiptDigest } from '../receipts/receipt-digest.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import type { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { bodyToSend } from './personal-data.js';
import { CANCEL_BODY, fingerprint } from './request-body.js';

/** An operation with the rows it is for, as they are when it is to be sent. */
export interface RecordedRequest {
  readonly operation: Pick<
    PaymentsOperationEntity,
    'kind' | 'body' | 'personal' | 'fingerprint' | 'storeId' | 'paymentId' | 'refundId'
  >;
  readonly payment: Pick<
    PaymentsPaymentEntity,
    | 'id'
    | 'storeId'
    | 'serviceId'
    | 'amountMinor'
    | 'currency'
    | 'capture'
    | 'method'
    | 'paymentMethodId'
    | 'description'
    | 'metadata'
    | 'receiptsAfter'
    | 'receiptDigest'
    | 'part'
    | 'tryNumber'
    | 'intentKey'
  >;
  /** Of a receipt of its own. */
  readonly receipt?: Pick<
    PaymentsReceiptEntity,
    'storeId' | 'paymentId' | 'refundId' | 'type' | 'amountMinor' | 'currency'
  > | null;
  /** Of a refund, and of a receipt that is of one. */
  readonly refund: Pick<
    PaymentsRefundEntity,
    | 'storeId'
    | 'paymentId'
    | 'refundKey'
    | 'serviceId'
    | 'amountMinor'
    | 'currency'
    | 'description'
    | 'metadata'
  > | null;
}

type Rule = readonly [broken: boolean, what: string];
type Body = Readonly<Record<string, unknown>>;

/**
 * What in a recorded request contradicts its rows; null: it agrees. A forger of rows may have changed only one of them: such a
 * request is never sent.
 */
export function disagreement(request: RecordedRequest, profile: ServiceProfile): string | null {
  const { operation, payment } = request;
  const body = parsed(operation.body);
  const rules: readonly Rule[] = [
    [fingerprint(operation.kind, operation) !== operation.fingerprint, 'its fingerprint'],
    [operation.paymentId !== payment.id || operation.storeId !== payment.storeId, 'its store'],
    ...(body === null ? [[true, 'its body'] as const] : rulesOf(request, body, profile)),
  ];
  return rules.find(([broken]) => broken)?.[1] ?? null;
}

function rulesOf(request: RecordedRequest, body: Body, profile: ServiceProfile): readonly Rule[] {
  const { operation, payment, refund } = request;
  if (operation.kind === 'create')
    return [...createRules(payment, body, profile), [!isReceiptOf(operation, payment), 'its receipt']];
  if (operation.kind === 'capture') return captureRules(payment, body);
  if (operation.kind === 'cancel') return [[operation.body !== CANCEL_BODY.body, 'its body']];
  if (operation.kind === 'receipt') return receiptRules(request, body);
  return refund === null ? [[true, 'its refund']] : refundRules(payment, refund, body, profile);
}

function createRules(
  payment: RecordedRequest['payment'],
  body: Body,
  profile: ServiceProfile,
): readonly Rule[] {
  const data = isRecord(body['payment_method_data']) ? body['payment_method_data'] : {};
  const isOurs = (mark: unknown) => marksPayment(mark, payment);
  return [
    [!isSum(body['amount'], payment), 'its amount'],
    [body['capture'] !== payment.capture, 'whether it captures'],
    [!isMethod(data['type'], payment, profile), 'its payment method'],
    [(body['payment_method_id'] ?? null) !== payment.paymentMethodId, 'its saved payment method'],
    [(body['description'] ?? null) !== payment.description, 'its description'],
    [!isMarked(body, profile.metadataKey, isOurs), 'the payment it names'],
    [!isMetadata(body, payment.metadata, isOurs), 'its metadata'],
  ];
}

/** Only the body contains how much is to be captured: no more than was held. */
function captureRules(payment: RecordedRequest['payment'], body: Body): readonly Rule[] {
  const amount = parseAmount(body['amount']);
  const fits =
    amount !== null &&
    amount.currency === payment.currency &&
    amount.amountMinor > 0 &&
    amount.amountMinor <= payment.amountMinor;
  return [[!fits, 'its amount']];
}

function refundRules(
  payment: RecordedRequest['payment'],
  refund: NonNullable<RecordedRequest['refund']>,
  body: Body,
  profile: ServiceProfile,
): readonly Rule[] {
  const isOurs = (mark: unknown) => readRefundMark(payment, mark)?.refundKey === refund.refundKey;
  return [
    [refund.paymentId !== payment.id || refund.storeId !== payment.storeId, 'its refund'],
    [payment.serviceId === null || body['payment_id'] !== payment.serviceId, 'the payment it names'],
    [!isSum(body['amount'], refund) || refund.currency !== payment.currency, 'its amount'],
    [(body['description'] ?? null) !== refund.description, 'its description'],
    [!isMarked(body, profile.refundMetadataKey, isOurs), 'the refund it names'],
    [!isMetadata(body, refund.metadata, isOurs), 'its metadata'],
  ];
}

/** That which goes with the request: one that follows the money is in a row of its own. */
function isReceiptOf(
  operation: RecordedRequest['operation'],
  { intentKey, receiptsAfter, receiptDigest: known }: RecordedRequest['payment'],
): boolean {
  const receipt = parsed(bodyToSend(operation))?.['receipt'];
  if (receipt === undefined) return receiptsAfter || known === null;
  return isRecord(receipt) && sentReceiptDigest(receipt, intentKey) === known;
}

/** A payment without a method may be by one that this module does not know. */
function isMethod(type: unknown, { method }: RecordedRequest['payment'], profile: ServiceProfile): boolean {
  return method === null ? !isOwnMethod(profile, type) : type === methodToWire(profile, method);
}

function receiptRules({ payment, refund, receipt = null }: RecordedRequest, body: Body): readonly Rule[] {
  if (receipt === null || (receipt.refundId !== null && refund === null)) return [[true, 'its receipt']];
  const of = refund === null ? [payment.serviceId, undefined] : [undefined, refund.serviceId];
  const settlements: unknown[] = Array.isArray(body['settlements']) ? body['settlements'] : [];
  const sums = settlements.map((settled) => (isRecord(settled) ? parseAmount(settled['amount']) : null));
  const settledMinor = sums.reduce((sum, amount) => sum + (amount?.amountMinor ?? Number.NaN), 0);
  return [
    [receipt.paymentId !== payment.id || receipt.storeId !== payment.storeId, 'its receipt'],
    [refund !== null && refund.paymentId !== payment.id, 'its refund'],
    [of.includes(null) || body['payment_id'] !== of[0] || body['refund_id'] !== of[1], 'what it is of'],
    [body['type'] !== receipt.type, 'its type'],
    [settledMinor !== receipt.amountMinor, 'its amount'],
  ];
}

function isSum(value: unknown, row: { readonly amountMinor: number; readonly currency: string }): boolean {
  const amount = parseAmount(value);
  return amount !== null && amount.amountMinor === row.amountMinor && amount.currency === row.currency;
}

/** The metadata has our mark under the key of the profile that it was recorded with. */
function isMarked(body: Body, key: string | null, isOurs: (mark: unknown) => boolean): boolean {
  const metadata = metadataOf(body);
  return key === null || !Object.hasOwn(metadata, key) || isOurs(metadata[key]);
}

function marksPayment(
  mark: unknown,
  { storeId, part, tryNumber, amountMinor, capture }: RecordedRequest['payment'],
): boolean {
  const marked = readPaymentMark(storeId, mark);
  return (
    marked?.part === part &&
    marked.tryNumber === tryNumber &&
    marked.amountMinor === amountMinor &&
    marked.capture === capture
  );
}

/** Beside the row's own entries there is at most our mark. */
function isMetadata(body: Body, own: Metadata, isOurs: (mark: unknown) => boolean): boolean {
  const others = besides(metadataOf(body), own);
  return others !== null && others.length <= 1 && others.every(isOurs);
}

function metadataOf(body: Body): Body {
  return isRecord(body['metadata']) ? body['metadata'] : {};
}

function parsed(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : null;
  } catch {
    return null;
  }
}
