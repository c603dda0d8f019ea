import { createHash } from 'node:crypto';
import { isRecord } from '../common/is-record.js';
import type { ReceiptLines } from './builder.input.js';
import { owedBody } from './owed-body.js';
import type { OwnReceiptInput } from './own-receipt.input.js';
import { parseQuantity } from './quantity.js';
import { receiptToWire } from './receipt-to-wire.js';
import type { ReceiptInput } from './receipt.input.js';
import type { SettlePrepaymentInput } from './settlement.input.js';

/**
 * What a receipt says and whom it goes to, as far as two can be told apart once the contact was erased: whatever the order of its
 * items and fields. `salt`, the key of the payment's intent, is part of it, so that the digests of one buyer have nothing in common.
 */
export function receiptDigest(
  receipt: ReceiptInput,
  salt: string,
  lines: ReceiptLines | null = null,
): string {
  const said = receiptToWire(receipt);
  return sentReceiptDigest(lines === null ? said : { of: said, lines: chosen(receipt, lines) }, salt);
}

/** Of a receipt that is sent by itself. */
export function ownReceiptDigest(
  { type, refundId, receipt, settlements, additionalUserProps, onBehalfOf }: OwnReceiptInput,
  salt: string,
): string {
  const said = { ...owedBody(type, receipt), ...(settlements?.length && { settlements }) };
  return sentReceiptDigest({ ...said, refundId, additionalUserProps, onBehalfOf }, salt);
}

/** Of what is handed over, as its caller names it. */
export function settlementDigest(
  { customer, items, paymentSubject }: SettlePrepaymentInput,
  salt: string,
): string {
  const parcel = items?.map(({ quantity, ...item }) => ({
    ...item,
    quantity: quantity === undefined ? undefined : parseQuantity(quantity),
  }));
  return sentReceiptDigest({ customer, items: parcel, paymentSubject }, salt);
}

/** By their places in the receipt, since its items have lost their ids. */
function chosen({ items }: ReceiptInput, lines: ReceiptLines): object[] {
  return lines.map(({ id, line, quantity }) => ({
    quantity: quantity === undefined ? null : parseQuantity(quantity),
    lines: id === undefined ? line : items.flatMap((item, place) => (item.id === id ? [place] : [])),
  }));
}

/** Likewise of one as it stands in a request. */
export function sentReceiptDigest(receipt: object, salt: string): string {
  return createHash('sha256')
    .update(`${salt}\n${inOrder(receipt)}`)
    .digest('base64url');
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).toSorted().join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields
    .map(([name, field]) => `${JSON.stringify(name)}:${inOrder(field)}`)
    .toSorted()
    .join()}}`;
}
