/** `npm run audit`: compares the module's rows with what the service lists for a period. */
import type { AuditDifference, PaymentsOperator } from '@holdfast/payments';

import { reasonOf, runCommand } from '../../tools/common/command.js';
import { withOperator } from '../with-operator.js';
import { parseFlags, usage, type AuditFlags } from './flags.js';
import { printAudit } from './print-audit.js';

async function audit(operator: PaymentsOperator, { from, to, json }: AuditFlags): Promise<number> {
  const counted = { payments: 0, refunds: 0, receipts: 0 };
  const differences: AuditDifference[] = [];
  let reached = from;
  let brokenOff = false;
  try {
    for await (const slice of operator.audit({ from, to })) {
      counted.payments += slice.payments;
      counted.refunds += slice.refunds;
      counted.receipts += slice.receipts;
      differences.push(...slice.differences);
      reached = slice.to;
      const found = slice.differences.length === 0 ? 'equal' : `${slice.differences.length} different`;
      // Progress goes to another stream than the result, which may be read by a program.
      const { payments, refunds, receipts } = slice;
      console.error(
        `up to ${reached.toISOString()}: ${payments} payments, ${refunds} refunds, ${receipts} receipts, ${found}`,
      );
    }
  } catch (error) {
    console.error(reasonOf(error));
    console.error(`Broken off. What follows was found so far; continue with --from ${reached.toISOString()}`);
    brokenOff = true;
  }
  if (json) console.log(JSON.stringify({ from, to: reached, ...counted, differences }, null, 2));
  else if (!brokenOff || differences.length > 0) printAudit(differences, counted);
  if (brokenOff) return 2;
  return differences.length === 0 ? 0 : 1;
}

process.exitCode = await runCommand({
  usage,
  parse: (args) => parseFlags(args, new Date()),
  run: (flags) => withOperator((operator) => audit(operator, flags)),
});
