import type { ServiceReceipt } from '../../api/service-receipt.js';
import { foundKey, keyOfNext, owedKeys } from '../../receipts/owed-keys.js';
import { receiptTypes, type ReceiptType } from '../../receipts/own-receipt.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';

/** A receipt whose sending the database has forgotten, and its row. */
export interface ForgottenReceipt<Row> extends Pick<
  PaymentsReceiptEntity,
  'receiptKey' | 'type' | 'refundId' | 'amountMinor'
> {
  readonly object: ServiceReceipt;
  /** Has it as never sent; null: it has none. */
  readonly row: Row | null;
  /** It failed, and another one like it came after it. */
  readonly isSentAgain: boolean;
}

type Payment = Pick<PaymentsPaymentEntity, 'receiptsAfter' | 'amountMinor' | 'authorizedMinor'>;
type Refund = Pick<PaymentsRefundEntity, 'id' | 'serviceId'>;
interface Known extends Pick<
  PaymentsReceiptEntity,
  'receiptKey' | 'type' | 'refundId' | 'amountMinor' | 'serviceId' | 'status'
> {
  /** What it is settled by, in the service's words, if it was never sent as far as its row knows; null: it was. */
  readonly unsentTypes: readonly string[] | null;
}

/**
 * Which of a payment's receipts were sent by themselves without being known here. The service keeps no mark of ours on them, so they are
 * known by what they are of: an offset never goes with money, and nothing does where receipts follow it. What has been sent and waits for
 * its answer is left out: under its key the service answers with the receipt that it made. What was never sent, as far as its row knows, may
 * have been sent long ago, and the service may have forgotten the key.
 *
 * @param known oldest first
 * @param listed all that the service has of the payment, oldest first
 */
export function forgottenReceipts<Row extends Known>(
  payment: Payment,
  refunds: readonly Refund[],
  known: readonly Row[],
  listed: readonly ServiceReceipt[],
): ForgottenReceipt<Row>[] {
  const bound = new Set(known.map(({ serviceId }) => serviceId));
  const underWay = known.filter(({ status, unsentTypes }) => status === 'submitting' && unsentTypes === null);
  const found = new Set<Row | null>();
  const own = listed
    .filter((object) => isSentByItself(payment, object))
    .flatMap((object) => {
      const said = saidBy(object, refunds);
      return said === null ? [] : [{ object, ...said }];
    });
  const keys = new Set(known.map(({ receiptKey }) => receiptKey));
  return own.flatMap((receipt, place) => {
    const { object } = receipt;
    if (bound.has(object.id) || underWay.some((row) => isLike(row, receipt))) return [];
    const types = object.settlementTypes.join();
    const isOf = (one: Row) => isLike(one, receipt) && one.unsentTypes?.join() === types;
    const row = known.find((one) => !found.has(one) && isOf(one)) ?? null;
    found.add(row);
    const receiptKey = row?.receiptKey ?? freeKey(keyOf(payment, receipt), keys);
    keys.add(receiptKey);
    const isSentAgain =
      object.status === 'canceled' && own.slice(place + 1).some((later) => isLike(later, receipt));
    return [{ ...receipt, row, receiptKey, isSentAgain }];
  });
}

/** Whether a receipt of this payment did not go with its money, whatever is known of it here. */
export function isSentByItself(
  { receiptsAfter }: Pick<Payment, 'receiptsAfter'>,
  object: Pick<ServiceReceipt, 'paidMinor' | 'settledMinor'>,
): boolean {
  return receiptsAfter || isOffset(object);
}

/** Not all of it is paid in money. */
function isOffset({ paidMinor, settledMinor }: Pick<ServiceReceipt, 'paidMinor' | 'settledMinor'>): boolean {
  return paidMinor !== null && settledMinor !== null && paidMinor < settledMinor;
}

type SaidReceipt = Pick<PaymentsReceiptEntity, 'type' | 'refundId' | 'amountMinor'>;

/** Null: the answer lacks something, or the refund is not known yet. */
function saidBy(
  { type: given, refundId: ofRefund, settledMinor: amountMinor }: ServiceReceipt,
  refunds: readonly Refund[],
): SaidReceipt | null {
  const type = receiptTypes.find((one) => one === given);
  const refund = refunds.find(({ serviceId }) => serviceId !== null && serviceId === ofRefund);
  if (type === undefined || !amountMinor || (ofRefund !== null && !refund)) return null;
  return { type, refundId: refund?.id ?? null, amountMinor };
}

function isLike(one: SaidReceipt, other: SaidReceipt): boolean {
  return one.type === other.type && one.refundId === other.refundId && one.amountMinor === other.amountMinor;
}

/** Of one that follows its money, its own again; its caller's name for any other is nowhere but in the database. */
function keyOf(
  { receiptsAfter, authorizedMinor, amountMinor: askedMinor }: Payment,
  { object, type, refundId, amountMinor }: SaidReceipt & { readonly object: ServiceReceipt },
): string {
  if (!receiptsAfter || isOffset(object)) return foundKey(object.id);
  if (refundId !== null) return owedKeys.refund(refundId);
  return keyOfPayment(type, amountMinor === (authorizedMinor || askedMinor));
}

function keyOfPayment(type: ReceiptType, isWhole: boolean): string {
  if (type === 'refund') return owedKeys.return;
  return isWhole ? owedKeys.payment : owedKeys.capture;
}

/** That of its next attempt if there was one. */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  return taken.has(key) ? freeKey(keyOfNext(key), taken) : key;
}
