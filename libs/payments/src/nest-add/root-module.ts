import type { Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import type { Compiler } from './compiler.js';
import {
  callsMethod,
  rootModuleOf,
  withCallsAfterCreation,
  withImports,
  withModuleElements,
} from './edit-source.js';
import type { Host } from './host.js';

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

/** Which of them the application sets up itself already, in any of its sources but its tests. */
export function presentIn(tree: Tree, compiler: Compiler, { sourceRoot }: Host): ReadonlySet<NeededModule> {
  const sources: string[] = [];
  tree.getDir(sourceRoot).visit((path) => {
    if (/(?<!\.d|[.-](?:spec|test))\.ts$/.test(path)) sources.push(tree.readText(path));
  });
  const isSetUp = (module: NeededModule) =>
    sources.some(
      // To parse every source of a large application takes long.
      (text) => text.includes(module) && callsMethod(compiler, text, module, ['forRoot', 'forRootAsync']),
    );
  return new Set(neededModules.map(({ name }) => name).filter(isSetUp));
}

/** Where the application begins: `main.ts`, and the module that it creates. */
export interface Beginning {
  readonly mainPath: string;
  readonly modulePath: string;
  readonly moduleName: string;
}

/** @throws Error if `main.ts` does not say which module it creates */
export function beginningOf(tree: Tree, compiler: Compiler, { sourceRoot }: Host): Beginning {
  const mainPath = posix.join(sourceRoot, 'main.ts');
  const root = tree.exists(mainPath) ? rootModuleOf(compiler, tree.readText(mainPath)) : undefined;
  // Scaffolds let an import begin at the root of the application too.
  const folder = root?.from.startsWith('.') ? sourceRoot : '';
  const modulePath = root && posix.join(folder, `${root.from.replace(/\.js$/, '')}.ts`);
  if (!root || !modulePath || !tree.exists(modulePath))
    throw new Error(
      `${mainPath} has no "const app = await NestFactory.create(AppModule)" with a module of its own: name the project with --project, ` +
        'or set the payments up by hand (docs/getting-started.md).',
    );
  return { mainPath, modulePath, moduleName: root.name };
}

/** The root module with the payments, and with what they need where nothing of the application sets it up. @throws Error if it has no place for them */
export function withPayments(
  compiler: Compiler,
  text: string,
  { modulePath, moduleName }: Beginning,
  { sourceRoot, ending }: Host,
  present: ReadonlySet<NeededModule>,
): string {
  const folder = posix.relative(posix.dirname(modulePath), posix.join(sourceRoot, 'payments'));
  const own = (name: string) => `${folder.startsWith('.') ? '' : './'}${folder}/${name}${ending}`;
  const lacking = neededModules.filter(({ name }) => !present.has(name));
  const configs = present.has('TypeOrmModule') ? ['paymentsConfig'] : ['databaseConfig', 'paymentsConfig'];
  const elements = lacking.map(({ element }) => element);
  const imported = withModuleElements(compiler, text, moduleName, 'imports', elements);
  const provided =
    imported && withModuleElements(compiler, imported, moduleName, 'providers', ['PaidOrders']);
  if (provided === undefined)
    throw new Error(
      `${moduleName} in ${modulePath} has no @Module({ … }) whose imports and providers are lists: set the payments up by hand ` +
        '(docs/getting-started.md).',
    );
  return withImports(compiler, provided, [
    ...lacking.map(({ name, from }) => ({ names: [name], from })),
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
  return withImports(compiler, called ?? text, [{ names: ['protectWebhook'], from: '@holdfast/payments' }]);
}
