import type { AuditDifference } from './audit-difference.js';
import type { AuditSlice } from './audit.js';
import type { UnsettledPrepayment } from './receipts/unsettled-prepayments.js';

/** What an audit has found so far, its days together. */
export interface AuditReport {
  readonly payments: number;
  readonly refunds: number;
  /** null: not compared on every day, since the key may not list them. */
  readonly receipts: number | null;
  readonly differences: readonly AuditDifference[];
  /** Receipts that are due, and no difference. */
  readonly unsettled: readonly UnsettledPrepayment[];
}

/** `agree_but_receipts`: nothing differs, but receipts were not compared. */
export type AuditVerdict = 'agree' | 'differ' | 'agree_but_receipts';

/** Before the first day. */
export const emptyAuditReport: AuditReport = {
  payments: 0,
  refunds: 0,
  receipts: 0,
  differences: [],
  unsettled: [],
};

/**
 * The report with one day more.
 * @example
 * let report = emptyAuditReport;
 * for await (const slice of this.operator.audit({ from, to })) report = withAuditSlice(report, slice);
 * if (auditVerdict(report) !== 'agree') console.warn(report.differences);
 */
export function withAuditSlice(report: AuditReport, slice: AuditSlice): AuditReport {
  const isWhole = report.receipts !== null && slice.receipts !== null;
  return {
    payments: report.payments + slice.payments,
    refunds: report.refunds + slice.refunds,
    receipts: isWhole ? report.receipts + slice.receipts : null,
    differences: [...report.differences, ...slice.differences],
    unsettled: [...report.unsettled, ...slice.unsettled],
  };
}

/** Never `agree` where receipts were not compared. */
export function auditVerdict({
  receipts,
  differences,
}: Pick<AuditReport, 'receipts' | 'differences'>): AuditVerdict {
  if (differences.length > 0) return 'differ';
  return receipts === null ? 'agree_but_receipts' : 'agree';
}
