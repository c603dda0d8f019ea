import type { Recovery } from '../../rollback/recovery-windows.js';
import { CommandError } from '../command-error.js';
import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { momentOf } from '../flags.js';
import type { Screen } from '../screen/screen.js';
import { momentText } from '../screen/texts.js';

interface Flags {
  readonly from?: Date;
  readonly to?: Date;
}

export const addRecover: AddCommand = (program, perform) => {
  program
    .command('recover')
    .summary('times of which the database may have forgotten commits')
    .description(
      'With --from: has that time looked at again, in every store. What the service made then and has no row here gets one again; the sweeps ' +
        'do it. Without: how far such times are, the newest first, at most 100. Exit code 1: one of them could not be read.',
    )
    .option('--from <moment>', 'from this day (UTC) or moment on', momentOf)
    .option('--to <moment>', 'up to this one; default: now', momentOf)
    .action(async ({ from, to }: Flags) => {
      await perform(async ({ operator }, screen) => {
        if (from === undefined) {
          if (to !== undefined) throw new CommandError('--to needs --from.', exitCodes.usage);
          const items = await operator.recoveries();
          screen.result({ items }, () => showRecoveries(screen, items));
          return items.some(({ doneAt, error }) => doneAt !== null && error !== null)
            ? exitCodes.wrong
            : exitCodes.well;
        }
        const period = { from, to: to ?? (await operator.now()) };
        const stores = await operator.recover(period);
        screen.result({ ...period, stores }, () => {
          screen.line(
            `${period.from.toISOString()} to ${period.to.toISOString()} will be read again in ${stores} ${stores === 1 ? 'store' : 'stores'}.`,
          );
          screen.line('The sweeps do it: recover without flags shows how far they are.', 'quiet');
        });
        return exitCodes.well;
      });
    });
};

function showRecoveries(screen: Screen, items: readonly Recovery[]): void {
  if (items.length === 0) {
    screen.line('The database has forgotten nothing.');
    return;
  }
  screen.table(
    ['begun', 'state', 'from', 'to', 'store', 'recorded again', 'error'],
    items.map(({ startedAt, doneAt, error, from, to, store, paymentsAdopted }) => [
      momentText(startedAt),
      doneAt === null ? 'to be read' : error === null ? 'read' : 'could not be read',
      momentText(from),
      momentText(to),
      store,
      String(paymentsAdopted),
      error ?? '',
    ]),
  );
  screen.times();
}
