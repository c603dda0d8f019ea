import {
  auditVerdict,
  differenceText,
  emptyAuditReport,
  withAuditSlice,
  type PaymentsOperator,
} from '@holdfast/payments';

import {
  closingLines,
  differenceCells,
  differenceHeadings,
} from '../../libs/payments/src/cli/audit/audit-text.js';
import { amountText } from '../../libs/payments/src/cli/screen/texts.js';
import { printTable, styled } from '../common/print.js';

/** What a shop can ask the module at any time: whether its books are the service's. Returns every difference. */
export async function runOwnAudit(operator: PaymentsOperator, from: Date, now: Date): Promise<string[]> {
  let found = emptyAuditReport;
  // What was made in this very moment is of the period too.
  const to = new Date(now.getTime() + 1_000);
  for await (const slice of operator.audit({ from, to })) found = withAuditSlice(found, slice);
  if (found.differences.length > 0) printTable(differenceHeadings, found.differences.map(differenceCells));
  console.log(`\n${styled(auditVerdict(found) === 'agree' ? 'green' : 'red', closingLines(found).verdict)}`);
  return [
    ...found.differences.map(
      (one) => `audit: ${one.object} ${one.serviceId}: ${differenceText(one, amountText)}`,
    ),
    ...(found.receipts === null ? ['audit: receipts were not compared'] : []),
  ];
}
