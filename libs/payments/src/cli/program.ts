import { Command, CommanderError } from 'commander';
import { PaymentInputError, PaymentsError, StoreNotFoundError } from '../common/payments.errors.js';
import { CommandError, reasonOf } from './command-error.js';
import type { AddCommand } from './command.js';
import { addAudit } from './commands/audit.js';
import { addContinue } from './commands/continue.js';
import { addDeliveries } from './commands/deliveries.js';
import { addDetach } from './commands/detach.js';
import { addDoctor } from './commands/doctor.js';
import { addHolds } from './commands/holds.js';
import { addIncidents } from './commands/incidents.js';
import { addPayment } from './commands/payment.js';
import { addPending } from './commands/pending.js';
import { addReceipts } from './commands/receipts.js';
import { addRecover } from './commands/recover.js';
import { addSearch } from './commands/search.js';
import { addTokens } from './commands/tokens.js';
import { startFaultOf } from './doctor/start-fault.js';
import { exitCodes, type ExitCode } from './exit-codes.js';
import type { OpenedApp } from './host/opened-app.js';
import { OtherCopyError } from './host/other-copy.js';
import { Screen, type Terminal } from './screen/screen.js';

/** In the order of the help. */
const commands: readonly AddCommand[] = [
  addPending,
  addPayment,
  addSearch,
  addHolds,
  addDeliveries,
  addIncidents,
  addReceipts,
  addAudit,
  addRecover,
  addContinue,
  addDetach,
  addTokens,
];

const closing = `
Exit codes: 0 done, and nothing is wrong; 1 something is wrong, needs a person or was not found; 2 called wrongly; 3 not done or not
finished; 4 an audit could not compare receipts. The result goes to stdout, everything else to stderr.`;

/** What a run needs of where it runs. */
export interface CommandHost {
  readonly terminal: Terminal;
  /** How people call it. */
  readonly name: string;
  /** Whether the application is to be named by a flag. */
  readonly takesApp: boolean;
  /** Makes the application. */
  open(named: NamedFiles, warn: (line: string) => void): Promise<OpenedApp>;
}

/** What a person names where it is not found, or not known, by itself. */
export interface NamedFiles {
  /** The compiled root module. */
  readonly app?: string;
  /** Variables of the environment. */
  readonly envFile?: string;
}

interface GlobalFlags extends NamedFiles {
  readonly json?: true;
}

/** Runs one command; resolves to its exit code. */
export async function runProgram(args: readonly string[], host: CommandHost): Promise<ExitCode> {
  const { terminal } = host;
  let exitCode: ExitCode = exitCodes.well;
  const program = programOf(host);
  const perform: Parameters<AddCommand>[1] = async (work, about = 'shop') => {
    const flags = program.opts<GlobalFlags>();
    const screen = new Screen(terminal, flags.json === true);
    let app: OpenedApp | null = null;
    try {
      app = await host
        .open(flags, (line) => screen.aside(line))
        .catch((error: unknown) => {
          throw notMade(error, host);
        });
      await (about === 'shop' ? app.look() : app.lookAtTables());
      exitCode = await work(app, screen);
    } catch (error) {
      if (error instanceof OtherCopyError) throw error;
      exitCode = failed(screen, error);
    } finally {
      await app?.close();
    }
  };
  addDoctor(program, async (look) => {
    const flags = program.opts<GlobalFlags>();
    const screen = new Screen(terminal, flags.json === true);
    const made = await host
      .open(flags, (line) => screen.aside(line))
      .then(
        (app) => ({ app }),
        (error: unknown) => ({ error, by: host }),
      );
    if ('error' in made && made.error instanceof OtherCopyError) throw made.error;
    try {
      exitCode = await look(made, screen);
    } finally {
      if ('app' in made) await made.app.close();
    }
  });
  for (const add of commands) add(program, perform);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    // It has printed what is wrong, or the help.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.well : exitCodes.usage;
  }
  return exitCode;
}

function programOf({ terminal, name, takesApp }: CommandHost): Command {
  const program = new Command(name)
    .description('What the payments module of this application knows, and what a person can do about it.')
    .option('--json', 'prints one JSON document; amounts in minor units')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.warn(text),
      getOutHelpWidth: () => terminal.width ?? 110,
      getErrHelpWidth: () => terminal.width ?? 110,
    })
    .showHelpAfterError('(--help says more)')
    .addHelpText('after', closing)
    .helpCommand(false)
    .exitOverride();
  if (takesApp)
    program
      .option(
        '--app <file>',
        "the application's compiled root module; default: as package.json says, or dist/app.module.js",
      )
      .option('--env-file <file>', 'variables that the application needs; those that are set already stay');
  return program;
}

/** With what repairs it, unless it says that itself. */
function notMade(error: unknown, host: CommandHost): unknown {
  if (error instanceof OtherCopyError || error instanceof CommandError || error instanceof PaymentsError)
    return error;
  const { found, fixes } = startFaultOf(error, host).finding;
  return new CommandError([found, ...fixes].join('\n'), exitCodes.failed);
}

function failed(screen: Screen, error: unknown): ExitCode {
  const code = error instanceof PaymentsError ? error.code : 'failed';
  const message = reasonOf(error);
  screen.failure({ error: { code, message } }, message);
  if (error instanceof CommandError) return error.exitCode;
  const isUsage = error instanceof PaymentInputError || error instanceof StoreNotFoundError;
  return isUsage ? exitCodes.usage : exitCodes.failed;
}
