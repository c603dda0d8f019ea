import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PostgresOptions {
  /** Where the embedded server keeps its data; created when missing. Default `.data/postgres`. */
  dataDir?: string;
  /** `false` trades crash safety for speed, for data nobody will miss. Default `true`. */
  durable?: boolean;
}

export interface RunningPostgres {
  /** For the application: in the embedded server a role that owns its database, and is no superuser. */
  url: string;
  /** For creating databases and roles: the embedded server's superuser, or the user in `DATABASE_URL`. */
  adminUrl: string;
  /** Stops the embedded server; leaves a server from `DATABASE_URL` alone. */
  close(): Promise<void>;
}

/** The server named by `DATABASE_URL`, or the embedded one. */
export async function openPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const givenUrl = process.env['DATABASE_URL'];
  return givenUrl
    ? { url: givenUrl, adminUrl: givenUrl, close: async () => {} }
    : openEmbeddedPostgres(options);
}

/**
 * An embedded PostgreSQL on a free port of 127.0.0.1 that keeps its data between starts and can be used by one process at a time.
 *
 * The server is watched by a process of its own, in its own process group: a Ctrl-C at the terminal reaches only the shop, and
 * however the shop ends (SIGKILL included) its end of the channel closes and the watcher stops the server, so none is ever left
 * behind.
 */
export async function openEmbeddedPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir ?? '.data/postgres');
  const durability = options.durable === false ? 'disposable' : 'durable';
  const watcherPath = fileURLToPath(new URL('./embedded-postgres-process.js', import.meta.url));
  const watcher = fork(watcherPath, [dataDir, durability], {
    ...executable(),
    env: environment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  watcher.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));

  const exited = once(watcher, 'exit');
  const answer = await Promise.race([
    once(watcher, 'message').then(([message]: unknown[]) => message),
    exited.then(() => ({ failure: `The process that starts PostgreSQL ended.\n${stderr}` })),
  ]);
  const url = stringField(answer, 'url');
  const adminUrl = stringField(answer, 'adminUrl');
  if (url === null || adminUrl === null) {
    if (watcher.connected) watcher.disconnect();
    throw new Error(stringField(answer, 'failure') ?? 'PostgreSQL did not start');
  }

  // From here on the server does not keep the shop's process alive by itself.
  watcher.unref();
  watcher.channel?.unref();
  const close = async (): Promise<void> => {
    if (watcher.exitCode !== null || watcher.signalCode !== null) return;
    watcher.ref();
    if (watcher.connected) watcher.disconnect();
    await exited;
  };
  return { url, adminUrl, close };
}

/** What a server needs of this process's environment, and none of the secrets in it. */
function environment(): NodeJS.ProcessEnv {
  const needed =
    /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|USERPROFILE|LD_LIBRARY_PATH)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

/**
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`, who may not be allowed to enter
 * the project's folder (`/root`, or one made by `mktemp -d`). This one capability lets that user pass while the data folder
 * is made; the server itself does not get it (server-user.ts).
 */
function executable(): { execPath?: string; execArgv: string[] } {
  if (process.getuid?.() !== 0) return { execArgv: [] };
  const capability = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  const granted =
    spawnSync('setpriv', [...capability, process.execPath, '--version'], { stdio: 'ignore' }).status === 0;
  return granted ? { execPath: 'setpriv', execArgv: [...capability, process.execPath] } : { execArgv: [] };
}

function stringField(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null || !(name in value)) return null;
  const field: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof field === 'string' ? field : null;
}
