import { parseRequest } from '../api/requests/parse-request.js';
import { type Amount, formatAmount, parseAmount, valueFromMinor } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { TotalInputShape } from './builder.input.js';
import { lineTotalMinor } from './priced-lines.js';
import { parseQuantity } from './quantity.js';
import type { ReceiptInput, ReceiptItem } from './receipt.input.js';

/** What a line costs, in minor units. */
export function itemTotalMinor({ amount, quantity }: Pick<ReceiptItem, 'amount' | 'quantity'>): number {
  return lineTotalMinor({ thousandths: parseQuantity(quantity) ?? 0, unitMinor: parseAmount(amount) });
}

/** What a receipt's lines add up to, in minor units. */
export function receiptTotalMinor({ items }: Pick<ReceiptInput, 'items'>): number {
  return items.reduce((total, item) => total + itemTotalMinor(item), 0);
}

/**
 * What a receipt's lines add up to, e.g. of a part that is to be refunded.
 * @throws PaymentInputError for what is no receipt, naming the field by its path and the rule, as `create` does
 */
export function receiptTotal(receipt: ReceiptInput): Amount {
  return totalOf(parseRequest(TotalInputShape, { receipt }).receipt);
}

/** Likewise of what is known to be a receipt. */
export function totalOf(receipt: Pick<ReceiptInput, 'items'>): Amount {
  return formatAmount(receiptTotalMinor(receipt), receipt.items[0]?.amount.currency);
}

/**
 * A register refuses a receipt that does not add up to the money, so such a one is not sent.
 * @throws PaymentInputError naming the difference
 */
export function mustAddUp(receipt: ReceiptInput, amountMinor: number, field = 'receipt'): void {
  const totalMinor = receiptTotalMinor(receipt);
  if (totalMinor === amountMinor) return;
  const differs = valueFromMinor(Math.abs(totalMinor - amountMinor));
  throw new PaymentInputError(
    `${field}.items`,
    `must add up to the amount, unit price × quantity rounded in each line: they are ${valueFromMinor(totalMinor)}, which is ` +
      `${differs} ${totalMinor > amountMinor ? 'more' : 'less'} than ${valueFromMinor(amountMinor)}`,
  );
}
