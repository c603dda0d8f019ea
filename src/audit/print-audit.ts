import type { AuditDifference } from '@holdfast/payments';

import { printTable, styled, type Style } from '../../tools/common/print.js';
import { sideText, whatDiffers } from './difference-words.js';
import { verdictOf, type Found, type Verdict } from './found.js';
import { comparedText, unsettledText, verdictText } from './verdict-words.js';

const headings = ['', 'service id', 'our payment', 'here', 'there', 'what'];
const styles = { agree: 'green', differ: 'red', agree_but_receipts: 'yellow' } as const satisfies Record<
  Verdict,
  Style
>;

/** The differences, a line for each, and the verdict. */
export function printAudit(found: Found): void {
  const { differences } = found;
  if (differences.length > 0) printTable(headings, differences.map(cells));
  const verdict = styled(styles[verdictOf(found)], verdictText(found));
  console.log(`\n${comparedText(found)} compared: ${verdict}`);
  const due = unsettledText(found);
  if (due !== null) console.log(styled('yellow', due));
}

function cells(difference: AuditDifference): string[] {
  const { object, serviceId, paymentId, here, there } = difference;
  const what = styled('red', whatDiffers(difference));
  return [object, serviceId, paymentId ?? '—', sideText(here), sideText(there), what];
}
