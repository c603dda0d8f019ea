import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment } from '../../tools/package/run.js';
import { runIn } from '../support/packed.js';
import { WorkspaceCopy } from './workspace-copy.js';

describe('the next version', () => {
  let copy: WorkspaceCopy;
  let before: readonly number[];

  beforeEach(async () => {
    copy = await WorkspaceCopy.make();
    before = (await copy.manifest('payments')).version.split('.').map(Number);
  });
  afterEach(() => copy.remove());

  it('is one for all packages, wherever it is named', async () => {
    for (const step of ['patch', 'minor'])
      await writeFile(
        join(copy.folder, '.changeset', `${step}.md`),
        `---\n'@holdfast/sandbox': ${step}\n---\n\nA change.\n`,
      );
    await runIn(copy.folder, 'npm', ['run', '--silent', 'release:version'], environment());

    const [major, minor = 0] = before;
    const version = [major, minor + 1, 0].join('.');
    const used = { '@holdfast/payments': version, '@holdfast/sandbox': version };
    expect(await copy.manifest('root')).toMatchObject({
      version,
      dependencies: { ...used, '@holdfast/board': version },
    });
    expect(await copy.manifest('board')).toMatchObject({
      version,
      peerDependencies: { '@holdfast/payments': version },
    });
    expect(await copy.manifest('examples')).toMatchObject({ version, dependencies: used });
    expect(await copy.manifest('sandbox')).toMatchObject({ version });
    expect(await copy.manifest('payments')).toMatchObject({
      version,
      peerDependencies: { '@holdfast/sandbox': version },
    });
    // The notes are used up, and the changelog is nobody's but its author's.
    expect(await readdir(join(copy.folder, '.changeset'))).toEqual(['config.json']);
    expect(await readdir(join(copy.folder, 'libs/payments'))).toEqual(['package.json']);
  });
});
