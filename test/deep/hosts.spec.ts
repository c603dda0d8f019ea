import { startSandbox } from '@holdfast/sandbox';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entriesOf } from '../../tools/api/entries.js';
import { nameOf } from '../../tools/package/hosts.js';
import { equip, scaffold } from '../../tools/package/make-host.js';
import { shortly, textOf, type Row } from '../../tools/package/rows.js';
import { environment, run } from '../../tools/package/run.js';
import { tryRow } from '../../tools/package/trial.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { builtRepository, packed, runIn, workspace as root } from '../support/packed.js';
import { commandsOf } from '../support/page-blocks.js';
import { startRegistry, type Registry } from '../support/registry.js';
import { closing } from '../support/still-running.js';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 900_000;

const git = (place: string, ...args: readonly string[]) =>
  run(place, 'git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args]);
/** Every file that is not as it was committed. */
const changedIn = async (place: string) =>
  (await git(place, 'status', '--porcelain', '-uall'))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(3))
    .toSorted();
async function commit(place: string): Promise<void> {
  await git(place, 'add', '--all');
  await git(place, 'commit', '--quiet', '-m', 'state');
}

const written = [
  '.env.example',
  '.gitignore',
  'compose.yaml',
  'package-lock.json',
  'package.json',
  'src/app.module.ts',
  'src/main.ts',
  'src/payments/migrations.ts',
  'src/payments/paid-orders.spec.ts',
  'src/payments/paid-orders.ts',
  'src/payments/payments.config.ts',
];

/** Asks the application's own service for a payment, as its code would; prints the id of the service's payment. */
const buy = `
import { PaymentsService } from '@holdfast/payments';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './dist/app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const payment = await app.get(PaymentsService).create({
  order: { reference: 'A-1' },
  amount: { value: '450.00', currency: 'RUB' },
  returnUrl: 'https://shop.example/orders/A-1',
});
console.log(payment.serviceId);
await app.close();
`;

/** Seen by every compiler that looks at the file: without it, one that did not run would find no fault either. */
const known = "export const known: number = 'a fault';";

/** What the application's own compiler says of the packages; what it says of those of others is theirs. */
async function declarationFaults(application: string, entries: readonly string[]): Promise<string[]> {
  const specifiers = entries.map((entry) =>
    entry === 'index' ? '@holdfast/payments' : `@holdfast/payments/${entry}`,
  );
  const text = [...specifiers, '@holdfast/sandbox'].map(
    (name, index) => `export * as e${index} from '${name}';`,
  );
  await writeFile(join(application, 'every-entry.ts'), [known, ...text].join('\n'));
  const compilerOptions = { skipLibCheck: false, noEmit: true, incremental: false };
  const config = { extends: './tsconfig.json', compilerOptions, include: [], files: ['every-entry.ts'] };
  await writeFile(join(application, 'tsconfig.entries.json'), JSON.stringify(config));
  // Not by npx, which takes -p for a package of its own.
  const compiler = join(application, 'node_modules/.bin/tsc');
  const compiled = runIn(application, compiler, ['-p', 'tsconfig.entries.json', '--pretty', 'false']);
  const said = await compiled.then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
  // One without a file ends the compiler before it looks at any.
  return said.split('\n').filter((line) => /^error TS|(holdfast|every-entry).*error TS/.test(line));
}

type Nest = Row['nest'];

/** The commands of the guide, and a shell for them. */
async function theGuide() {
  const commands = await commandsOf('docs/getting-started.md', 'In one command');
  const [create = '', change = '', install = '', set = '', installMore = '', test = ''] = commands;
  expect([commands.length, change]).toEqual([6, 'cd shop']);
  // What a person answers npx with.
  const enter = (place: string, command: string) =>
    run(place, 'bash', ['-c', command], environment({ npm_config_yes: 'true' }));
  return { create, install, set, installMore, test, enter };
}

/** Made and installed once for each Nest, whose installation costs more than all that is tried there. */
describe('an application as a scaffold makes it', () => {
  let folder: string;
  let archives: readonly string[];
  let registry: Registry;
  let database: TestDatabase;
  const applications = new Map<Nest, Promise<string>>();
  const equipped = new Map<string, Promise<string>>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-hosts-'));
    const { payments, sandbox } = await packed(folder);
    archives = [payments, sandbox].map((name) => join(folder, name));
    registry = await startRegistry(archives);
  }, PATIENCE_MS);
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());
  afterAll(async () => {
    await registry.close();
    await rm(folder, { recursive: true });
  });

  const applicationOf = (nest: Nest): Promise<string> => {
    const made = applications.get(nest) ?? (nest === 11 ? installed() : byTheGuide());
    applications.set(nest, made);
    return made;
  };

  /** All that is committed is what there was before. */
  async function begun(place: string): Promise<string> {
    await writeFile(join(place, '.npmrc'), registry.setting);
    await writeFile(join(place, '.gitignore'), 'node_modules\ndist\n');
    await git(place, 'init', '--quiet');
    await commit(place);
    await git(place, 'tag', 'begun');
    return place;
  }

  async function installed(): Promise<string> {
    const place = await scaffold(join(folder, 'nest-11'), { nest: 11, modules: 'cjs' });
    await run(place, 'npm', ['install']);
    return begun(place);
  }

  /** With the packages in it, by the first three commands. */
  async function byTheGuide(): Promise<string> {
    const { create, install, enter } = await theGuide();
    await builtRepository(folder);
    await enter(folder, create);
    const place = join(folder, 'shop');
    await enter(place, install);
    return begun(place);
  }

  /** As it was before `nest add`, with all that the first rows of `npm run test:package` need, which has many more. */
  const equippedFor = (row: Row): Promise<string> => {
    const prepare = async () => {
      const place = await applicationOf(row.nest);
      await git(place, 'reset', '--quiet', '--hard', 'begun');
      await git(place, 'clean', '-fdxq', '--exclude', 'node_modules');
      await equip(folder, place, { root, archives }, row);
      return place;
    };
    const made = equipped.get(nameOf(row)) ?? prepare();
    equipped.set(nameOf(row), made);
    return made;
  };

  describe('and nest add @holdfast/payments', () => {
    beforeEach(async () => {
      // The template has the module's tables already; such an application begins without any.
      await query(database.url, 'DROP SCHEMA public CASCADE');
      await query(database.url, 'CREATE SCHEMA public');
    });

    const add = (place: string, ...flags: string[]) =>
      run(place, 'npx', ['nest', 'add', '@holdfast/payments', ...flags]);

    /** The whole command, which installs the package by itself; the guide has two in place of it. */
    async function addAll(place: string, nest: Nest): Promise<string> {
      if (nest === 11) return add(place);
      const { set, installMore, enter } = await theGuide();
      const printed = await enter(place, set);
      await enter(place, installMore);
      return printed;
    }

    it.each([11, 12] as const)(
      'sets up an application as the scaffold of Nest %d makes it, whose tests, build and lint pass, and changes nothing the second time',
      async (nest) => {
        const place = await applicationOf(nest);
        const changedByNpm = ['package-lock.json', 'package.json'];
        const dryRun = nest === 11 ? ['--dry-run'] : ['--dry-run', '--skip-install'];
        expect(await add(place, ...dryRun)).toContain('Dry run enabled');
        // The schematic wrote nothing.
        expect(await changedIn(place)).toEqual(nest === 11 ? changedByNpm : []);
        // The command line of Nest 11 ends with 0 whatever its schematic does.
        const refused = await withMain(place, 'void NestFactory.create(AppModule);\n', () =>
          add(place, '--skip-install').catch((error: unknown) => String(error)),
        );
        expect(refused).toMatch(/src\/main\.ts keeps nothing that NestFactory\.create\(\) returns/);
        expect(refused.includes('Command failed')).toBe(nest === 12);
        const printed = await addAll(place, nest);
        expect(printed.slice(printed.indexOf('compose.yaml'))).toContain('Next:\n');
        expect(await changedIn(place)).toEqual(written);

        const { test, enter } = await theGuide();
        expect(await enter(place, test)).toContain('paid-orders.spec.ts');
        await run(place, 'npm', ['run', 'build']);
        await run(place, 'npx', ['prettier', '--check', 'src']);
        await commit(place);
        await run(place, 'npm', ['run', 'lint']);
        expect(await add(place)).toContain('nothing is changed');
        // The package of Nest 12 was an archive until now, and comes from the registry as well.
        expect(await changedIn(place)).toEqual(nest === 11 ? [] : changedByNpm);

        await paysAnOrder(place);
      },
      PATIENCE_MS,
    );

    /** With another main file meanwhile. */
    async function withMain(place: string, text: string, work: () => Promise<string>): Promise<string> {
      const main = join(place, 'src/main.ts');
      const own = await readFile(main, 'utf8');
      await writeFile(main, text);
      const result = await work();
      await writeFile(main, own);
      return result;
    }

    /** Runs the built application with `.env.example` for its settings, beside the twin. */
    async function paysAnOrder(place: string): Promise<void> {
      const probe = createServer();
      const port = await listen(probe);
      probe.close();
      await once(probe, 'close');
      const url = `http://127.0.0.1:${port}`;
      const sandbox = await startSandbox({
        shopId: 'test_shop',
        secretKey: 'test_secret',
        profile: 'yookassa',
        notify: { url: `${url}/webhooks/payments` },
      });
      const settings = { DATABASE_URL: database.url, PAYMENTS_SERVICE_URL: sandbox.url, PORT: String(port) };
      const env = environment(settings);
      await writeFile(join(place, 'buy.mjs'), buy);
      const application = spawn('node', ['dist/main.js'], {
        cwd: place,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const end = closing(async () => {
        const exited = once(application, 'exit');
        application.kill('SIGTERM');
        await exited;
      });
      const answer = () => fetch(url).catch(() => null);
      expect(await (await eventually(answer, (found) => found !== null))?.text()).toBe('Hello World!');
      const serviceId = (await run(place, 'node', ['buy.mjs'], env)).trim();
      sandbox.payments.pay(serviceId, { outcome: 'succeed' });
      const paid = () => query(database.url, 'SELECT reference FROM paid_orders');
      expect(await eventually(paid, ({ length }) => length > 0)).toEqual([{ reference: 'A-1' }]);
      await isWellSays(place, env);
      await end();
      await sandbox.close();
    }

    /** The command that the package brings, with no flag; the server of the tests waits for no disk. */
    async function isWellSays(place: string, env: NodeJS.ProcessEnv): Promise<void> {
      await query(
        database.url,
        `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = on`,
      );
      const printed = await run(place, 'npx', ['@holdfast/payments', 'doctor'], env);
      expect(printed.split('\n').filter((line) => line.startsWith('✖'))).toEqual([]);
      expect(printed).toContain('✔ configuration: Shop test_shop at 127.0.0.1');
      expect(printed).toContain('✔ handlers: 1 in the code');
      expect(await run(place, 'npx', ['@holdfast/payments', 'payment', 'A-1'], env)).toContain(
        'orders.mark-paid',
      );
    }
  });

  describe('and the packages beside it', () => {
    beforeEach(() => query(database.url, 'CREATE SCHEMA billing'));

    it.each(shortly.map((row) => [textOf(row), row] as const))(
      '%s takes a payment',
      async (_text, row) => {
        const stage = { databaseUrl: database.url, nodeFolder: null };
        await expect(tryRow(root, await equippedFor(row), row, stage)).resolves.toBeUndefined();
      },
      PATIENCE_MS,
    );

    it.each(shortly.filter(({ build }) => build === 'none').map((row) => [nameOf(row), row] as const))(
      '%s finds no fault in the declarations of any entry, where it checks those of its packages',
      async (_name, row) => {
        const entries = await entriesOf(root, 'payments');
        expect(await declarationFaults(await equippedFor(row), entries)).toEqual([
          expect.stringMatching(/^every-entry\.ts\(1,14\): error TS2322/),
        ]);
      },
      PATIENCE_MS,
    );
  });
});
