import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buyWithCard, openBrowser } from '../../support/browser.js';
import { workspace } from '../../support/packed.js';
import { startTestShop, type TestShop } from '../../support/shop.js';

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

  it('are taken of an order', async () => {
    const context = await browser.newContext({ viewport: { width: 1000, height: 860 } });
    const page = await context.newPage();
    await buyWithCard(page, { url: test.shop.url, product: 'Stoneware Teapot', standing: 'held' });
    const order = await take(page, 'order.png');
    await context.close();
    expect(order.taken).toEqual(order.shown);
  });
});
