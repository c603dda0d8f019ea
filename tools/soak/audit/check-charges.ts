import { parseAmount } from '@holdfast/payments/client';
import type { LedgerEntry } from '@holdfast/sandbox';

import { doubled, groupBy, type Finding } from './finding.js';
import type { ServiceRecords } from './records.js';

type Books = Pick<ServiceRecords, 'payments' | 'refunds' | 'ledger'>;

/** By the service alone, whatever the shops know of it: one charge for one order, one refund for one `refundKey`. */
export function checkCharges(service: Books): Finding[] {
  return [
    ...chargedTwice(service).map((order) => doubled(`order ${order} was charged twice at the service`)),
    ...refundedTwice(service).map((refund) => doubled(`${refund} was paid twice at the service`)),
  ];
}

/** Orders that were charged while the money of another payment was held or kept, though their buyers did not mean to. */
export function chargedTwice({ payments, ledger }: Omit<Books, 'refunds'>): string[] {
  const meant = new Map(payments.filter(({ paysTwice }) => !paysTwice).map(({ id, order }) => [id, order]));
  const kept = new Map<string, Map<string, number>>();
  const twice = new Set<string>();
  for (const entry of ledger) {
    const order = meant.get(entry.paymentId);
    if (order === null || order === undefined) continue;
    const ofOrder = kept.get(order) ?? new Map<string, number>();
    kept.set(order, ofOrder);
    const others = [...ofOrder].filter(([id, minor]) => id !== entry.paymentId && minor > 0);
    if (entry.kind === 'charge' && others.length > 0) twice.add(order);
    ofOrder.set(entry.paymentId, keptAfter(entry, ofOrder.get(entry.paymentId) ?? 0));
  }
  return [...twice];
}

function keptAfter({ kind, amount: value }: LedgerEntry, keptMinor: number): number {
  const minor = parseAmount({ value, currency: 'RUB' });
  if (kind === 'refund') return keptMinor - minor;
  return kind === 'cancel' ? 0 : minor;
}

/** What banks refused was not paid. */
export function refundedTwice({ refunds }: Pick<Books, 'refunds'>): string[] {
  const named = refunds.filter(({ refundKey, status }) => refundKey !== null && status !== 'canceled');
  return [...groupBy(named, ({ paymentId, refundKey }) => `refund "${refundKey}" of payment ${paymentId}`)]
    .filter(([, copies]) => copies.length > 1)
    .map(([refund]) => refund);
}
