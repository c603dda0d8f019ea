import { execFileSync, spawnSync } from 'node:child_process';

const NAME = 'postgres';

/** What root's process may have inherited, and no server gets. */
const NO_CAPABILITIES = ['--securebits=-no_setuid_fixup', '--inh-caps=-all', '--ambient-caps=-all'];

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`, which is created if it is missing. Any other user runs it directly. */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  if (spawnSync('id', [NAME], { stdio: 'ignore' }).status !== 0) {
    // The group may be left from a try that failed.
    spawnSync('groupadd', [NAME], { stdio: 'ignore' });
    execFileSync('useradd', ['-g', NAME, NAME], { stdio: 'ignore' });
  }
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, NAME], { encoding: 'utf8' }));
}

/** A program as that user runs it, with none of root's rights. */
export function asServerUser(
  user: ServerUser | null,
  executable: string,
  args: readonly string[],
): { command: string; args: string[]; ids: Partial<ServerUser> } {
  if (!user) return { command: executable, args: [...args], ids: {} };
  if (spawnSync('setpriv', [...NO_CAPABILITIES, 'true'], { stdio: 'ignore' }).status !== 0)
    return { command: executable, args: [...args], ids: user };
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { command: 'setpriv', args: [...identity, ...NO_CAPABILITIES, executable, ...args], ids: {} };
}

/** Whether that user may enter a folder, or run a file, including the way to it. */
export function mayEnter(user: ServerUser, path: string): boolean {
  const { command, args, ids } = asServerUser(user, '/bin/sh', ['-c', 'test -x "$0"', path]);
  return spawnSync(command, args, { ...ids, stdio: 'ignore' }).status === 0;
}
