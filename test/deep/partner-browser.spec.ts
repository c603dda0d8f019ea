import type { Browser, BrowserContext, Page } from 'playwright-core';

import { openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';

const goodCard = '5555555555554444';

describe('the owners and buyers of a platform with a browser', () => {
  let test: TestPlatform;
  let browser: Browser;
  let contexts: BrowserContext[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    contexts = [];
    test = await startTestPlatform();
    // A revoked token is logged as an error, as it should be.
    test.platform.app.useLogger(false);
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    await test.close();
  });

  /** Somebody's own browser. */
  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    contexts.push(context);
    return context.newPage();
  }

  /** An owner's browser, at the page of their stores. */
  async function signIn(name: string): Promise<Page> {
    const page = await openPage();
    await page.goto(test.platform.url);
    await page.getByRole('button', { name: new RegExp(`^${name},`) }).click();
    await page.getByRole('heading', { name: 'My stores' }).waitFor();
    return page;
  }

  /** From a page with that button to the service's page on which an owner grants or refuses. */
  async function setOut(page: Page, button: string, login: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`${test.sandbox.url}/**`);
    // Whoever has been there before is still signed in.
    if ((await page.getByTestId('login').count()) === 0) return;
    await page.getByTestId('login').fill(login);
    await page.getByTestId('password').fill('sandbox');
    await page.getByTestId('sign-in').click();
    await page.getByTestId('approve').waitFor();
  }

  async function grant(page: Page, accountId: string): Promise<void> {
    await page.getByTestId(`store-${accountId}`).check();
    await page.getByTestId('approve').click();
    await page.waitForURL(`${test.platform.url}/stores?store=*`);
  }

  async function connected(name: string, accountId: string): Promise<Page> {
    const page = await signIn(name);
    await setOut(page, 'Connect a store', name.toLowerCase());
    await grant(page, accountId);
    return page;
  }

  /** Statuses of the stores on an owner's page, by account. */
  async function storesOn(page: Page): Promise<Record<string, string | null>> {
    await page.goto(`${test.platform.url}/stores`);
    const panels = await page.locator('[data-account]').all();
    const each = panels.map(async (panel) => [
      await panel.getAttribute('data-account'),
      await panel.getAttribute('data-store-status'),
    ]);
    return Object.fromEntries(await Promise.all(each));
  }

  /** A buyer's browser at the payment page. */
  async function choose(shop: string, item: string): Promise<Page> {
    const page = await openPage();
    await page.goto(test.platform.url);
    await page.getByRole('link', { name: shop, exact: true }).click();
    await page.getByRole('article', { name: item }).getByRole('button', { name: 'Buy' }).click();
    await page.waitForURL(`${test.sandbox.url}/checkout/**`);
    return page;
  }

  async function pay(page: Page): Promise<void> {
    await page.locator('#number').fill(goodCard);
    await page.locator('#expiry').fill('12/39');
    await page.locator('#csc').fill('123');
    await page.locator('#pay').click();
    await page.waitForURL(`${test.platform.url}/sales/**`);
  }

  /** The purchase's page reloads itself while the payment is being recorded, and only then. */
  async function saleBecomes(page: Page, standing: string): Promise<void> {
    await eventually(
      async () => {
        await page.reload();
        return page.locator('#sale-state').getAttribute('data-standing');
      },
      (now) => now === standing,
    );
  }

  async function buy(shop: string, item: string): Promise<string> {
    const page = await choose(shop, item);
    await pay(page);
    await saleBecomes(page, 'paid');
    return page.url().split('/').at(-1) ?? '';
  }

  /** What an owner's page of a store shows. */
  async function notified(page: Page, shop: string) {
    await page.goto(`${test.platform.url}/stores`);
    await page.getByRole('link', { name: shop, exact: true }).click();
    await page.locator('#store-state').waitFor();
    const values = (attribute: string) =>
      page
        .locator(`[${attribute}]`)
        .evaluateAll((found, name) => found.map((one) => one.getAttribute(name)), attribute);
    return {
      status: await page.locator('#store-state').getAttribute('data-store-status'),
      sales: await values('data-sale'),
      notifications: await values('data-notification'),
      events: await values('data-event'),
    };
  }

  /** The webhooks of an app that received each notification about a store. */
  function addressesNotified(accountId: string): (string | undefined)[] {
    const webhooks = test.sandbox.tokens.list().flatMap((token) => token.webhooks);
    return test.sandbox.notifications
      .list()
      .filter((notification) => notification.accountId === accountId)
      .map(({ webhookId }) => webhooks.find(({ id }) => id === webhookId)?.url);
  }

  function tokenOf(accountId: string) {
    const token = test.sandbox.tokens
      .list()
      .findLast((each) => each.accountId === accountId && each.status === 'good');
    if (token === undefined) throw new Error(`No app acts for ${accountId}.`);
    return token;
  }

  it('connect the store they choose, and no other', async () => {
    const nina = await connected('Nina', '510300');
    await nina.getByText('Wool & Wick, winter market is connected.').waitFor();
    expect(await storesOn(nina)).toEqual({ '510300': 'connected' });
    const panel = nina.locator('[data-account="510300"]');
    await panel.getByText('bank card, e-wallet, wallet app, bank application').waitFor();
    expect(await panel.getByText('Demo store').count()).toBe(0);

    await setOut(nina, 'Connect another store', 'nina');
    await grant(nina, 'test_wool_and_wick');
    expect(await storesOn(nina)).toEqual({ '510300': 'connected', test_wool_and_wick: 'connected' });
    const demo = nina.locator('[data-account="test_wool_and_wick"]');
    await demo.getByText('Demo store: no money moves').waitFor();
    await demo.getByText('bank card, e-wallet', { exact: true }).waitFor();
  });

  it('refuse access, read what that means, and have connected nothing', async () => {
    const vera = await signIn('Vera');
    await setOut(vera, 'Connect a store', 'vera');
    expect(await vera.getByTestId('permissions').locator('li').allTextContents()).toEqual([
      'payment creation',
      'refund creation',
      'reading payments',
      'reading refunds',
      "reading the store's settings",
    ]);
    await vera.getByTestId('refuse').click();
    await vera.getByText('You refused access, so nothing was connected.').waitFor();
    expect(await storesOn(vera)).toEqual({});
    expect(test.sandbox.tokens.list()).toEqual([]);
  });

  it('pay into two stores, each of which is notified only of its own payment and refund', async () => {
    const vera = await connected('Vera', 'test_crumb_and_crust');
    const oleg = await connected('Oleg', '510200');
    const honeyCake = await buy('Crumb & Crust', 'Honey cake');
    const mug = await buy('Blue Kiln', 'Blue mug');
    const veraIsNotified = () => notified(vera, 'Crumb & Crust');
    const olegIsNotified = () => notified(oleg, 'Blue Kiln');
    await eventually(veraIsNotified, ({ notifications }) => notifications.length === 1);

    // The double click of an impatient owner is one refund.
    await vera.getByRole('button', { name: 'Refund' }).click();
    await vera.getByText('Refund 1 490,50\u00a0₽ for Honey cake?').waitFor();
    await vera.getByRole('button', { name: 'Yes, refund' }).dblclick();
    await vera.getByText('The refund is made, or on its way').waitFor();
    const refunded = await eventually(
      veraIsNotified,
      ({ events, notifications }) => events.includes('refund.succeeded') && notifications.length === 2,
    );
    expect(refunded).toEqual({
      status: 'connected',
      sales: [honeyCake],
      notifications: ['notification payment.succeeded', 'notification refund.succeeded'],
      events: ['refund.succeeded', 'order.paid', 'store.connected'],
    });
    expect(await eventually(olegIsNotified, ({ notifications }) => notifications.length > 0)).toEqual({
      status: 'connected',
      sales: [mug],
      notifications: ['notification payment.succeeded'],
      events: ['order.paid', 'store.connected'],
    });
    expect(test.sandbox.refunds.list().map(({ amount }) => amount.value)).toEqual(['1490.50']);

    const [ofVera, ofOleg] = ['test_crumb_and_crust', '510200'].map((accountId) => ({
      notified: new Set(addressesNotified(accountId)),
      own: new Set(tokenOf(accountId).webhooks.map(({ url }) => url)),
    }));
    expect(ofVera?.own.size).toBe(1);
    expect(ofVera?.notified).toEqual(ofVera?.own);
    expect(ofOleg?.notified).toEqual(ofOleg?.own);
    expect(ofOleg?.own).not.toEqual(ofVera?.own);

    // Oleg cannot see Vera's store.
    await oleg.goto(vera.url());
    await oleg.getByText('There is nothing here').waitFor();
  });

  it('lose one store’s token and nothing else, and connect it again with nothing lost', async () => {
    const vera = await connected('Vera', 'test_crumb_and_crust');
    await connected('Oleg', '510200');
    const buyer = await choose('Crumb & Crust', 'Rye loaf');

    // The buyer pays after that, so nobody is notified.
    test.sandbox.tokens.revoke(tokenOf('test_crumb_and_crust').id);
    await pay(buyer);
    await saleBecomes(buyer, 'pending');
    const lost = await eventually(
      () => notified(vera, 'Crumb & Crust'),
      ({ events }) => events.includes('store.needs_reconnect'),
    );
    expect(lost).toMatchObject({ status: 'needs_reconnect', notifications: [] });
    await vera.getByText('The payment service no longer lets us act for this store').waitFor();
    await buyer.goto(`${test.platform.url}/shops/${vera.url().split('/').at(-1)}`);
    await buyer.getByText('This shop takes no payments at the moment.').waitFor();
    expect(await buyer.getByRole('button', { name: 'Buy' }).count()).toBe(0);
    await buy('Blue Kiln', 'Soup bowl');

    await setOut(vera, 'Connect again', 'vera');
    await grant(vera, 'test_crumb_and_crust');
    expect(await storesOn(vera)).toEqual({ test_crumb_and_crust: 'connected' });
    const found = await eventually(
      () => notified(vera, 'Crumb & Crust'),
      ({ events }) => events.includes('order.paid'),
    );
    expect(found.notifications).toEqual([]);
    await buy('Crumb & Crust', 'Honey cake');
    const charges = Object.values(test.sandbox.ledger.report().payments);
    expect(charges.map(({ charges: times, charged }) => [times, charged])).toEqual([
      [1, '320.00'],
      [1, '2300.00'],
      [1, '1490.50'],
    ]);
  });

  it('disconnect a store, which then takes no payments and shows those it had', async () => {
    const vera = await connected('Vera', 'test_crumb_and_crust');
    const loaf = await buy('Crumb & Crust', 'Rye loaf');
    await notified(vera, 'Crumb & Crust');
    await vera.getByRole('button', { name: 'Disconnect' }).click();
    await vera.getByText('The store is disconnected. We have given up our access.').waitFor();
    const left = await eventually(
      () => notified(vera, 'Crumb & Crust'),
      ({ events }) => events.includes('store.disconnected'),
    );
    expect(left).toMatchObject({ status: 'disconnected', sales: [loaf] });
    expect(await vera.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    expect(test.sandbox.tokens.list().map(({ status, webhooks }) => [status, webhooks])).toEqual([
      ['revoked', []],
    ]);
    await vera.goto(test.platform.url);
    await vera.getByText('No shop is open yet').waitFor();
  });
});
