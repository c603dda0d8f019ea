import type { AuditDifference } from '../../operator/audit-difference.js';
import { sideText, whatDiffers } from './difference-words.js';
import type { Found } from './found.js';
import { comparedText, unsettledText, verdictText } from './verdict-words.js';

export const differenceHeadings = ['', 'service id', 'our payment', 'here', 'there', 'what'];

/** A difference in a row of the table. */
export function differenceCells(difference: AuditDifference): string[] {
  const { object, serviceId, paymentId, here, there } = difference;
  return [object, serviceId, paymentId ?? '—', sideText(here), sideText(there), whatDiffers(difference)];
}

/** What was compared, with the verdict, and what is due besides; null: nothing is. */
export function closingLines(found: Found): { readonly verdict: string; readonly due: string | null } {
  return { verdict: `${comparedText(found)} compared: ${verdictText(found)}`, due: unsettledText(found) };
}
