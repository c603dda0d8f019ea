import { PaymentsService } from '@holdfast/payments';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { breakTable } from '../../support/broken-table.js';
import { buyWithCard, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { staffPassword, startShopWithReceipts, startTestShop, type TestShop } from '../../support/shop.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('the staff with a browser', () => {
  let test: TestShop;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      httpCredentials: { username: 'staff', password: staffPassword },
    });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await test.close();
  });

  async function open(start: typeof startTestShop | typeof startShopWithReceipts): Promise<void> {
    test = await start({ handlerAttempts: 1 });
    // These tests cause errors on purpose, and they are logged as errors.
    test.shop.app.useLogger(false);
  }

  const buy = (product: string, standing: string): Promise<void> =>
    buyWithCard(page, { url: test.shop.url, product, standing });

  const board = (path: string): string => `${test.shop.url}/staff/payments/${path}`;

  /** A page once it shows this. */
  async function shows(address: string, text: string): Promise<void> {
    const look = async (): Promise<string> => {
      await page.goto(address);
      return page.locator('main').innerText();
    };
    await eventually(look, (shown) => shown.includes(text));
  }

  it('reads what waits, and an order, on a phone, no word of which is broken', async () => {
    await open(startTestShop);
    await buy('Stoneware Teapot', 'held');
    const order = page.url().replace('/orders/', '/staff/orders/');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of [`${test.shop.url}/staff`, order]) {
      await page.goto(address);
      const broken = await page.evaluate(`[...document.querySelectorAll('main *')]
        .flatMap(({ childNodes }) => [...childNodes])
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .flatMap((text) => [...text.data.matchAll(/[\\p{L}]+/gu)].map(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return { word, lines: new Set([...range.getClientRects()].map(({ top }) => top)).size };
        }))
        .filter(({ word, lines }) => lines > 1 && word.length < 16)
        .map(({ word }) => word)`);
      expect(broken).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
  });

  it('is warned about a hold that nears its end, goes from the board to the order, ships it, and finds it off the list', async () => {
    await open(startTestShop);
    await buy('Stoneware Teapot', 'held');
    await shows(board('overview'), 'Nothing needs a person');
    await test.sandbox.clock.advance(6 * DAY_MS + HOUR_MS);
    await shows(board('overview'), '1 hold to decide about');

    await page.goto(board('holds'));
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('link', { name: 'in the shop' }).click();
    await page.getByRole('link', { name: '← Orders that wait' }).click();
    await page.getByRole('link', { name: /^Order / }).click();
    await page.getByRole('button', { name: 'Ship it' }).click();
    await page.getByRole('button', { name: 'Yes, charge and ship' }).click();
    await page.locator('#order-state[data-standing="shipped"]').waitFor();

    await shows(`${test.shop.url}/staff`, 'No order waits to be shipped or handed over.');
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.getByText('Nothing needs a person').waitFor();
    expect(page.url()).toBe(board('overview'));
  });

  it('hands over what was paid in advance, and sends its receipt again once it has failed', async () => {
    await open(startShopWithReceipts);
    await buy('Stoneware Cup', 'paid_in_advance');
    const reference = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const orderAtStaff = `${test.shop.url}/staff/orders/${reference}`;
    const [payment] = await test.shop.app.get(PaymentsService, { strict: false }).findByOrder(reference);
    const atBoard = board(`payments/${payment?.id}?t=money`);
    const registered = (times: number) =>
      eventually(
        async () => {
          await test.sandbox.clock.advance(MINUTE_MS);
          await page.goto(atBoard);
          return page.getByText('receipt succeeded').count();
        },
        (count) => count === times,
      );
    await registered(1);
    test.sandbox.receipts.next({ status: 'canceled' });
    await page.goto(orderAtStaff);
    await page.getByRole('button', { name: 'Handed over' }).click();
    await page.getByRole('button', { name: 'Handed over' }).waitFor({ state: 'detached' });
    await eventually(
      async () => {
        await test.sandbox.clock.advance(MINUTE_MS);
        await page.goto(board('receipts'));
        return page.getByRole('link', { name: 'Send again…' }).count();
      },
      (count) => count === 1,
    );
    await page.getByRole('link', { name: 'Send again…' }).click();
    await page.getByLabel('Reason').fill('The register works again');
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('The register works again').first().waitFor();
    await shows(board('overview'), 'Nothing needs a person');
    await registered(2);
    expect(test.sandbox.receipts.list().map(({ status }) => status)).toEqual([
      'succeeded',
      'canceled',
      'succeeded',
    ]);
  });

  it('has what was given up run again, and finds the books equal', async () => {
    await open(startTestShop);
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    await buy('Milk Oolong', 'delayed');
    await shows(board('overview'), '1 delivery given up');
    await table.fix();
    await page.getByRole('link', { name: 'Open Deliveries' }).click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await shows(board('overview'), 'Nothing needs a person');

    await page.goto(board('books'));
    await page.getByRole('button', { name: 'Compare' }).click();
    await shows(page.url(), 'Nothing differs');
    expect(page.url()).toContain(board('books/'));
  });
});
