import type { AuditRecord } from '../audit-difference.js';
import type { ListedReceipt } from './listed-receipt.js';
import { incomeMinor, receivedMinor } from './receipt-balance.js';

/** The payments and refunds of a slice as we have them, by the service's ids. */
export interface MovedMoney {
  readonly payments: ReadonlyMap<string, AuditRecord>;
  readonly refunds: ReadonlyMap<string, AuditRecord>;
}

/** What must be looked at closely. */
export interface Suspects {
  /** Ours. */
  readonly paymentIds: readonly string[];
  /** The service's ids of what is not of the slice. */
  readonly earlierPayments: readonly string[];
  readonly earlierRefunds: readonly string[];
}

/**
 * What the receipts of a slice leave open: payments and refunds of the slice whose own receipts in it are not their money, and
 * those from before it with new receipts, as after a capture of a part. What has no receipt before its slice, and adds up in it,
 * adds up: a receipt that comes later is suspect then.
 */
export function suspectsOf({ payments, refunds }: MovedMoney, listed: readonly ListedReceipt[]): Suspects {
  const ofPayments = new Map<string, number>();
  const ofRefunds = new Map<string, number>();
  for (const receipt of listed) {
    const minor = receipt.status === 'canceled' ? 0 : incomeMinor(receipt);
    const [sums, id] =
      receipt.refundId === null ? [ofPayments, receipt.paymentId] : [ofRefunds, receipt.refundId];
    if (id !== null && minor !== 0) sums.set(id, (sums.get(id) ?? 0) + minor);
  }
  const paid = [...payments.values()].filter((of) => differs(of, ofPayments.get(of.serviceId) ?? 0));
  const back = [...refunds.values()].filter((of) => differs(of, -(ofRefunds.get(of.serviceId) ?? 0)));
  return {
    paymentIds: [...new Set([...paid, ...back].flatMap(({ paymentId }) => paymentId ?? []))],
    earlierPayments: [...ofPayments.keys()].filter((id) => !payments.has(id)),
    earlierRefunds: [...ofRefunds.keys()].filter((id) => !refunds.has(id)),
  };
}

function differs({ audited: { status, amountMinor } }: AuditRecord, saidMinor: number): boolean {
  const minor = receivedMinor(status, amountMinor);
  return minor !== null && minor !== saidMinor;
}
