import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';

export const addContinue: AddCommand = (program, perform) => {
  program
    .command('continue')
    .summary('says that this database goes on: it was restored or moved, and is no copy')
    .description(
      'For a database that is another one than before: a restored backup, a move. It goes on as the original, and what the service made since ' +
        'it was written is looked for. Never in a copy beside the original, which would take over its payments.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const period = await operator.continueDatabase();
        screen.result({ continued: period !== null, ...period }, () => {
          if (period === null) screen.line('The database is where it was, and goes on already.');
          else {
            screen.line(
              `The database goes on. What the service made from ${period.from.toISOString()} to ${period.to.toISOString()} is looked for.`,
            );
            screen.line('The sweeps do it: recover without flags shows how far they are.', 'quiet');
          }
        });
        return exitCodes.well;
      });
    });
};
