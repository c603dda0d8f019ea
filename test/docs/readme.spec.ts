import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from '../support/packed.js';
import { blockOf, commandsOf } from '../support/page-blocks.js';

const textOf = (path: string) => readFile(join(workspace, path), 'utf8');
const blocksIn = (page: string) => page.match(/^```\w*\n[\s\S]+?^```$/gm);
/** Where a page leads, but for the page in the other language. */
const linksIn = (page: string) =>
  [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link).filter((link) => !link?.startsWith('README'));
const guaranteesIn = (page: string, row: RegExp) => [...page.matchAll(row)].map(([, name]) => name);

describe('the README', () => {
  it('has two commands first, each on a line of its own, for a fresh checkout: the shop, and the tests', async () => {
    const [opening = ''] = (await textOf('README.md')).split('\n## ');
    expect(blocksIn(opening)).toEqual(['```sh\nnpm ci && npm start\nnpm ci && npm test\n```']);
    // Before the first picture.
    expect(opening.indexOf('```sh')).toBeLessThan(opening.indexOf('!['));
  });

  it('goes on with a program of at most 25 lines and two commands', async () => {
    expect((await blockOf('README.md', 'A first program', 'js')).trim().split('\n').length).toBeLessThan(26);
    expect(await commandsOf('README.md', 'A first program')).toHaveLength(2);
  });

  it.each(['README.md', 'README.ru.md'])(
    'has each guarantee, in the order of ARCHITECTURE.md: %s',
    async (path) => {
      const all = guaranteesIn(await textOf('ARCHITECTURE.md'), /^- \*\*(G\d+)\*\* /gm);
      expect(guaranteesIn(await textOf(path), /^\| (G\d+) \|/gm)).toEqual(all);
      expect(all).not.toEqual([]);
    },
  );

  it('has the same code in Russian, and the same links in the same order', async () => {
    const [english, russian] = await Promise.all([textOf('README.md'), textOf('README.ru.md')]);
    expect(blocksIn(english)).toHaveLength(5);
    expect(blocksIn(russian)).toEqual(blocksIn(english));
    expect(linksIn(russian)).toEqual(linksIn(english));
  });
});
