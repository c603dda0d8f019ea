/** `npm run audit`: compares the module's rows with what the service lists for a period. */
import type { PaymentsOperator } from '@holdfast/payments';

import { reasonOf, runCommand } from '../../tools/common/command.js';
import { withOperator } from '../with-operator.js';
import { parseFlags, usage, type AuditFlags } from './flags.js';
import { nothingFound, verdictOf, withSlice, type Verdict } from './found.js';
import { printAudit } from './print-audit.js';
import { progressText } from './verdict-words.js';

const exitCodes = { agree: 0, differ: 1, agree_but_receipts: 3 } as const satisfies Record<Verdict, number>;

async function audit(operator: PaymentsOperator, { from, to, json }: AuditFlags): Promise<number> {
  let found = nothingFound;
  let reached = from;
  let brokenOff = false;
  try {
    for await (const slice of operator.audit({ from, to })) {
      found = withSlice(found, slice);
      reached = slice.to;
      // Progress goes to another stream than the result, which may be read by a program.
      console.error(progressText(slice));
    }
  } catch (error) {
    console.error(reasonOf(error));
    console.error(`Broken off. What follows was found so far; continue with --from ${reached.toISOString()}`);
    brokenOff = true;
  }
  if (json) console.log(JSON.stringify({ from, to: reached, ...found }, null, 2));
  else if (!brokenOff || found.differences.length > 0) printAudit(found);
  if (brokenOff) return 2;
  return exitCodes[verdictOf(found)];
}

process.exitCode = await runCommand({
  usage,
  parse: (args) => parseFlags(args, new Date()),
  run: (flags) => withOperator((operator) => audit(operator, flags)),
});
