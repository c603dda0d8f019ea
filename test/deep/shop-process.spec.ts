import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { testAccount } from '../support/account.js';
import { Buyer } from '../support/buyer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startShopProcess } from '../support/shop-process.js';
import { staffPassword } from '../support/shop.js';
import { Staff } from '../support/staff.js';

describe('a shop process', () => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox(testAccount);
  });
  afterAll(async () => {
    await sandbox.close();
    await database.drop();
  });

  const environment = () => ({
    DATABASE_URL: database.url,
    PAYMENTS_SERVICE_URL: sandbox.url,
    PAYMENTS_SHOP_ID: testAccount.shopId,
    PAYMENTS_SECRET_KEY: testAccount.secretKey,
  });

  it('migrates an empty database together with two others that start at the same moment', async () => {
    const client = new Client(database.url);
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

    const shops = await Promise.all([1, 2, 3].map(() => startShopProcess(environment())));
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('ShopOrders1760100000000');
    const pages = await Promise.all(shops.map(({ url }) => fetch(url)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);

    await client.end();
    expect(await Promise.all(shops.map(({ end }) => end('SIGTERM')))).toEqual([0, 0, 0]);
  });

  describe('with a sandbox of its own', () => {
    let folder: string;
    // Its shop is another than that of the processes above, whose tables it may not use.
    let own: TestDatabase;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'holdfast-shop-spec-'));
      own = await createTestDatabase();
    });
    afterEach(async () => {
      await own.drop();
      await rm(folder, { recursive: true });
    });

    async function start(profile = 'documented') {
      const shop = await startShopProcess(
        { DATABASE_URL: own.url, PAYMENTS_PROFILE: profile, STAFF_PASSWORD: staffPassword },
        folder,
      );
      return { shop, buyer: new Buyer(shop.url), staff: new Staff(shop.url) };
    }
    type Started = Awaited<ReturnType<typeof start>>;

    const sandboxOf = ({ shop }: Started) =>
      shop.said.map((line) => /^Sandbox:\s+(\S+)/.exec(line)?.[1]).find((url) => url !== undefined);

    async function place({ buyer }: Started, product: string): Promise<string> {
      const reference = await buyer.newReference(product);
      await buyer.checkOut(reference, product);
      return reference;
    }

    /** What the buyer does on the payment page, which must exist. */
    async function pay({ staff }: Started, reference: string, method = 'bank_card'): Promise<object> {
      const { serviceId, confirmationUrl } = (await staff.order(reference)).payments[0] ?? {};
      expect((await fetch(confirmationUrl ?? '')).status).toBe(200);
      const paid = await fetch(new URL(`/sandbox/payments/${serviceId}/pay`, confirmationUrl ?? ''), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ outcome: 'succeed', method }),
      });
      const payment: object = JSON.parse(await paid.text());
      return payment;
    }

    const becomes = ({ staff }: Started, reference: string, state: string) =>
      eventually(
        () => staff.order(reference),
        (order) => order.state === state,
      );

    it.each([
      ['documented', 'wallet'],
      ['yookassa', 'yoo_money'],
    ])('and PAYMENTS_PROFILE=%s speaks that profile with it', async (profile, wireName) => {
      const started = await start(profile);
      const reference = await place(started, 'fireweed');
      expect(await pay(started, reference, 'wallet')).toMatchObject({ payment_method: { type: wireName } });
      const order = await becomes(started, reference, 'paid');
      expect(order.payments[0]?.paymentMethod?.type).toBe('wallet');
      await started.shop.end('SIGTERM');
    });

    it('moves its time with the sandbox’s: a hold ends for both', async () => {
      const started = await start();
      const reference = await place(started, 'first-flush-darjeeling');
      await pay(started, reference);
      await becomes(started, reference, 'held');
      await fetch(new URL('/sandbox/clock/advance', sandboxOf(started)), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ms: 6.5 * 86_400_000 }),
      });
      // The shop learns by its own clock that the hold is near its end.
      const events = await eventually(
        async () =>
          (await started.staff.order(reference)).payments[0]?.timeline.map(({ name }) => name) ?? [],
        (names) => names.includes('hold.expiring'),
      );
      expect(events).not.toContain('hold.expired');
      await started.shop.end('SIGTERM');
    });

    it('writes no colours into a file', async () => {
      const { shop, staff } = await start();
      const client = new Client(own.url);
      await client.connect();
      await client.query('ALTER TABLE shop_orders RENAME TO shop_orders_away');
      await staff.open('/staff');
      await client.query('ALTER TABLE shop_orders_away RENAME TO shop_orders');
      await client.end();
      await shop.end('SIGTERM');
      const errors = shop.said.filter((line) => line.includes('ERROR'));
      expect(errors).not.toEqual([]);
      expect(shop.said.filter((line) => line.includes('\u001b'))).toEqual([]);
    });

    it('continues, after it was killed, with what was held, open and paid before', async () => {
      const before = await start();
      const [held, open, paid] = [
        await place(before, 'first-flush-darjeeling'),
        await place(before, 'milk-oolong'),
        await place(before, 'smoky-lapsang'),
      ];
      for (const reference of [held, paid]) await pay(before, reference);
      await Promise.all([becomes(before, held, 'held'), becomes(before, paid, 'paid')]);
      await before.shop.end('SIGKILL');

      const after = await start();
      await after.staff.ship(held);
      await becomes(after, held, 'paid');
      await after.staff.refund(paid, await after.staff.refundKey(paid), '90');
      await becomes(after, paid, 'partially_refunded');
      const continued = await after.buyer.send(`/orders/${open}/pay`);
      expect(continued.status).toBe(303);
      await pay(after, open);
      const { payments } = await becomes(after, open, 'paid');
      expect(payments).toHaveLength(1);
      const books = await after.staff.compareBooks();
      expect(books).toContain('Nothing differs');
      expect(books).toMatch(/Payments<\/dt> ?<dd>3<.*Refunds<\/dt> ?<dd>1</);
      await after.shop.end('SIGTERM');
    });

    it('does not start on the tables of a sandbox that is gone; emptied, it says that orders paid before are out of reach, and offers nothing', async () => {
      const before = await start();
      const [held, open] = [
        await place(before, 'first-flush-darjeeling'),
        await place(before, 'milk-oolong'),
      ];
      await pay(before, held);
      await becomes(before, held, 'held');
      await before.shop.end('SIGTERM');
      await rm(join(folder, '.data'), { recursive: true });

      await expect(start()).rejects.toThrow(/The tables belong to the shop test_\d+/i);
      const client = new Client(own.url);
      await client.connect();
      await client.query('TRUNCATE payments_stores CASCADE');
      await client.end();

      const after = await start();
      const pages = [
        await after.staff.read(`/staff/orders/${held}`),
        await (await after.buyer.open(`/orders/${held}`)).text(),
      ];
      for (const page of pages) {
        expect(page).toContain('Its payment is elsewhere');
        expect(page).not.toContain('<form');
      }
      expect(await after.staff.read('/staff')).toContain(`Order ${held}`);
      // Nothing is charged yet for this one: its buyer pays again.
      expect((await after.buyer.send(`/orders/${open}/pay`)).status).toBe(303);
      await pay(after, open);
      await becomes(after, open, 'paid');
      await after.shop.end('SIGTERM');
    });
  });

  it('says which setting frees a port that is in use', async () => {
    const { port } = new URL(sandbox.url);
    await expect(startShopProcess({ ...environment(), PORT: port })).rejects.toThrow(
      `Port ${port} is in use. Stop the program that has it, or set another PORT.`,
    );
  });

  it('names DATABASE_URL if its server does not answer', async () => {
    const nowhere = { ...environment(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
    await expect(startShopProcess(nowhere)).rejects.toThrow(
      /The database in DATABASE_URL cannot be opened: .*ECONNREFUSED.* Start it and check the address/,
    );
  });

  it('lists everything that is wrong with its settings', async () => {
    const faulty = { ...environment(), PORT: 'many', PAYMENTS_SECRET_KEY: '' };
    await expect(startShopProcess(faulty)).rejects.toThrow(/PORT must[\s\S]*PAYMENTS_SECRET_KEY must/);
    const unknown = { ...environment(), PAYMENTS_PROFILE: 'public' };
    await expect(startShopProcess(unknown)).rejects.toThrow(
      'PAYMENTS_PROFILE must be documented or yookassa, such as PAYMENTS_PROFILE=documented.',
    );
  });
});
