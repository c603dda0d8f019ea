/** `npm run tokens:rotate`: encrypts every stored access token with the first key of PAYMENTS_TOKEN_KEYS. */
import type { PaymentsOperator } from '@holdfast/payments';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/common/command.js';
import { withOperator } from '../with-operator.js';

const usage = `Usage: npm run tokens:rotate
Encrypts every stored access token with the first key of PAYMENTS_TOKEN_KEYS. May be stopped and run again at any time.
Exit code: 0 every token is encrypted with it, 1 some cannot be read, 2 it could not be finished.`;

async function rotate(operator: PaymentsOperator): Promise<number> {
  let reencrypted = 0;
  let unreadable = 0;
  for await (const step of operator.rotateTokens()) {
    reencrypted += step.reencrypted;
    unreadable += step.unreadable.length;
    console.error(`${reencrypted} re-encrypted so far`);
    for (const { accountId, reason } of step.unreadable) console.error(`store ${accountId}: ${reason}`);
  }
  console.log(`${reencrypted} tokens re-encrypted, ${unreadable} not readable`);
  return unreadable === 0 ? 0 : 1;
}

process.exitCode = await runCommand({
  usage,
  parse: (args) => parseArgs({ args: [...args], options: {} }),
  run: () => withOperator(rotate),
});
