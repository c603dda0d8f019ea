import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';

export const addDetach: AddCommand = (program, perform) => {
  program
    .command('detach')
    .summary('says that this database is a copy, and makes it safe beside its original')
    .description(
      'For a copy of the database beside its original, such as a staging that was filled from production: for the script that fills it, before ' +
        'the application starts there. The copied stores are given up with all their payments; tokens are forgotten, and no handler is told of ' +
        'what it was still to be told. It may be repeated. Exit code 1: nothing says that the database is a copy, and nothing was changed.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const detached = await operator.detachDatabase();
        const at = detached === null ? await operator.detachedAt() : null;
        screen.result({ detached: detached !== null, ...detached, detachedAt: at }, () => {
          if (detached !== null)
            screen.line(
              `The copy is detached: it has given up ${detached.stores} stores and ${detached.deliveries} deliveries.`,
              'good',
            );
          else if (at !== null) screen.line(`The copy was detached at ${at.toISOString()} already.`);
          else
            screen.line(
              'Nothing says that this database is a copy: its server, its number and its name are as they were. Give the copy a name of its ' +
                'own with the option installation, which its original must have had before.',
              'bad',
            );
        });
        return detached === null && at === null ? exitCodes.wrong : exitCodes.well;
      }, 'tables');
    });
};
