import { OpenedApp, type RootModule } from './cli/host/opened-app.js';
import { rootModuleOf, type AppSource } from './cli/host/root-module.js';
import { runProgram } from './cli/program.js';
import { processTerminal } from './cli/screen/process-terminal.js';

export type { AppSource, RootModule };

/** What {@link runPaymentsCommand} works on. */
export interface PaymentsCommandOptions {
  /** The application's root module, or a function that returns it, which is called for commands that need it. */
  readonly app: AppSource;
  /** The command and its flags. Default: the arguments of this process. */
  readonly args?: readonly string[];
  /** How the help calls the program. Default `payments`. */
  readonly name?: string;
}

/**
 * Runs one of the commands of `npx @holdfast/payments` from a script of your own: for an application whose root module no file exports as it
 * is. The application is made and not started: none of its hooks run, nothing sweeps, and no migration runs.
 * @returns the exit code
 * @example process.exitCode = await runPaymentsCommand({ app: () => ({ module: AppModule }) });
 */
export async function runPaymentsCommand({
  app,
  args = process.argv.slice(2),
  name = 'payments',
}: PaymentsCommandOptions): Promise<number> {
  return runProgram(args, {
    terminal: processTerminal(),
    name,
    takesApp: false,
    open: async (_named, warn) => OpenedApp.open(await rootModuleOf(app), warn),
  });
}
