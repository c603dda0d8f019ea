import type { AuditDifference } from '@holdfast/payments';

import { printTable, styled } from '../../tools/common/print.js';
import { sideText, whatDiffers } from './difference-words.js';

const headings = ['', 'service id', 'our payment', 'here', 'there', 'what'];

/** The differences, a line for each, and the verdict. */
export function printAudit(
  differences: readonly AuditDifference[],
  counted: { readonly payments: number; readonly refunds: number; readonly receipts: number },
): void {
  if (differences.length > 0) printTable(headings, differences.map(cells));
  const { payments, refunds, receipts } = counted;
  const compared = `${payments} payments, ${refunds} refunds and ${receipts} receipts compared`;
  const verdict =
    differences.length === 0
      ? styled('green', 'the books agree')
      : styled('red', `${differences.length} DIFFERENT`);
  console.log(`\n${compared}: ${verdict}`);
}

function cells(difference: AuditDifference): string[] {
  const { object, serviceId, paymentId, here, there } = difference;
  const what = styled('red', whatDiffers(difference));
  return [object, serviceId, paymentId ?? '—', sideText(here), sideText(there), what];
}
