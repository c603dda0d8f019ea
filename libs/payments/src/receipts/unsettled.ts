import { HOUR_MS } from '../common/durations.js';
import { isPrepaid, prepaymentLeft, type KnownReceipt } from './prepayment.js';
import { itemTotalMinor } from './receipt-sums.js';
import type { ReceiptInput } from './receipt.input.js';

/** What of a prepayment is left to settle, since when, and when its host is told. */
interface Unsettled {
  readonly unsettledMinor: number;
  readonly unsettledSince: Date | null;
  readonly unsettledDueAt: Date | null;
}

/** What is on its way at the end of the term may be so for days. */
const LOOK_AGAIN_MS = HOUR_MS;

interface Terms {
  readonly now: Date;
  readonly unsettledAfterMs: number;
}

/** What a receipt says is paid before the goods are handed over. */
export function prepaidMinor({ items }: Pick<ReceiptInput, 'items'>): number {
  return items.filter(isPrepaid).reduce((sum, item) => sum + itemTotalMinor(item), 0);
}

/** What these receipts leave to settle of a payment's prepayment, in the order of what they say. */
export function leftToSettle(receipts: readonly KnownReceipt[], unsaidMinor: number): number {
  const left = prepaymentLeft(receipts, unsaidMinor);
  if (typeof left === 'string') return 0;
  return [...left.goods, ...left.advances].reduce((sum, { sumMinor }) => sum + sumMinor, 0);
}

/** The term begins once there is something to settle; parcels and returns in part leave it as it is. */
export function unsettledNow(
  { unsettledSince, unsettledDueAt }: Unsettled,
  unsettledMinor: number,
  { now, unsettledAfterMs }: Terms,
): Unsettled {
  if (unsettledMinor === 0) return { unsettledMinor, unsettledSince: null, unsettledDueAt: null };
  if (unsettledSince !== null) return { unsettledMinor, unsettledSince, unsettledDueAt };
  return { unsettledMinor, unsettledSince: now, unsettledDueAt: new Date(now.getTime() + unsettledAfterMs) };
}

/**
 * Whether its host is told now, and when it is looked at again. `isAtRest`: nothing is on its way that may settle it or give it back;
 * whatever ends is followed at once. The term is that of today's options, whenever it began.
 */
export function tellingOf(
  { unsettledSince: since, unsettledDueAt: dueAt }: Unsettled,
  isAtRest: boolean,
  { now, unsettledAfterMs }: Terms,
): { readonly isTold: boolean; readonly dueAt: Date | null } {
  if (since === null || dueAt === null) return { isTold: false, dueAt };
  const endOfTerm = new Date(since.getTime() + unsettledAfterMs);
  if (isAtRest && endOfTerm <= now) return { isTold: true, dueAt: null };
  if (dueAt > now) return { isTold: false, dueAt };
  return { isTold: false, dueAt: endOfTerm > now ? endOfTerm : new Date(now.getTime() + LOOK_AGAIN_MS) };
}
