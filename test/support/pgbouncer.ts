import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../examples/shared/config/port.js';
import { eventually } from './eventually.js';

/** Whether this machine has it. The gate installs it; elsewhere its tests are skipped, and say so. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface Pgbouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** A real pgbouncer in transaction mode, with fewer server connections than its clients have. */
export async function startPgbouncer(databaseUrl: string, poolSize: number): Promise<Pgbouncer> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-pgbouncer-'));
  const ownPort = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'unix_socket_dir =',
      'server_idle_timeout = 1',
    ].join('\n'),
  );
  // It refuses to run as root; the package has its own user.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, 'postgres']).stdout.toString()),
    );
    await chown(folder, uid ?? 0, gid ?? 0);
    await chown(config, uid ?? 0, gid ?? 0);
  }
  const child = spawn('pgbouncer', [...(asRoot ? ['-u', 'postgres'] : []), config], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await eventually(() => answers(ownPort), Boolean);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(ownPort);
  return {
    url: url.href,
    async close() {
      child.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
