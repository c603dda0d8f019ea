import { wireAmount } from '../common/money.js';
import { receiptTotalMinor, type ReceiptData } from './receipt-data.js';
import type { ReceiptItem } from './receipt-item.js';

/**
 * The receipt of a payment whose amount an instalment has lowered: each line is lowered by its share (assumed: how the service
 * makes them add up to the kopeck).
 */
export function discounted(data: ReceiptData, amountMinor: number): ReceiptData {
  const wholeMinor = receiptTotalMinor(data);
  if (amountMinor === wholeMinor) return data;
  let leftMinor = amountMinor;
  let leftOfWhole = wholeMinor;
  const items = data.items.flatMap((item) => {
    const totalMinor = leftOfWhole === 0 ? 0 : share(item.totalMinor, leftMinor, leftOfWhole);
    leftMinor -= totalMinor;
    leftOfWhole -= item.totalMinor;
    return lowered(item, totalMinor);
  });
  return { ...data, items };
}

/** Its part of what is left; the last one gets all of it, so that nothing is lost to rounding. */
function share(ofMinor: number, leftMinor: number, leftOfWhole: number): number {
  return Number((BigInt(ofMinor) * BigInt(leftMinor)) / BigInt(leftOfWhole));
}

/** The line at its new price; two lines, where no single price gives that total. */
function lowered({ wire }: ReceiptItem, totalMinor: number): ReceiptItem[] {
  const count = Number(wire['quantity']);
  if (!Number.isInteger(count)) return [line(wire, 1, totalMinor)];
  const eachMinor = Math.floor(totalMinor / count);
  const rest = totalMinor - eachMinor * count;
  return rest === 0
    ? [line(wire, count, eachMinor)]
    : [line(wire, count - rest, eachMinor), line(wire, rest, eachMinor + 1)];
}

function line(wire: ReceiptItem['wire'], quantity: number, unitMinor: number): ReceiptItem {
  return { wire: { ...wire, quantity, amount: wireAmount(unitMinor) }, totalMinor: unitMinor * quantity };
}
