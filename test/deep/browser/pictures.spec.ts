import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startFortnight, type Fortnight } from '../../pictures/fortnight.js';
import { alwaysTheSame, type Picture } from '../../pictures/pictures.js';
import { buyWithCard, openBrowser } from '../../support/browser.js';
import { workspace } from '../../support/packed.js';
import { startTestShop } from '../../support/shop.js';

/** `npm run pictures` writes the pictures of the documents; otherwise they go to a folder of the test's own. What is in them a person has to look at. */
const isTaking = process.env['PICTURES'] === 'take';

describe('the pictures of the documents', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = isTaking ? join(workspace, 'docs/images') : await mkdtemp(join(tmpdir(), 'holdfast-pictures-'));
  });
  afterAll(async () => {
    await browser.close();
    if (!isTaking) await rm(folder, { recursive: true });
  });

  const sizeIn = async (file: string) => (await readFile(file)).subarray(16, 24);

  /** Takes one; returns its name if it is not as wide and high as the one that the documents show. */
  async function take(page: Page, name: Picture): Promise<readonly Picture[]> {
    await page.evaluate(alwaysTheSame);
    const path = join(folder, name);
    await page.screenshot({ path });
    const shown = await sizeIn(join(workspace, 'docs/images', name));
    return shown.equals(await sizeIn(path)) ? [] : [name];
  }

  it('are taken of an order', async () => {
    const shop = await startTestShop({}, { startAt: new Date('2030-02-14T11:00:10Z') });
    const page = await browser.newPage({ viewport: { width: 1000, height: 860 } });
    await buyWithCard(page, { url: shop.shop.url, product: 'Stoneware Teapot', standing: 'held' });
    expect(await take(page, 'order.png')).toEqual([]);
    await page.close();
    await shop.close();
  });

  describe('of two weeks of a shop', () => {
    let fortnight: Fortnight;
    beforeAll(async () => {
      fortnight = await startFortnight();
    });
    afterAll(() => fortnight.board.close());

    let minutes = 120;
    async function show(
      address: string,
      name: Picture,
      options: BrowserContextOptions,
      /** What a person does there before. */
      before: (page: Page) => Promise<void> = async () => {},
    ): Promise<readonly Picture[]> {
      // However long the one before has taken; half a minute past, so that no age is about to change.
      await fortnight.at((minutes += 1) + 0.5);
      const context = await browser.newContext({ extraHTTPHeaders: { 'x-staff': 'anna' }, ...options });
      const page = await context.newPage();
      // Nothing is renewed while the picture is taken.
      await page.route('**/sandbox/changes', (route) => route.abort());
      await page.goto(address);
      await before(page);
      const others = await take(page, name);
      await context.close();
      return others;
    }
    const board = (path: string) => `${fortnight.board.host.url}/admin/payments/${path}`;

    it('are taken of the board', async () => {
      const viewport = { width: 1240, height: 940 };
      const others = [
        await show(board('overview'), 'board-overview.png', { viewport }),
        await show(board('overview'), 'board-overview-dark.png', { viewport, colorScheme: 'dark' }),
        await show(board(`payments/${fortnight.refunded}`), 'board-payment.png', {
          // As far as it is the same each time: when a receipt is asked about is up to chance.
          viewport: { ...viewport, height: 770 },
        }),
        await show(
          board(`payments/${fortnight.refunded}/refund`),
          'board-refund.png',
          { viewport: { ...viewport, height: 560 } },
          async (page) => {
            await page.getByRole('textbox', { name: 'Amount' }).fill('420');
            await page.getByLabel('Reason').fill('One tin arrived damaged, the buyer keeps the rest');
            await page.getByRole('button', { name: 'Next' }).click();
            await page.getByRole('button', { name: 'Refund 420,00' }).waitFor();
          },
        ),
      ];
      expect(others.flat()).toEqual([]);
    });

    it('are taken of the sandbox', async () => {
      const { faults, url } = fortnight.board.sandbox;
      faults.order({ on: 'refund', fault: 'reset_after_commit' });
      expect(
        await show(`${url}/sandbox/pages/payments`, 'sandbox.png', {
          viewport: { width: 1240, height: 940 },
        }),
      ).toEqual([]);
    });
  });
});
