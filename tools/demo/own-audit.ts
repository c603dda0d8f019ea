import type { AuditDifference, PaymentsOperator } from '@holdfast/payments';

import { whatDiffers } from '../../src/audit/difference-words.js';
import { printAudit } from '../../src/audit/print-audit.js';

/** What a shop can ask the module at any time: whether its books are the service's. Returns every difference. */
export async function runOwnAudit(operator: PaymentsOperator, from: Date, now: Date): Promise<string[]> {
  const counted = { payments: 0, refunds: 0, receipts: 0 };
  const differences: AuditDifference[] = [];
  // What was made in this very moment is of the period too.
  const to = new Date(now.getTime() + 1_000);
  for await (const slice of operator.audit({ from, to })) {
    counted.payments += slice.payments;
    counted.refunds += slice.refunds;
    counted.receipts += slice.receipts;
    differences.push(...slice.differences);
  }
  printAudit(differences, counted);
  return differences.map((found) => `audit: ${found.object} ${found.serviceId}: ${whatDiffers(found)}`);
}
