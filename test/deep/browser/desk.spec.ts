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

  /** The desk once it shows this. */
  async function deskShows(text: string): Promise<void> {
    const desk = async (): Promise<string> => {
      await page.goto(`${test.shop.url}/staff`);
      return page.locator('main').innerText();
    };
    await eventually(desk, (shown) => shown.includes(text));
  }

  const section = (name: string) => page.getByRole('region', { name });

  it('reads the desk and an order on a phone, no word of which is broken', async () => {
    await open(startTestShop);
    await buy('Stoneware Teapot', 'held');
    const order = page.url().replace('/orders/', '/staff/orders/');
    await test.sandbox.clock.advance(6 * DAY_MS + HOUR_MS);
    await deskShows('1 hold to decide about.');
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

  it('is warned about a hold that nears its end, ships the order and puts the note aside', async () => {
    await open(startTestShop);
    await buy('Stoneware Teapot', 'held');
    await deskShows('All is well');
    await page.getByText('The staff decide; they are reminded on').waitFor();
    await section('Holds').getByText('6\u00a0900,00\u00a0₽').waitFor();

    await test.sandbox.clock.advance(6 * DAY_MS + HOUR_MS);
    await deskShows('1 note, 1 hold to decide about.');
    const note = section('Notes').getByRole('listitem');
    expect(await note.innerText()).toMatch(
      /^The hold of 6\s900,00\s₽ ends on .* UTC\. Ship the order before that, or cancel it\./,
    );

    await note.getByRole('link', { name: /^Order / }).click();
    await page.locator('.staff [data-note="hold.expiring"]').waitFor();
    await page.getByRole('button', { name: 'Ship it' }).click();
    await page.getByRole('button', { name: 'Yes, charge and ship' }).click();
    await page.locator('#order-state[data-standing="shipped"]').waitFor();

    await deskShows('No order is on hold.');
    await section('Notes').getByRole('button', { name: 'Done' }).click();
    await section('Notes').getByText('Nothing to look at.').waitFor();
    await deskShows('All is well');
  });

  it('hands over what was paid in advance, and sends its receipt again once it has failed', async () => {
    await open(startShopWithReceipts);
    await buy('Stoneware Cup', 'paid_in_advance');
    const reference = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const orderAtStaff = `${test.shop.url}/staff/orders/${reference}`;
    const orderShows = (text: string, times: number) =>
      eventually(
        async () => {
          await test.sandbox.clock.advance(MINUTE_MS);
          await page.goto(orderAtStaff);
          return page.getByText(text).count();
        },
        (count) => count === times,
      );
    await orderShows('Receipt registered', 1);
    test.sandbox.receipts.next({ status: 'canceled' });
    await page.getByRole('button', { name: 'Handed over' }).click();
    await page.getByRole('button', { name: 'Handed over' }).waitFor({ state: 'detached' });
    await orderShows('Receipt failed', 1);

    await deskShows('1 receipt that failed, is late or is missing.');
    const row = section('Receipts').getByRole('listitem');
    await row.getByText('The receipt of a hand-over failed. Send it again.').waitFor();
    await row.getByLabel('Your name').fill('Olga');
    await row.getByLabel('What was done, or why it goes through now').fill('The register works again');
    await row.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is being sent again.').waitFor();
    await deskShows('All is well');
    await orderShows('Receipt registered', 2);
    expect(await page.getByText('Receipt sent again by Olga: The register works again').count()).toBe(1);
  });

  it('has what was given up run again, and finds the books equal', async () => {
    await open(startTestShop);
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    await buy('Milk Oolong', 'delayed');
    await deskShows('1 delivery given up.');
    const parked = section('Deliveries given up').getByRole('listitem');
    await parked.getByText('shop.mark-paid').waitFor();

    await table.fix();
    await parked.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('It runs again now.').waitFor();
    await deskShows('Every event has reached the shop.');
    await deskShows('All is well');

    await page.getByRole('button', { name: 'Compare the last day’s books' }).click();
    expect(await page.locator('#books-state').innerText()).toBe('The books agree');
  });
});
