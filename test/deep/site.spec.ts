import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
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
  });
});
