import type { Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import type { Beginning } from './beginning.js';
import type { Compiler } from './compiler.js';
import { callsMethod, withCallsAfterCreation, withImports, withModuleElements } from './edit-source.js';
import { specifierOf } from './specifier.js';

/** What the payments need, in the order in which it is imported. */
const neededModules = [
  { name: 'ConfigModule', from: '@nestjs/config', element: 'ConfigModule.forRoot({ isGlobal: true })' },
  { name: 'ScheduleModule', from: '@nestjs/schedule', element: 'ScheduleModule.forRoot()' },
  {
    name: 'TypeOrmModule',
    from: '@nestjs/typeorm',
    element: 'TypeOrmModule.forRootAsync(databaseConfig.asProvider())',
  },
  {
    name: 'PaymentsModule',
    from: '@holdfast/payments',
    element: 'PaymentsModule.forRootAsync({\n  isGlobal: true,\n  ...paymentsConfig.asProvider(),\n})',
  },
] as const;

export type NeededModule = (typeof neededModules)[number]['name'];

/** Answers every error of the payments with its HTTP status; a name of its own, since no method sets it up. */
const FILTER = 'PaymentsExceptionFilter';

/** What of all that the application has already, in any of its sources but its tests. */
export interface Present {
  readonly modules: ReadonlySet<NeededModule>;
  readonly filter: boolean;
  /** The file that its settings are read from, if it names one: `.env` otherwise. */
  readonly environment: string;
  /** Whether that file is the application's own, and not that of a folder around it. */
  readonly ownsEnvironment: boolean;
}

export function presentIn(
  tree: Tree,
  compiler: Compiler,
  { sourceRoot }: Pick<Beginning, 'sourceRoot'>,
): Present {
  const sources: string[] = [];
  tree.getDir(sourceRoot).visit((path) => {
    if (/(?<!\.d|[.-](?:spec|test))\.ts$/.test(path)) sources.push(tree.readText(path));
  });
  const isSetUp = (module: NeededModule) =>
    sources.some(
      // To parse every source of a large application takes long.
      (text) => text.includes(module) && callsMethod(compiler, text, module, ['forRoot', 'forRootAsync']),
    );
  const [, file = '.env'] =
    sources
      .map((text) => /\benvFilePath:\s*\[?\s*['"]([^'"]+)['"]/.exec(text))
      .find((named) => named !== null) ?? [];
  const environment = posix.join(file);
  return {
    modules: new Set(neededModules.map(({ name }) => name).filter(isSetUp)),
    filter: sources.some((text) => text.includes(FILTER)),
    environment,
    ownsEnvironment: !posix.isAbsolute(environment) && !environment.startsWith('../'),
  };
}

/** The root module with the payments, and with what they need where nothing of the application sets it up. @throws Error if it has no place for them */
export function withPayments(
  compiler: Compiler,
  text: string,
  { sourceRoot, modulePath, moduleName, ending }: Beginning,
  { modules, filter }: Present,
): string {
  const own = (name: string) => specifierOf(modulePath, posix.join(sourceRoot, 'payments', name), ending);
  const lacking = neededModules.filter(({ name }) => !modules.has(name));
  const configs = modules.has('TypeOrmModule') ? ['paymentsConfig'] : ['databaseConfig', 'paymentsConfig'];
  const elements = lacking.map(({ element }) => element);
  const imported = withModuleElements(compiler, text, moduleName, 'imports', elements);
  const handled = imported && withModuleElements(compiler, imported, moduleName, 'providers', ['PaidOrders']);
  // Nest asks the filter that was registered last: the first one gives way to each of the application's own.
  const filters = filter ? [] : [`{ provide: APP_FILTER, useClass: ${FILTER} }`];
  const provided =
    handled && withModuleElements(compiler, handled, moduleName, 'providers', filters, 'first');
  if (provided === undefined)
    throw new Error(
      `${moduleName} in ${modulePath} has no @Module({ … }) whose imports and providers are lists: set the payments up by hand ` +
        '(docs/getting-started.md).',
    );
  return withImports(compiler, provided, [
    ...lacking.map(({ name, from }) => ({
      names: name === 'PaymentsModule' && !filter ? [FILTER, name] : [name],
      from,
    })),
    ...(filter ? [] : [{ names: ['APP_FILTER'], from: '@nestjs/core' }]),
    { names: ['PaidOrders'], from: own('paid-orders') },
    { names: configs, from: own('payments.config') },
  ]);
}

/** `main.ts` with the webhook's door, and with an end that waits for what is under way. */
export function withDoor(compiler: Compiler, text: string): string {
  const called = withCallsAfterCreation(compiler, text, [
    (app) => `protectWebhook(${app})`,
    (app) => `${app}.enableShutdownHooks()`,
  ]);
  if (called === undefined) return text;
  return withImports(compiler, called, [{ names: ['protectWebhook'], from: '@holdfast/payments' }]);
}
