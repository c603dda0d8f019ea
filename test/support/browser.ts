import chromium, { inflate } from '@sparticuz/chromium';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium as playwright, type Browser } from 'playwright-core';

/** A real browser: the Chromium from npm on Linux x64, elsewhere the installed Chrome. */
export async function openBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return playwright.launch({ channel: 'chrome' });
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // The package's own flags are for functions in the cloud: `--single-process` ends the browser with its first page.
    args: ['--no-zygote', '--disable-gpu'],
    env: { ...process.env, LD_LIBRARY_PATH: await bundledLibraries() },
  });
}

/** Chromium needs NSS, which a small Linux image lacks; the package contains it, but unpacks it on request only. */
async function bundledLibraries(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  return join(await inflate(join(dirname(entry), '../../bin/al2023.tar.br')), 'lib');
}
