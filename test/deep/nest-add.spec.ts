import { startSandbox } from '@holdfast/sandbox';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaffold } from '../../tools/package/make-host.js';
import { environment, run } from '../../tools/package/run.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { packed, packing, workspace } from '../support/packed.js';
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

describe('nest add @holdfast/payments', () => {
  let folder: string;
  let registry: Registry;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-nest-add-'));
    const { payments, sandbox } = await packed(folder);
    const archives = [payments, sandbox].map((name) => join(folder, name));
    registry = await startRegistry(archives);
  }, PATIENCE_MS);
  beforeEach(async () => {
    database = await createTestDatabase();
    // The template has the module's tables already; such an application begins without any.
    await query(database.url, 'DROP SCHEMA public CASCADE');
    await query(database.url, 'CREATE SCHEMA public');
  });
  afterEach(() => database.drop());
  afterAll(async () => {
    await registry.close();
    await rm(folder, { recursive: true });
  });

  it.each([11, 12] as const)(
    'sets up an application as the scaffold of Nest %d makes it, whose tests, build and lint pass, and changes nothing the second time',
    async (nest) => {
      const place = await scaffold(join(folder, `nest-${nest}`), {
        nest,
        modules: nest === 11 ? 'cjs' : 'esm',
      });
      await writeFile(join(place, '.npmrc'), registry.setting);
      await writeFile(join(place, '.gitignore'), 'node_modules\ndist\n');
      await run(place, 'npm', ['install']);
      await git(place, 'init', '--quiet');
      await commit(place);
      const add = (...flags: string[]) => run(place, 'npx', ['nest', 'add', '@holdfast/payments', ...flags]);

      expect(await add('--dry-run')).toContain('Dry run enabled');
      // The command itself installs the package; the schematic wrote nothing.
      expect(await changedIn(place)).toEqual(['package-lock.json', 'package.json']);
      // The command line of Nest 11 ends with 0 whatever its schematic does.
      const refused = await withMain(place, 'void NestFactory.create(AppModule);\n', () =>
        add('--skip-install').catch((error: unknown) => String(error)),
      );
      expect(refused).toMatch(/src\/main\.ts keeps nothing that NestFactory\.create\(\) returns/);
      expect(refused.includes('Command failed')).toBe(nest === 12);
      const printed = await add();
      expect(printed.slice(printed.indexOf('compose.yaml'))).toContain('Next:\n');
      expect(await changedIn(place)).toEqual(written);

      expect(await run(place, 'npm', ['test'])).toContain('paid-orders.spec.ts');
      await run(place, 'npm', ['run', 'build']);
      await run(place, 'npx', ['prettier', '--check', 'src']);
      await commit(place);
      await run(place, 'npm', ['run', 'lint']);
      expect(await add()).toContain('nothing is changed');
      expect(await changedIn(place)).toEqual([]);

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

  it(
    'leads from nothing to a paid order in six commands, as docs/getting-started.md prints them',
    async () => {
      const commands = await commandsOf('docs/getting-started.md', 'In one command');
      expect(commands).toHaveLength(6);
      await symlink(workspace, join(folder, 'holdfast'));
      let [place, printed] = [folder, ''];
      for (const command of commands) {
        // What a person answers npx with.
        const env = environment({ npm_config_yes: 'true' });
        const enter = () => run(place, 'bash', ['-c', command], env);
        if (command.startsWith('cd ')) place = join(place, command.slice(3));
        else printed = await (command.includes('npm pack') ? packing(enter) : enter());
      }
      expect(printed).toContain('paid-orders.spec.ts');
      expect(await readFile(join(place, 'src/app.module.ts'), 'utf8')).toContain('PaymentsModule');
    },
    PATIENCE_MS,
  );
});
