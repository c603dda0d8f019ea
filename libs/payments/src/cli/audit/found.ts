import type { AuditDifference } from '../../operator/audit-difference.js';
import type { AuditSlice } from '../../operator/audit.js';
import type { UnsettledPrepayment } from '../../operator/receipts/unsettled-prepayments.js';

/** What an audit has found so far. */
export interface Found {
  readonly payments: number;
  readonly refunds: number;
  /** null: not compared on every day, since the key may not list them. */
  readonly receipts: number | null;
  readonly differences: readonly AuditDifference[];
  /** Receipts that are due, and no difference. */
  readonly unsettled: readonly UnsettledPrepayment[];
}

/** `agree_but_receipts`: nothing differs, but receipts were not compared. */
export type Verdict = 'agree' | 'differ' | 'agree_but_receipts';

export const nothingFound: Found = { payments: 0, refunds: 0, receipts: 0, differences: [], unsettled: [] };

export function withSlice(found: Found, slice: AuditSlice): Found {
  const isWhole = found.receipts !== null && slice.receipts !== null;
  return {
    payments: found.payments + slice.payments,
    refunds: found.refunds + slice.refunds,
    receipts: isWhole ? found.receipts + slice.receipts : null,
    differences: [...found.differences, ...slice.differences],
    unsettled: [...found.unsettled, ...slice.unsettled],
  };
}

export function verdictOf({ receipts, differences }: Pick<Found, 'receipts' | 'differences'>): Verdict {
  if (differences.length > 0) return 'differ';
  return receipts === null ? 'agree_but_receipts' : 'agree';
}
