import { join } from 'node:path';
import { chromium, type Browser, type LaunchOptions, type Page } from 'playwright-core';
import { closing } from './still-running.js';

/** A real browser: the Chromium from npm where test/support/global-setup.js has unpacked it, elsewhere the installed Chrome. */
export async function openBrowser(): Promise<Browser> {
  const folder = process.env['TEST_CHROMIUM'];
  const browser = await chromium.launch(folder === undefined ? { channel: 'chrome' } : unpackedIn(folder));
  closing(() => browser.close());
  return browser;
}

const unpackedIn = (folder: string): LaunchOptions => ({
  executablePath: join(folder, 'chromium'),
  // The package's own flags are for functions in the cloud: `--single-process` ends the browser with its first page.
  args: ['--no-zygote', '--disable-gpu'],
  env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
});

interface Purchase {
  /** Of the shop. */
  readonly url: string;
  readonly product: string;
  /** Of the order, once it is paid or held. */
  readonly standing: string;
}

/** Buys as a buyer would, and stays on the order's page. */
export async function buyWithCard(page: Page, { url, product, standing }: Purchase): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: product }).click();
  await page.getByRole('link', { name: /^(Buy|Reserve)$/ }).click();
  await page.getByLabel('Name').fill('Anna Orlova');
  await page.getByLabel('E-mail').fill('anna@example.com');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.locator('#number').fill('5555555555554444');
  await page.locator('#expiry').fill('12/39');
  await page.locator('#csc').fill('123');
  await page.locator('#pay').click();
  await page.locator(`#order-state[data-standing="${standing}"]`).waitFor();
}
