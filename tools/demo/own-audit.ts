import type { PaymentsOperator } from '@holdfast/payments';

import { whatDiffers } from '../../src/audit/difference-words.js';
import { nothingFound, withSlice } from '../../src/audit/found.js';
import { printAudit } from '../../src/audit/print-audit.js';

/** What a shop can ask the module at any time: whether its books are the service's. Returns every difference. */
export async function runOwnAudit(operator: PaymentsOperator, from: Date, now: Date): Promise<string[]> {
  let found = nothingFound;
  // What was made in this very moment is of the period too.
  const to = new Date(now.getTime() + 1_000);
  for await (const slice of operator.audit({ from, to })) found = withSlice(found, slice);
  printAudit(found);
  return [
    ...found.differences.map((one) => `audit: ${one.object} ${one.serviceId}: ${whatDiffers(one)}`),
    ...(found.receipts === null ? ['audit: receipts were not compared'] : []),
  ];
}
