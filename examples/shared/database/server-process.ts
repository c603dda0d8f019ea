import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { asServerUser, mayEnter, reachableServer, serverUser } from './server-user.js';

/** Starts the server on an initialised data folder; resolves when it accepts connections, rejects if it ends instead. */
export async function startServer(
  dataDir: string,
  flags: readonly string[],
  onLog: (message: unknown) => void,
): Promise<ChildProcess> {
  const server = await spawnServer(dataDir, (folder) => ['-D', folder, ...flags], 'pipe');
  server.stdin?.end();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).once('exit', () => reject(new Error('')));
    server.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString('utf8');
      onLog(text);
      // A standby accepts read-only ones.
      if (/database system is ready to accept (?:read-only )?connections/.test(text)) resolve();
    });
  });
  return server;
}

/** Runs statements on a data folder that no server serves: PostgreSQL alone reads them, and nobody can connect. */
export async function runAlone(dataDir: string, sql: string): Promise<void> {
  const alone = await spawnServer(dataDir, (folder) => ['--single', '-D', folder, 'postgres'], 'ignore');
  const ended = once(alone, 'close');
  alone.stdin?.end(sql);
  const [code]: unknown[] = await ended;
  if (code !== 0)
    throw new Error(`PostgreSQL could not run a statement in ${dataDir} (exit code ${String(code)}).`);
}

/** As the user that it runs as, in its folder: that user may not be able to enter it by its path. */
async function spawnServer(
  dataDir: string,
  argsIn: (folder: string) => string[],
  stderr: 'pipe' | 'ignore',
): Promise<ChildProcess> {
  const user = serverUser();
  const executable = await reachableServer(user);
  const folder = user && !mayEnter(user, dataDir) ? '/proc/self/cwd' : dataDir;
  const { command, args, ids } = asServerUser(user, executable, argsIn(folder));
  return spawn(command, args, {
    ...ids,
    cwd: dataDir,
    env: { ...process.env, LC_MESSAGES: 'C' },
    stdio: ['pipe', 'ignore', stderr],
  });
}

/** Asks it to end: transactions are rolled back, connections closed. */
export function stopServer(server: ChildProcess): void {
  if (process.platform !== 'win32') server.kill('SIGINT');
  else if (server.pid !== undefined) spawn('taskkill', ['/pid', String(server.pid), '/f', '/t']);
}
