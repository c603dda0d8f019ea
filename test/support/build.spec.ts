import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const build = new URL('build.js', import.meta.url);

describe('what the tests find compiled', () => {
  let root: string;
  beforeEach(async () => {
    // What tmpdir() names may be a link, as on macOS.
    root = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-build-spec-')));
    const config = { compilerOptions: { rootDir: '.', outDir: 'dist' }, include: ['src'] };
    await writeFile(join(root, 'tsconfig.build.json'), JSON.stringify(config));
    for (const folder of ['src', 'dist', 'dist/src']) await mkdir(join(root, folder));
    await writtenAt('src/main.ts', 1);
    await writtenAt('dist/src/main.js', 1);
  });
  afterEach(() => rm(root, { recursive: true }));

  async function writtenAt(name: string, second: number): Promise<void> {
    await writeFile(join(root, name), '');
    await utimes(join(root, name), second, second);
  }

  function complaint(): string {
    const program = `import { mustBeBuilt } from '${build.href}'; mustBeBuilt(process.argv[1])`;
    const node = spawnSync(process.execPath, ['--input-type=module', '-e', program, root], {
      encoding: 'utf8',
    });
    return /^Error: (.*)$/m.exec(node.stderr)?.[1] ?? node.stderr;
  }

  it('is used where it is as new as the sources', () => {
    expect(complaint()).toBe('');
  });

  it.each([
    ['older', 'src/main.ts'],
    ['missing', 'src/new.ts'],
  ])('is refused where it is %s, with what to do', async (_what, name) => {
    await writtenAt(name, 2);
    expect(complaint()).toBe(
      `dist is older than the sources (${name}): run npm run build first; npm test does so itself.`,
    );
  });
});
