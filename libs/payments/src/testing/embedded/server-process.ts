import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isRecord } from '../../common/is-record.js';
import { programOf, type InstalledServer } from './installed-server.js';
import { asServerUser, mayEnter } from './server-user.js';

/**
 * Runs the server, tells once whether it accepts connections, and stops it as soon as its own standard input ends: so no server outlives the
 * process that started it, however that one ends. It is a text because tests run these sources, and hosts what was compiled of them, as
 * modules of either kind, and no file says in both where it is.
 */
const GUARDIAN = `
const { spawn } = require('node:child_process');
const { command, args, options } = JSON.parse(process.argv[1]);
const server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
let log = '';
let told = false;
const tell = (message) => {
  if (!told) process.stdout.write(JSON.stringify(message) + '\\n');
  told = true;
};
process.stdout.on('error', () => undefined);
server.stderr.setEncoding('utf8').on('data', (text) => {
  log = (log + text).slice(-8000);
  // A standby accepts read-only ones.
  if (/database system is ready to accept (?:read-only )?connections/.test(log)) tell({ ready: true });
});
server.once('error', (error) => { log += error.message; });
server.once('close', () => {
  tell({ ready: false, log });
  process.stdin.destroy();
});
process.stdin.resume().once('close', () => {
  // Transactions are rolled back, connections closed.
  if (process.platform !== 'win32') server.kill('SIGINT');
  else spawn('taskkill', ['/pid', String(server.pid), '/f', '/t']);
});
`;

/** What a server needs of this process's environment, and none of the secrets in it. */
const NEEDED = /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|USERPROFILE|LD_LIBRARY_PATH)$/i;

/** A server that ended before it accepted a connection. */
export class ServerEnded extends Error {
  constructor(readonly log: string) {
    super(log);
  }
}

/**
 * Starts the server on an initialised data folder; resolves when it accepts connections, to what stops it.
 * @throws ServerEnded
 */
export async function startServer(
  installed: InstalledServer,
  dataDir: string,
  flags: readonly string[],
): Promise<() => Promise<void>> {
  const server = commandOf(installed, 'postgres', dataDir, (folder) => ['-D', folder, ...flags]);
  // A Ctrl-C at the terminal reaches this process alone, whose end then ends the other.
  const guardian = spawn(process.execPath, ['--eval', GUARDIAN, JSON.stringify(server)], {
    detached: true,
    env: server.options.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(guardian, 'exit');
  const lines = createInterface(guardian.stdout);
  const [line]: unknown[] = await Promise.race([
    once(lines, 'line'),
    once(guardian, 'close').then(() => ['{}']),
  ]);
  lines.close();
  guardian.stdout.destroy();
  const said: unknown = JSON.parse(String(line));
  if (!isRecord(said) || said['ready'] !== true) {
    guardian.stdin.destroy();
    await exited;
    throw new ServerEnded(isRecord(said) && typeof said['log'] === 'string' ? said['log'] : '');
  }
  // From here on it does not keep this process alive by itself.
  guardian.unref();
  return async () => {
    if (guardian.exitCode !== null || guardian.signalCode !== null) return;
    guardian.ref();
    guardian.stdin.destroy();
    await exited;
  };
}

/** Runs one of PostgreSQL's programs to its end. */
export async function runProgram(
  installed: InstalledServer,
  name: 'postgres' | 'initdb',
  dataDir: string,
  argsIn: (folder: string) => string[],
  input = '',
): Promise<void> {
  const { command, args, options } = commandOf(installed, name, dataDir, argsIn);
  const program = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  let log = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  // It may end without reading.
  program.stdin.on('error', () => undefined).end(input);
  const [code]: unknown[] = await once(program, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}\n${log}`);
}

/** As the user that it runs as, in its folder: that user may not be able to enter it by its path. */
function commandOf(
  { programs, user }: InstalledServer,
  name: 'postgres' | 'initdb',
  dataDir: string,
  argsIn: (folder: string) => string[],
) {
  const folder = user !== null && !mayEnter(user, dataDir) ? '/proc/self/cwd' : dataDir;
  const { command, args, ids } = asServerUser(user, programOf(programs, name), argsIn(folder));
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => NEEDED.test(variable)));
  return { command, args, options: { ...ids, cwd: dataDir, env: { ...env, LC_MESSAGES: 'C' } } };
}
