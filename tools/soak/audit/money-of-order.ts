import { parseAmount } from '@holdfast/payments/client';
import type { LedgerEntry } from '@holdfast/sandbox';
import type { Wishes } from '../workload/wishes.js';

/** What an order's money was at one moment, all its payments together. */
type Moment = 'unpaid' | 'authorized' | 'paid' | 'overpaid' | 'partly refunded' | 'refunded';

/** By the service's ledger: how often the order turned into what an event tells, at most, and what it is in the end. */
export interface MoneyOfOrder {
  readonly paid: number;
  readonly unpaid: number;
  readonly refunded: number;
  readonly overpaid: number;
  readonly end: Moment;
}

const isPaid = (moment: Moment): boolean => moment === 'paid' || moment === 'overpaid';

/** Follows the entries of one order, oldest first. What a capture lets go of a hold is no longer due. */
export function moneyOfOrder(dueMinor: number, entries: readonly LedgerEntry[]): MoneyOfOrder {
  const held = new Map<string, number>();
  const turns = { paid: 0, unpaid: 0, refunded: 0, overpaid: 0 };
  let holdsEnded = 0;
  let [due, captured, refunded] = [dueMinor, 0, 0];
  let end: Moment = 'unpaid';
  for (const { kind, paymentId, amount: value } of entries) {
    const minor = parseAmount({ value, currency: 'RUB' });
    if (kind === 'charge') held.set(paymentId, minor);
    if (kind === 'capture') {
      captured += minor;
      due -= (held.get(paymentId) ?? minor) - minor;
    }
    if (kind === 'refund') refunded += minor;
    if ((kind === 'capture' || kind === 'cancel') && held.delete(paymentId) && kind === 'cancel')
      holdsEnded += 1;
    const heldMinor = [...held.values()].reduce((total, one) => total + one, 0);
    const next = momentOf({ due, captured, refunded, held: heldMinor });
    if (isPaid(next) && !isPaid(end)) turns.paid += 1;
    if (next === 'unpaid' && (isPaid(end) || end === 'authorized')) turns.unpaid += 1;
    if (next === 'refunded' && end !== 'refunded') turns.refunded += 1;
    if (next === 'overpaid' && end !== 'overpaid') turns.overpaid += 1;
    end = next;
  }
  // The shop may see one hold only after the other one has ended, and then the order turns once for each.
  return { ...turns, unpaid: Math.max(turns.unpaid, holdsEnded), end };
}

function momentOf(sums: { due: number; captured: number; refunded: number; held: number }): Moment {
  const kept = sums.captured - sums.refunded;
  if (kept > sums.due) return 'overpaid';
  if (kept === sums.due) return 'paid';
  if (sums.refunded > 0) return kept === 0 ? 'refunded' : 'partly refunded';
  return kept + sums.held >= sums.due ? 'authorized' : 'unpaid';
}

/** What the buyer owes: the order as it was last; null if that is not certain. */
export function dueOf({ offers, isDoubtful }: Wishes): number | null {
  return isDoubtful ? null : (offers.at(-1)?.amountMinor ?? null);
}

/** The payment that another one took the place of, if it is. */
export function isReplaced({ plan, offers }: Wishes, serviceId: string): boolean {
  return plan.changedTo !== null && (offers.length < 2 || offers.at(-1)?.serviceId !== serviceId);
}
