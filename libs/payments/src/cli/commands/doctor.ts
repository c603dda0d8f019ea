import type { Command } from 'commander';
import { examine, examineWithout, type Result } from '../doctor/examine.js';
import type { MadeBy } from '../doctor/start-fault.js';
import { exitCodes, type ExitCode } from '../exit-codes.js';
import type { OpenedApp } from '../host/opened-app.js';
import type { Screen, Tone } from '../screen/screen.js';

/** Looks at an application, or at what keeps it from being made. */
export type Examine = (
  look: (made: { app: OpenedApp } | { error: unknown; by: MadeBy }, screen: Screen) => Promise<ExitCode>,
) => Promise<void>;

const marks: Readonly<Record<Result['state'], { mark: string; tone: Tone }>> = {
  well: { mark: '✔', tone: 'good' },
  broken: { mark: '✖', tone: 'bad' },
  none: { mark: '–', tone: 'quiet' },
};

export function addDoctor(program: Command, perform: Examine): void {
  program
    .command('doctor')
    .summary('what of the set-up is broken, and what repairs it')
    .description(
      'Looks at configuration, data source, migrations, indexes, rights, credentials, clocks, senders, proxies and handlers, and at the notification URL ' +
        'where one is given. It changes nothing. Each is ✔ well, ✖ broken, with what repairs it, or – not to be looked at. Exit code 1: one is broken.',
    )
    .option('--webhook-url <url>', 'the notification URL, as the Merchant Profile has it')
    .action(async ({ webhookUrl = null }: { readonly webhookUrl?: string | null }) => {
      await perform(async (made, screen) => {
        const results =
          'app' in made
            ? await examine(made.app, webhookUrl)
            : await examineWithout(made.error, made.by, webhookUrl);
        screen.result({ checks: results }, () => {
          for (const result of results) showResult(screen, result);
        });
        return results.some(({ state }) => state === 'broken') ? exitCodes.wrong : exitCodes.well;
      });
    });
}

function showResult(screen: Screen, { name, state, found, fixes }: Result): void {
  const { mark, tone } = marks[state];
  screen.item(`${mark} ${name}: `, found, tone);
  for (const fix of fixes) screen.item('    fix: ', fix);
}
