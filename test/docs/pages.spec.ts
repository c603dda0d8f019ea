import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { guideLineInVitest, guideSpecs } from '../../tools/package/trial.js';
import { workspace } from '../support/packed.js';
import { titlesOf } from '../support/test-titles.js';

const folder = 'docs/decisions';
const index = join(folder, 'README.md');
const topics = (await readdir(join(workspace, folder)))
  .filter((name) => name !== 'README.md')
  .map((name) => join(folder, name));
const pages = [
  ...(await readdir(workspace)),
  ...(await readdir(join(workspace, 'docs'), { recursive: true })).map((name) => join('docs', name)),
  'libs/payments/README.md',
  'libs/board/README.md',
  'libs/sandbox/README.md',
].filter((path) => path.endsWith('.md'));
const textOf = (path: string) => readFile(join(workspace, path), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match);

/** The headings of a topic, each with what stands below it. */
async function decisionsOf(path: string): Promise<{ title: string; body: string }[]> {
  const [, ...sections] = (await textOf(path)).split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title, body: lines.join('\n') };
  });
}

/** Files and folders that a page names; a test may be named without its ending. */
const namedIn = async (path: string) =>
  matches(await textOf(path), /`([\w.*/-]+)`/g).filter((name) => /\/|\.ts$/.test(name));
const isThere = (name: string, ...roots: string[]) =>
  roots.some((root) => ['', '.spec.ts'].some((ending) => existsSync(join(workspace, root, name + ending))));

describe.each(['ARCHITECTURE.md', index, ...topics])('%s', (path) => {
  it('names no file or folder that is not there', async () => {
    const named = await namedIn(path);
    expect(named.filter((name) => !isThere(name, '', 'libs/payments/src'))).toEqual([]);
  });
});

describe.each(pages)('%s', (path) => {
  it('names nothing of this repository that is not there', async () => {
    const named = (await namedIn(path)).filter((name) =>
      /^(docs|examples|libs|test|tools)\/(?!\.)/.test(name),
    );
    expect(named.filter((name) => !isThere(name, ''))).toEqual([]);
  });

  it('links to nothing that is not there', async () => {
    const missing = [];
    for (const link of matches(await textOf(path), /\]\((?!https?:)([^)]+)\)/g)) {
      const [name = '', anchor] = link.split('#');
      const target = name === '' ? path : join(dirname(path), name);
      const anchors = async () => matches(await textOf(target), /^#+ (.+)$/gm).map(anchorOf);
      if (!existsSync(join(workspace, target)) || (anchor && !(await anchors()).includes(anchor)))
        missing.push(link);
    }
    expect(missing).toEqual([]);
  });
});

describe.each(topics)('each decision of %s', (path) => {
  it('says what it is about, what was decided, where it stands and which test proves it', async () => {
    for (const { title, body } of await decisionsOf(path))
      expect([title, ...matches(body, /^- (\w+): /gm)]).toEqual([
        title,
        'Context',
        'Decision',
        'Where',
        'Proof',
      ]);
  });

  it('is proven by tests that are there', async () => {
    const missing = [];
    for (const { title, body } of await decisionsOf(path)) {
      const [, proof = ''] = body.replaceAll(/\s+/g, ' ').split('- Proof: ');
      const tests = [...proof.matchAll(/`([^`]+\.spec\.ts)`: "([^"]+)"/g)];
      if (tests.length === 0) missing.push(`${title}: any test`);
      for (const [, file = '', test = ''] of tests)
        if (!titlesOf(file).has(test)) missing.push(`${title}: ${file}: ${test}`);
    }
    expect(missing).toEqual([]);
  });

  it('stands in the index, and its page in ARCHITECTURE.md', async () => {
    const listed = await textOf(index);
    expect(await textOf('ARCHITECTURE.md')).toContain(`(${path})`);
    for (const { title } of await decisionsOf(path))
      expect(listed).toContain(`[${title}](${path.slice(folder.length + 1)}#${anchorOf(title)})`);
  });
});

/** As the pages of a repository make them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

describe('docs/testing.md', () => {
  it('shows the tests that are run here, and in hosts as their scaffolds make them', async () => {
    const page = await textOf('docs/testing.md');
    for (const name of guideSpecs) expect(page).toContain(await textOf(join('test/testing', name)));
    expect(page).toContain(guideLineInVitest);
  });
});
