import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pictures } from '../pictures/pictures.js';
import { workspace } from '../support/packed.js';

const pages = [
  'README.md',
  'README.ru.md',
  ...(await readdir(join(workspace, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name)),
];

/** Each picture that a page shows: its path in the repository, and what is said of it to whoever does not see it. */
async function shownOn(page: string): Promise<readonly { readonly path: string; readonly words: string }[]> {
  const text = await readFile(join(workspace, page), 'utf8');
  return [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = '', link = '']) => ({
    path: posix.join(posix.dirname(page), link),
    words,
  }));
}

describe('the pictures of the documents', () => {
  it('are each taken by npm run pictures, and shown on a page', async () => {
    const taken = pictures.map((name) => `docs/images/${name}`).toSorted();
    const shown = (await Promise.all(pages.map(shownOn))).flat();
    expect([...new Set(shown.map(({ path }) => path))].toSorted()).toEqual(taken);
    const kept = await readdir(join(workspace, 'docs/images'));
    expect(kept.map((name) => `docs/images/${name}`).toSorted()).toEqual(taken);
  });

  it('are told in words', async () => {
    const words = (await Promise.all(pages.map(shownOn))).flat().map((picture) => picture.words);
    expect(words.filter((text) => text.length < 30)).toEqual([]);
  });
});
