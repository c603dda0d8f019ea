import { isRecord } from '../common/is-record.js';
import { formatAmount } from '../common/money.js';
import { asReturned } from './mark-codes.js';
import type { ReceiptType } from './own-receipt.js';
import { partOf } from './receipt-builder.js';
import { itemsFromWire } from './receipt-from-wire.js';
import { totalOf } from './receipt-sums.js';
import { receiptToWire } from './receipt-to-wire.js';
import type { ReceiptInput } from './receipt.input.js';

/** The money that a receipt is of, by the service's id. */
export type ReceiptSubject = { readonly payment_id: string } | { readonly refund_id: string };

/** What a receipt says when it is sent by itself, all of it paid without cash; without the id of its money. */
export function owedBody(type: ReceiptType, receipt: ReceiptInput): object {
  const settlements = [{ type: 'cashless', amount: totalOf(receipt) }];
  return { type, ...toWire(type, receipt), send: true, settlements };
}

/** The body to send of an owed receipt, or of one that returns what another body says. */
export function bodyOf(recorded: string, type: ReceiptType, subject: ReceiptSubject): object {
  const { payment_id: _payment, refund_id: _refund, ...said } = parsed(recorded);
  return { ...(type === 'refund' ? asReturned(said) : said), type, ...subject };
}

/** What a receipt of this type says. */
export function toWire(type: ReceiptType, receipt: ReceiptInput): object {
  const said = receiptToWire(receipt);
  return type === 'refund' ? asReturned(said) : said;
}

/**
 * The same goods for another sum, since the service has taken a discount off.
 * @throws PaymentInputError where a unit would be free
 */
export function bodyForSum(recorded: string, amountMinor: number): string {
  const said = parsed(recorded);
  const items = itemsForSum(said['items'], amountMinor);
  const amount = formatAmount(amountMinor, items[0]?.amount.currency);
  const wire = receiptToWire({ customer: {}, items });
  return JSON.stringify({
    ...said,
    ...(isRecord(wire) && { items: wire['items'] }),
    settlements: [{ type: 'cashless', amount }],
  });
}

/** Likewise of the items of a receipt. */
export function itemsForSum(items: unknown, amountMinor: number): ReceiptInput['items'] {
  const whole = { customer: {}, items: itemsFromWire(items) };
  return partOf(whole, { amount: formatAmount(amountMinor, whole.items[0]?.amount.currency) }).items;
}

function parsed(recorded: string): Record<string, unknown> {
  const said: unknown = JSON.parse(recorded);
  return isRecord(said) ? said : {};
}
