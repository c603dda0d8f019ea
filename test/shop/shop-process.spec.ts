import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { Client } from 'pg';

import { Buyer } from '../support/buyer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startShopProcess } from '../support/shop-process.js';
import { staffPassword, testAccount } from '../support/shop.js';
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

  it.each([
    ['documented', 'wallet'],
    ['yookassa', 'yoo_money'],
  ])('with PAYMENTS_PROFILE=%s speaks that profile with its own sandbox', async (profile, wireName) => {
    const shop = await startShopProcess({
      DATABASE_URL: database.url,
      PAYMENTS_PROFILE: profile,
      STAFF_PASSWORD: staffPassword,
    });
    const staff = new Staff(shop.url);
    const buyer = new Buyer(shop.url);
    const reference = await buyer.newReference('fireweed');
    await buyer.checkOut(reference, 'fireweed');
    const { serviceId, confirmationUrl } = (await staff.order(reference)).payments[0] ?? {};

    const paid = await fetch(new URL(`/sandbox/payments/${serviceId}/pay`, confirmationUrl ?? ''), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome: 'succeed', method: 'wallet' }),
    });
    expect(await paid.json()).toMatchObject({ payment_method: { type: wireName } });
    const order = await eventually(
      () => staff.order(reference),
      ({ state }) => state === 'paid',
    );
    expect(order.payments[0]?.paymentMethod?.type).toBe('wallet');
    await shop.end('SIGTERM');
  });

  it('says which setting frees a port that is taken', async () => {
    const { port } = new URL(sandbox.url);
    await expect(startShopProcess({ ...environment(), PORT: port })).rejects.toThrow(
      `Port ${port} is in use. Stop the program that has it, or set another PORT.`,
    );
  });

  it('names DATABASE_URL where its server does not answer', async () => {
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
