import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.js';
import { workspace } from '../../support/packed.js';
import { staffPassword, startTestShop, type TestShop } from '../../support/shop.js';

/** `PICTURES=take` writes the pictures of the documents; otherwise they go to a folder of the test's own. */
const isTaking = process.env['PICTURES'] === 'take';

describe('the pictures of the documents', () => {
  let test: TestShop;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await openBrowser();
    test = await startTestShop();
    folder = isTaking ? join(workspace, 'docs/images') : await mkdtemp(join(tmpdir(), 'holdfast-pictures-'));
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
    if (!isTaking) await rm(folder, { recursive: true });
  });

  /** Takes one; returns its width and height, and those of the one that the documents show. What is in it a person has to look at. */
  async function take(page: Page, name: string): Promise<{ taken: Buffer; shown: Buffer }> {
    const path = join(folder, name);
    await page.screenshot({ path });
    const sizeIn = async (file: string) => (await readFile(file)).subarray(16, 24);
    return { taken: await sizeIn(path), shown: await sizeIn(join(workspace, 'docs/images', name)) };
  }

  it('are taken of an order and of the desk', async () => {
    const context = await browser.newContext({
      viewport: { width: 1000, height: 860 },
      httpCredentials: { username: 'staff', password: staffPassword },
    });
    const page = await context.newPage();
    await page.goto(test.shop.url);
    await page.getByRole('link', { name: 'Stoneware Teapot' }).click();
    await page.getByRole('link', { name: /^(Buy|Reserve)$/ }).click();
    await page.getByLabel('Name').fill('Anna Orlova');
    await page.getByLabel('E-mail').fill('anna@example.com');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.locator('#number').fill('5555555555554444');
    await page.locator('#expiry').fill('12/39');
    await page.locator('#csc').fill('123');
    await page.locator('#pay').click();
    await page.locator('#order-state[data-standing="held"]').waitFor();
    const order = await take(page, 'order.png');
    await page.goto(`${test.shop.url}/staff`);
    const desk = await take(page, 'desk.png');
    await context.close();
    expect(order.taken).toEqual(order.shown);
    expect(desk.taken).toEqual(desk.shown);
  });
});
