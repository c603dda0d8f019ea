import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Browser, Page } from 'playwright-core';

import { basicOf, order, post, realShop } from '../../sandbox/support.js';
import { openBrowser } from '../../support/browser.js';
import { complaintsOf } from '../../support/complaints.js';
import { startShopWithReceipts, type TestShop } from '../../support/shop.js';

describe('a page that waits', () => {
  let test: TestShop;
  let browser: Browser;
  beforeAll(async () => {
    [test, browser] = await Promise.all([startShopWithReceipts(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
  });

  async function orderBySberPay(page: Page): Promise<string> {
    await page.goto(`${test.shop.url}/products/milk-oolong/checkout`);
    await page.getByLabel('Name').fill('Anna Orlova');
    await page.getByLabel('E-mail').fill('anna@example.com');
    await page.getByLabel('Pay by').selectOption('bank_app_pay');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.locator('#qr-code').waitFor();
    return test.sandbox.payments.list()[0]?.id ?? '';
  }

  it('is loaded again once it has changed, and not before', async () => {
    const page = await browser.newPage();
    const id = await orderBySberPay(page);
    const { pathname } = new URL(page.url());
    const looks: boolean[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === pathname) looks.push(request.isNavigationRequest());
    });
    await page.waitForRequest((request) => new URL(request.url()).pathname === pathname);
    // A busy machine may have seen more than one look by now.
    expect(new Set(looks)).toEqual(new Set([false]));
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    await page.locator('#order-state[data-standing="paid"]').waitFor();
    await page.close();
  });

  it('is loaded again less and less often where scripts do not run', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await orderBySberPay(page);
    const { href } = new URL(page.url());
    // Not of the page in the browser, which may have gone on by now.
    const next = async (looks: string) =>
      /<meta http-equiv="refresh" content="([^"]+)"/.exec(
        await (await page.request.get(`${href.split('?')[0]}${looks}`)).text(),
      )?.[1];
    expect(await next('')).toBe('3;url=?looks=1');
    await page.waitForURL('**?looks=*');
    expect(await next('?looks=1')).toBe('5;url=?looks=2');
    await context.close();
  });
});

describe('the sandbox’s page with a code', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  beforeAll(async () => {
    const profile = 'yookassa';
    [sandbox, browser] = await Promise.all([startSandbox({ ...realShop, profile }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  it.each([true, false])('leads on once the phone has paid, with scripts: %s', async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const { body } = await post(
      sandbox,
      '/v3/payments',
      `waiting-${javaScriptEnabled}`,
      order({
        payment_method_data: { type: 'sberbank' },
        confirmation: { type: 'redirect', return_url: `${sandbox.url}/checkout/back` },
      }),
      basicOf(realShop),
    );
    const id = String(body['id']);
    await page.goto(`${sandbox.url}/checkout/${id}/sberpay?phone=79001234567`);
    await page.getByTestId('pushed').waitFor();
    const refreshes = page.locator('meta[http-equiv=refresh][content*=";url=?pushed=yes&looks="]');
    expect(await refreshes.count()).toBe(javaScriptEnabled ? 0 : 1);
    // A look that finds nothing new.
    if (javaScriptEnabled) await page.waitForResponse((answer) => !answer.request().isNavigationRequest());
    sandbox.payments.pay(id, { outcome: 'succeed' });
    await page.waitForURL('**/checkout/back');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
