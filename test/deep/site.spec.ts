import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { listen } from '../support/listen.js';
import { runIn, workspace } from '../support/packed.js';

describe('the documentation site', () => {
  let site: string;
  let files: string[];

  beforeAll(async () => {
    site = await mkdtemp(join(tmpdir(), 'holdfast-site-'));
    await runIn(workspace, 'npx', ['vitepress', 'build', 'site', '--outDir', site]);
    files = await readdir(site, { recursive: true });
  });
  afterAll(() => rm(site, { recursive: true }));

  const textOf = (path: string) => readFile(join(site, path), 'utf8');
  const matches = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, match = '']) => match);

  /** The file that a link of a page leads to, and the place in it. */
  function targetOf(link: string, page: string): { path: string; anchor: string | undefined } {
    const [name = '', anchor] = decodeURI(link).split('#');
    const path = name.startsWith('/') ? name.slice(1) : posix.join(posix.dirname(page), name);
    const shown = name === '' ? page : path.replace(/^$|\/$/, '$&index.html');
    return { path: existsSync(join(site, shown)) ? shown : `${shown}.html`, anchor };
  }

  it('has no link that leads nowhere', async () => {
    const pages = files.filter((name) => name.endsWith('.html'));
    expect(pages).toContain('at-night.html');
    const places = new Map<string, readonly string[]>();
    for (const page of pages) places.set(page, matches(await textOf(page), / id="([^"]+)"/g));
    const missing = [];
    for (const page of pages) {
      for (const link of matches(await textOf(page), /(?:href|src)="(?!\w+:|\/\/)([^"]+)"/g)) {
        const { path, anchor } = targetOf(link, page);
        if (!files.includes(path) || (anchor && places.get(path)?.includes(anchor) === false))
          missing.push(`${page}: ${link}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('has each page as Markdown too, and llms.txt lists them', async () => {
    const shown = files.filter((name) => name.endsWith('.html') && name !== '404.html');
    expect(shown.map((name) => name.replace(/html$/, 'md')).filter((name) => !files.includes(name))).toEqual(
      [],
    );
    const missing = [];
    for (const page of files.filter((name) => name.endsWith('.md'))) {
      for (const link of matches(await textOf(page), /\]\(\/([^)#]+)/g))
        if (!files.includes(link)) missing.push(`${page}: ${link}`);
    }
    expect(missing).toEqual([]);
    const listed = matches(await textOf('llms.txt'), /\]\(\/([^)]+)\)/g);
    expect(listed).toContain('at-night.md');
    expect(listed.filter((name) => !files.includes(name))).toEqual([]);
  });

  it('has an index of its own to search, with the words of the pages', async () => {
    const [index = ''] = files.filter((name) => /@localSearchIndexroot\.[\w-]+\.js$/.test(name));
    expect(await textOf(index)).toContain('trustedproxies');
    // Of createResendMs: a word that no page has by itself.
    expect(await textOf(index)).toMatch(/\bresend\b/);
  });

  describe('on its Russian page', () => {
    /** Names, keys, and the one text that the theme, for screen readers, lets nobody translate. */
    const stays = /^([A-Z]+\.md|Holdfast|Ctrl|K|esc|Pager)$/;
    const isRussian = (text: string) => /\p{Script=Cyrillic}/u.test(text) || stays.test(text);
    const wordsIn = (text: string) => text.split('\n').filter((line) => /\p{L}{2}/u.test(line));
    const types: Record<string, string> = {
      '.html': 'text/html',
      '.js': 'text/javascript',
      '.css': 'text/css',
    };
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      const path = pathname.replace(/\/$/, '/index.html');
      readFile(join(site, path)).then(
        (bytes) => response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain').end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await openBrowser();
      page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.goto(`http://127.0.0.1:${await listen(server)}/ru/`);
    });
    afterAll(async () => {
      await browser.close();
      await new Promise((closed) => server.close(closed));
    });

    it('has a menu in Russian, which marks every page that is in English', async () => {
      const links = await page.locator('.VPSidebarItem a').all();
      expect(links.length).toBeGreaterThan(25);
      const wrong = [];
      for (const link of links) {
        const [text = '', mark] = (await link.innerText()).split(/\s+(?=EN$)/);
        const { path } = targetOf((await link.getAttribute('href')) ?? '', 'ru/index.html');
        const isEnglish = (await textOf(path)).includes('<html lang="en"');
        if (!isRussian(text) || isEnglish !== (mark === 'EN')) wrong.push(`${text} (${mark}): ${path}`);
      }
      expect(wrong).toEqual([]);
      for (const group of await page.locator('.VPSidebarItem h2').allInnerTexts())
        expect(group).toMatch(/\p{Script=Cyrillic}/u);
    });

    it('has everything around the text in Russian too', async () => {
      expect(await page.locator('html').getAttribute('lang')).toBe('ru');
      const shown = await page.locator('header, .VPLocalNav, .VPDocAside, .VPDocFooter').allInnerTexts();
      const lines = shown.flatMap(wordsIn);
      expect(lines).toEqual(expect.arrayContaining(['Поиск', 'На этой странице', 'Следующая страница']));
      expect(lines.filter((line) => !isRussian(line))).toEqual([]);
      const titles = await page
        .locator('[title]')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('title')));
      expect(titles.filter((title) => !isRussian(title ?? ''))).toEqual([]);
      expect(await page.locator('.header-anchor').first().getAttribute('aria-label')).toMatch(
        /^Ссылка на раздел/,
      );
    });

    it('finds what the English pages say, and says so in Russian', async () => {
      await page.locator('.DocSearch-Button').click();
      const box = page.locator('.VPLocalSearchBox');
      await box.getByPlaceholder('Поиск').fill('trustedProxies');
      await box.locator('.result[href*="going-live"]').first().waitFor();
      await box.getByPlaceholder('Поиск').fill('resend');
      await box.locator('.result[href*="options"]').first().waitFor();
      await box.getByPlaceholder('Поиск').fill('обработчик');
      await box.locator('.result[href*="/ru/"]').first().waitFor();
      await box.getByPlaceholder('Поиск').fill('ыыыы');
      await box.getByText('Ничего не найдено').waitFor();
      expect(wordsIn(await box.innerText()).filter((line) => !isRussian(line))).toEqual([]);
    });

    it('leads to the English pages and back', async () => {
      await page.keyboard.press('Escape');
      const languages = page.locator('.VPNavBarTranslations');
      await languages.hover();
      await languages.getByRole('link', { name: 'English' }).click();
      await page.locator('html[lang="en"]').waitFor();
      await languages.hover();
      await languages.getByRole('link', { name: 'Русский' }).click();
      await page.locator('html[lang="ru"]').waitFor();
      expect(new URL(page.url()).pathname).toBe('/ru/');
    });
  });
});
