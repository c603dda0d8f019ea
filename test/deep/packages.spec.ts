import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { packBoth, runIn, workspace as root } from '../support/packed.js';
import { testAccount } from '../support/shop.js';

const names = ['payments', 'sandbox'] as const;

/** A project of someone else's: it has the packed packages, and everything else from the workspace's node_modules. */
describe('the packed packages', () => {
  let consumer: string;
  let database: TestDatabase;
  let sandbox: Sandbox;
  const files = new Map<string, string[]>();

  beforeAll(async () => {
    await mkdir(join(root, '.data'), { recursive: true });
    consumer = await mkdtemp(join(root, '.data', 'consumer-'));
    const archives = await packBoth(consumer);
    for (const name of names) {
      const installed = join(consumer, 'node_modules', '@holdfast', name);
      await mkdir(installed, { recursive: true });
      const archive = join(consumer, archives[name]);
      await runIn(consumer, 'tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
      const { stdout } = await runIn(consumer, 'tar', ['-tzf', archive]);
      files.set(
        name,
        stdout
          .trim()
          .split('\n')
          .map((path) => path.replace('package/', '')),
      );
    }
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
    database = await createTestDatabase();
    sandbox = await startSandbox(testAccount);
  }, 120_000);
  afterAll(async () => {
    await sandbox.close();
    await database.drop();
    await rm(consumer, { recursive: true });
  });

  /** As a project of its own would, strictly. */
  async function compile(file: string, text: string): Promise<void> {
    await writeFile(join(consumer, file), text);
    await writeFile(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'ES2023',
          module: 'nodenext',
          types: ['node'],
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
        },
        files: [file],
      }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await runIn(consumer, process.execPath, [tsc, '-p', consumer]);
  }

  it.each(names)(
    '@holdfast/%s holds its code, types, README and licence, and nothing of the workspace',
    (name) => {
      const listed = files.get(name) ?? [];
      expect(listed).toEqual(
        expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']),
      );
      expect(
        listed.filter(
          (path) => !/^(package\.json|README\.md|LICENSE|dist\/.*\.(js|d\.ts|js\.map))$/.test(path),
        ),
      ).toEqual([]);
      expect(listed.filter((path) => /\.spec\./.test(path))).toEqual([]);
    },
  );

  it('load in a CommonJS application with a plain require', async () => {
    const script = `console.log(typeof require('@holdfast/payments').PaymentsModule, typeof require('@holdfast/sandbox').startSandbox)`;
    const { stdout } = await runIn(consumer, process.execPath, ['--input-type=commonjs', '-e', script]);
    expect(stdout.trim()).toBe('function function');
  });

  it('bring the command holdfast-sandbox', async () => {
    // Links the command of what is installed, as `npm install` does.
    await runIn(consumer, 'npm', ['rebuild', '--ignore-scripts']);
    const { stdout } = await runIn(consumer, join(consumer, 'node_modules/.bin/holdfast-sandbox'), [
      '--help',
    ]);
    expect(stdout).toMatch(/^Usage: holdfast-sandbox \[flags\]\n/);
  });

  it('compile what docs/partner.md sets a platform up with', async () => {
    const page = await readFile(join(root, 'docs', 'partner.md'), 'utf8');
    const snippet = /## Setting it up[\s\S]+?```ts\n([\s\S]+?)```/.exec(page)?.[1];
    expect(snippet).toContain('PaymentsModule.forRoot');
    await compile(
      'platform.ts',
      `import { PaymentsModule } from '@holdfast/payments';
       declare function sessionOf(request: object): { ownerId: string } | null;
       ${snippet}`,
    );
  }, 60_000);

  it("compile and run the README's smallest module: an order is paid and marked paid once", async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const snippet = /## The smallest module\s+```ts\n([\s\S]+?)```/.exec(readme)?.[1];
    await compile('main.ts', snippet ?? '');

    const client = new Client(database.url);
    await client.connect();
    await client.query(
      'CREATE TABLE orders (reference text PRIMARY KEY, paid boolean NOT NULL DEFAULT false, times int NOT NULL DEFAULT 0)',
    );
    await client.query(
      `CREATE FUNCTION count_times() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.times = OLD.times + 1; RETURN NEW; END $$;
       CREATE TRIGGER count_times BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION count_times();
       INSERT INTO orders (reference) VALUES ('A-1')`,
    );
    const port = await freePort();
    const shop = spawn(process.execPath, ['main.js'], {
      cwd: consumer,
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        DATABASE_URL: database.url,
        PAYMENTS_SERVICE_URL: sandbox.url,
        PAYMENTS_SHOP_ID: testAccount.shopId,
        PAYMENTS_SECRET_KEY: testAccount.secretKey,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      sandbox.setNotifyUrl(`http://127.0.0.1:${port}/webhooks/payments`);
      const pay = () =>
        fetch(`http://127.0.0.1:${port}/orders/A-1/pay`, { method: 'POST', redirect: 'manual' }).catch(
          () => null,
        );
      const answer = await eventually(pay, (response) => response !== null);
      expect(answer?.status).toBe(303);
      const [payment] = sandbox.payments.list();
      expect(answer?.headers.get('location')).toBe(payment?.confirmation?.confirmation_url);
      sandbox.payments.pay(payment?.id ?? '', { outcome: 'succeed' });
      const order = async () =>
        (await client.query<{ paid: boolean; times: number }>('SELECT paid, times FROM orders')).rows[0];
      await eventually(order, (row) => row?.paid === true);
      expect(await order()).toEqual({ paid: true, times: 1 });
    } finally {
      const exited = once(shop, 'exit');
      shop.kill('SIGTERM');
      await exited;
      await client.end();
    }
  }, 60_000);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
