import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAccount } from '../support/account.js';
import { openBrowser } from '../support/browser.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { builtRepository, runIn } from '../support/packed.js';
import { blockOf, commandsOf } from '../support/page-blocks.js';

const guide = 'docs/getting-started.md';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 600_000;

/** Somebody's first hour: an empty folder beside this repository, and the instructions of docs/getting-started.md. */
describe('the first hour', () => {
  let folder: string;
  let shop: string;
  let database: TestDatabase;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-first-hour-'));
    shop = join(folder, 'shop');
    await mkdir(shop);
    await mkdir(join(folder, 'tmp'));
    await builtRepository(folder);
    database = await createTestDatabase();
    // The template has the module's tables already; a first hour begins without any.
    await query(database.url, 'DROP SCHEMA public CASCADE');
    await query(database.url, 'CREATE SCHEMA public');
  });
  afterEach(stopAll);
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TMPDIR: join(folder, 'tmp'),
    DATABASE_URL: database.url,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    ...more,
  });

  /** Leaves the command running, with everything it starts, until the test ends. */
  function leave(command: string, more?: NodeJS.ProcessEnv): void {
    const child = spawn('bash', ['-c', command], {
      cwd: shop,
      env: env(more),
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
  }

  async function stopAll(): Promise<void> {
    for (const child of running) {
      const exited = child.exitCode === null ? once(child, 'exit') : null;
      if (child.pid !== undefined && exited !== null) process.kill(-child.pid, 'SIGTERM');
      await exited;
    }
    running.clear();
    // The shell ends before what it started has closed its connections.
    await eventually(
      () =>
        query(
          database.url,
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
        ),
      ({ length }) => length === 0,
    );
  }

  const enter = (command: string) => runIn(shop, 'bash', ['-c', command], env());

  const answers = (url: string) =>
    eventually(
      () => fetch(url).catch(() => null),
      (response) => response !== null,
    );

  /** The buyer is back before it. */
  async function lateNotification(): Promise<void> {
    const ordered = await fetch('http://127.0.0.1:4010/sandbox/faults', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ on: 'notification', fault: 'delay', ms: 1_000 }),
    });
    expect(ordered.ok).toBe(true);
  }

  it(
    'leads from an empty folder to a paid order in at most eight commands of its guide, as they are printed',
    async () => {
      const commands = await commandsOf(guide, 'From an empty folder to a paid order');
      // `npm ci` is the other one; it ran before this test.
      expect(await commandsOf('docs/example-shop.md', 'Sixty seconds')).toContain('npm ci');
      expect(commands.length + 1).toBeLessThanOrEqual(8);
      await writeFile(join(shop, 'main.mts'), await blockOf(guide, 'The smallest module', 'ts'));

      const [application = '', ...others] = commands.toReversed();
      for (const command of others.toReversed()) {
        if (command.endsWith('&')) leave(command.slice(0, -1));
        else await enter(command);
      }
      leave(application);
      await answers('http://127.0.0.1:4010/');
      await answers('http://127.0.0.1:3000/');
      await query(
        database.url,
        `ALTER TABLE orders ADD COLUMN times int NOT NULL DEFAULT 0;
       CREATE FUNCTION count_times() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.times = OLD.times + 1; RETURN NEW; END $$;
       CREATE TRIGGER count_times BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION count_times()`,
      );

      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto('http://127.0.0.1:3000/orders/A-1');
        await page.getByRole('button').click();
        await page.locator('#number').fill('5555555555554444');
        await page.locator('#expiry').fill('12/39');
        await page.locator('#csc').fill('123');
        await lateNotification();
        await page.locator('#pay').click();
        await page.waitForURL('http://127.0.0.1:3000/orders/A-1');
        await page.getByText('This order is paid.').waitFor();
      } finally {
        await browser.close();
      }
      const rows = () =>
        query<{ paid: boolean; times: number }>(database.url, 'SELECT paid, times FROM orders');
      expect(await eventually(rows, ([row]) => row?.paid === true)).toEqual([
        expect.objectContaining({ paid: true, times: 1 }),
      ]);
    },
    PATIENCE_MS,
  );

  describe('has a controller that', () => {
    let sandbox: Sandbox;
    let url: string;

    beforeAll(async () => {
      sandbox = await startSandbox(testAccount);
    });
    afterAll(() => sandbox.close());

    async function start(program: string): Promise<void> {
      const probe = createServer();
      const port = String(await listen(probe));
      probe.close();
      await once(probe, 'close');
      url = `http://127.0.0.1:${port}`;
      sandbox.setNotifyUrl(`${url}/webhooks/payments`);
      leave(`exec node ${program}`, {
        PORT: port,
        PAYMENTS_SERVICE_URL: sandbox.url,
        PAYMENTS_SHOP_ID: testAccount.shopId,
        PAYMENTS_SECRET_KEY: testAccount.secretKey,
      });
      await answers(url);
    }

    async function pay(reference: string): Promise<{ status: number; location: string | null }> {
      const { status, headers } = await fetch(`${url}/orders/${reference}/pay`, {
        method: 'POST',
        redirect: 'manual',
      });
      return { status, location: headers.get('location') };
    }

    const add = (reference: string) =>
      query(database.url, "INSERT INTO orders (reference, total, buyer) VALUES ($1, 10, 'anna')", [
        reference,
      ]);

    const page = async (reference: string) => (await fetch(`${url}/orders/${reference}`)).text();

    it('answers a paid order with its page, a wrong reference with 404, and an unknown outcome with 503', async () => {
      await start('main.mjs');
      await add('B-1');
      const first = await pay('B-1');
      const [payment] = sandbox.payments.list();
      expect(first).toEqual({ status: 303, location: payment?.confirmation?.confirmation_url });
      expect(payment?.confirmation?.return_url).toBe(`${url}/orders/B-1`);
      sandbox.payments.pay(payment?.id ?? '', { outcome: 'succeed' });
      await eventually(
        () => page('B-1'),
        (text) => text.includes('is paid'),
      );
      expect(await pay('B-1')).toEqual({ status: 303, location: `${url}/orders/B-1` });

      for (const reference of ['B-9', 'no%20such', '%00', 'x'.repeat(1_000), '__proto__']) {
        expect((await fetch(`${url}/orders/${reference}`)).status).toBe(404);
        expect((await pay(reference)).status).toBe(404);
      }

      await add('B-2');
      sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
      sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 100 });
      expect((await pay('B-2')).status).toBe(503);
      sandbox.faults.clear();
    });

    it('marks no order that is of another buyer by now, and says so', async () => {
      await start('main.mjs');
      await add('D-1');
      await pay('D-1');
      // Its number was given again.
      await query(database.url, "UPDATE orders SET buyer = 'boris' WHERE reference = 'D-1'");
      const payment = sandbox.payments
        .list()
        .find(({ confirmation }) => confirmation?.return_url?.endsWith('/D-1'));
      sandbox.payments.pay(payment?.id ?? '', { outcome: 'succeed' });
      await eventually(
        () =>
          query(
            database.url,
            "SELECT FROM payments_deliveries WHERE last_error LIKE '%another sum or buyer'",
          ),
        ({ length }) => length === 1,
      );
      expect(await query(database.url, "SELECT paid FROM orders WHERE reference = 'D-1'")).toEqual([
        { paid: false },
      ]);
    });

    it('answers a held order with its page', async () => {
      const held = (await readFile(join(shop, 'main.mjs'), 'utf8')).replace(
        'returnUrl: page',
        'returnUrl: page, capture: false',
      );
      await writeFile(join(shop, 'held.mjs'), held);
      await start('held.mjs');
      await add('C-1');
      await pay('C-1');
      const payment = sandbox.payments
        .list()
        .find(({ confirmation }) => confirmation?.return_url?.endsWith('/C-1'));
      sandbox.payments.pay(payment?.id ?? '', { outcome: 'succeed' });
      await eventually(
        () => page('C-1'),
        (text) => text.includes('is authorized'),
      );
      expect(await pay('C-1')).toEqual({ status: 303, location: `${url}/orders/C-1` });
    });
  });
});
