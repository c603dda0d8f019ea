import type { AuditDifference } from '../../operator/audit-difference.js';
import type { AuditReport } from '../../operator/audit-report.js';
import { auditedSideText, differenceText } from '../../operator/difference-text.js';
import { amountText } from '../screen/texts.js';
import { comparedText, unsettledText, verdictText } from './verdict-words.js';

export const differenceHeadings = ['', 'service id', 'our payment', 'here', 'there', 'what'];

/** A difference in a row of the table. */
export function differenceCells(difference: AuditDifference): string[] {
  const { object, serviceId, paymentId, here, there } = difference;
  return [
    object,
    serviceId,
    paymentId ?? '—',
    auditedSideText(here, amountText),
    auditedSideText(there, amountText),
    differenceText(difference, amountText),
  ];
}

/** What was compared, with the verdict, and what is due besides; null: nothing is. */
export function closingLines(found: AuditReport): { readonly verdict: string; readonly due: string | null } {
  return { verdict: `${comparedText(found)} compared: ${verdictText(found)}`, due: unsettledText(found) };
}
