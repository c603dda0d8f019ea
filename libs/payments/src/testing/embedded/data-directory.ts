import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { InstalledServer } from './installed-server.js';
import { runProgram } from './server-process.js';

const PASSWORD_FILE = 'holdfast-password';

/**
 * Creates the data directory if there is none and returns its password. It is made under another name and renamed when complete,
 * so a kill half-way leaves nothing that looks initialised, and of two starts at once one makes it and the other uses it.
 */
export async function initialiseOnce(
  installed: InstalledServer,
  dataDir: string,
  isDurable: boolean,
): Promise<string> {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    const draftDir = `${dataDir}.new-${randomBytes(4).toString('hex')}`;
    await mkdir(dirname(dataDir), { recursive: true });
    try {
      await initialise(installed, draftDir, isDurable);
      await rename(draftDir, dataDir);
    } catch (error) {
      await rm(draftDir, { recursive: true, force: true });
      if (!existsSync(join(dataDir, 'PG_VERSION'))) throw error;
    }
  }
  return (await readFile(join(dataDir, PASSWORD_FILE), 'utf8')).trim();
}

/**
 * The password passes through no file but the one that only its owner may read: `initdb` makes a superuser without one, whom nobody can log in
 * as, and the password is set while PostgreSQL serves nobody.
 */
async function initialise(installed: InstalledServer, draftDir: string, isDurable: boolean): Promise<void> {
  await mkdir(draftDir, { mode: 0o700 });
  if (installed.user) await chown(draftDir, installed.user.uid, installed.user.gid);
  await runProgram(installed, 'initdb', draftDir, (folder) => [
    `--pgdata=${folder}`,
    '--username=postgres',
    '--auth-local=reject',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  const password = randomBytes(18).toString('hex');
  const alone = (folder: string) => [
    '--single',
    ...(isDurable ? [] : ['-c', 'fsync=off']),
    '-D',
    folder,
    'postgres',
  ];
  await runProgram(installed, 'postgres', draftDir, alone, `ALTER ROLE postgres PASSWORD '${password}'\n`);
  await writeFile(join(draftDir, PASSWORD_FILE), `${password}\n`, { mode: 0o600 });
}

/**
 * PostgreSQL removes the lock file of a killed server by itself, unless its process id seems alive: it may belong to some other
 * program by now, as it often does after a container restart, or to a zombie that nobody reaps.
 */
export async function dropStalePidFile(dataDir: string): Promise<void> {
  const owner = await lockOwner(dataDir);
  if (owner !== null && owner.command !== '' && !owner.isServer)
    await rm(join(dataDir, 'postmaster.pid'), { force: true });
}

/** The process id in the lock file; `null` if there is no such file. */
async function lockOwner(dataDir: string): Promise<{ command: string; isServer: boolean } | null> {
  const pidFile = join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const pid = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]?.trim() ?? '';
  const [state, command] = await stateAndCommand(pid);
  return { command, isServer: !state.startsWith('Z') && command.includes('postgres') };
}

/** Two empty texts when there is no such process. */
async function stateAndCommand(pid: string): Promise<[state: string, command: string]> {
  try {
    if (process.platform === 'linux') {
      // Straight from the kernel, since small images have no `ps`.
      const [, command = '', state = ''] =
        /\((.*)\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return [state, command];
    }
    const { stdout } = await promisify(execFile)('ps', ['-p', pid, '-o', 'stat=,comm=']);
    const [state = '', ...command] = stdout.trim().split(/\s+/);
    return [state, command.join(' ')];
  } catch {
    return ['', ''];
  }
}
