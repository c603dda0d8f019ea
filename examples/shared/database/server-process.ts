import { spawn, type ChildProcess } from 'node:child_process';

import { asServerUser, mayEnter, reachableServer, serverUser } from './server-user.js';

/** Starts the server on an initialised data folder; resolves when it accepts connections, rejects if it ends instead. */
export async function startServer(
  dataDir: string,
  flags: readonly string[],
  onLog: (message: unknown) => void,
): Promise<ChildProcess> {
  const user = serverUser();
  const executable = await reachableServer(user);
  // The starting process enters the server's folder: the user that the server runs as may not be able to.
  const folder = user && !mayEnter(user, dataDir) ? '/proc/self/cwd' : dataDir;
  const { command, args, ids } = asServerUser(user, executable, ['-D', folder, ...flags]);
  const server = spawn(command, args, {
    ...ids,
    cwd: dataDir,
    env: { ...process.env, LC_MESSAGES: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).once('exit', () => reject(new Error('')));
    server.stderr.on('data', (chunk: Buffer) => {
      const text = chunk.toString('utf8');
      onLog(text);
      if (text.includes('database system is ready to accept connections')) resolve();
    });
  });
  return server;
}

/** Asks it to end: transactions are rolled back, connections closed. */
export function stopServer(server: ChildProcess): void {
  if (process.platform !== 'win32') server.kill('SIGINT');
  else if (server.pid !== undefined) spawn('taskkill', ['/pid', String(server.pid), '/f', '/t']);
}
