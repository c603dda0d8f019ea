import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { renewalScript } from '../../libs/board/src/live/renewal.text.js';
import { widgetScript } from '../../libs/sandbox/src/widget/widget.text.js';
import { workspace } from '../support/packed.js';

const textOf = (path: string) => readFile(join(workspace, path), 'utf8');

/** Of what is kept here, and not made by a build. */
async function sourcesBelow(...folders: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(workspace, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return listed
    .flat()
    .filter((path) => /(?<!\.text|\.d)\.(tsx?|js)$/.test(path) && !path.includes('node_modules'));
}

async function thoseWith(pattern: RegExp, paths: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
  return texts.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []));
}

describe('a script for browsers', () => {
  it('is a file of its own, with types, and no text among the sources of a server', async () => {
    const sources = await sourcesBelow('libs/board/src', 'libs/sandbox/src', 'src');
    const servers = sources.filter((path) => !path.startsWith('src/browser/'));
    expect(servers.length).toBeGreaterThan(300);
    expect(await thoseWith(/document\.(getElementById|querySelector|addEventListener)/, servers)).toEqual([]);
  });

  it('of the board has idiomorph as that package publishes it, and no copy is kept here', async () => {
    const published = await textOf('node_modules/idiomorph/dist/idiomorph.min.js');
    expect(renewalScript).toContain(published);
    const { devDependencies }: { devDependencies: object } = JSON.parse(
      await textOf('libs/board/package.json'),
    );
    expect(devDependencies).toHaveProperty('idiomorph');
    const kept = await sourcesBelow('libs', 'src', 'examples', 'tools');
    expect(await thoseWith(/Idiomorph ?= ?function/, kept)).toEqual([]);
  });

  it('is sent without its types, and leaves nothing behind but what it means to', () => {
    for (const script of [renewalScript, widgetScript]) {
      expect(script).toMatch(/^\(\(\) => \{\n'use strict';\n/);
      expect(() => new Script(script)).not.toThrow();
    }
  });
});
