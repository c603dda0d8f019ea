import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';

export const addTokens: AddCommand = (program, perform) => {
  program
    .command('tokens')
    .summary('access tokens of connected stores')
    .command('rotate')
    .summary('encrypts every stored access token with the current key')
    .description(
      'Encrypts every stored access token with the current key of tokenKeys. May be stopped and run again at any time, also beside running ' +
        'processes. Exit code 1: a token cannot be read with any key.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        let reencrypted = 0;
        const unreadable: { accountId: string; reason: string }[] = [];
        for await (const step of operator.rotateTokens()) {
          reencrypted += step.reencrypted;
          unreadable.push(...step.unreadable);
          screen.aside(`${reencrypted} re-encrypted so far`);
          for (const { accountId, reason } of step.unreadable) screen.aside(`store ${accountId}: ${reason}`);
        }
        screen.result({ reencrypted, unreadable }, () =>
          screen.line(`${reencrypted} tokens re-encrypted, ${unreadable.length} not readable`),
        );
        return unreadable.length === 0 ? exitCodes.well : exitCodes.wrong;
      });
    });
};
