import { join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
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
