import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from 'pg';

import { eventually } from '../support/eventually.js';

const compiled = new URL('../../dist/examples/shared/database/postgres.js', import.meta.url).href;
const program = `
  const { openPostgres } = await import(${JSON.stringify(compiled)});
  try {
    const { url, close } = await openPostgres({ dataDir: process.argv[1], durable: false });
    console.log(url);
    process.stdin.once('data', () => close().then(() => process.exit(0)));
  } catch (error) {
    console.log(error.message);
    process.exit(1);
  }
`;

const compiledKit = new URL('../../dist/libs/payments/src/testing/embedded-database.js', import.meta.url)
  .href;
/** Likewise, the kit's: where its data is, it decides itself. */
const kitProgram = `
  const { openEmbeddedDatabase } = await import(${JSON.stringify(compiledKit)});
  const { url, close } = await openEmbeddedDatabase();
  console.log(url);
  process.stdin.once('data', () => close().then(() => process.exit(0)));
`;

/** After a failed test some may still run. */
const children: ChildProcess[] = [];

/** A process of its own that opens PostgreSQL, prints its address, and closes it on request. */
async function holder(
  dataDir: string,
  added: NodeJS.ProcessEnv = {},
  started = program,
): Promise<{ said: string; child: ChildProcess }> {
  const { DATABASE_URL: _, ...env } = { ...process.env, ...added };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', started, dataDir], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  return { said: String(said), child };
}

async function close({ child }: { child: ChildProcess }): Promise<void> {
  const exited = once(child, 'exit');
  child.stdin?.write('close\n');
  await exited;
}

async function query(url: string, text: string): Promise<unknown> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

/** A server that has stopped has removed its lock file. */
async function stopped(dataDir: string): Promise<void> {
  const lockFile = join(dataDir, 'postmaster.pid');
  await eventually(
    async () => existsSync(lockFile),
    (exists) => !exists,
  );
}

/** Of a process's status: inheritable, permitted, effective and ambient. */
function heldCapabilities(status: string): number[] {
  return [...status.matchAll(/^Cap(Inh|Prm|Eff|Amb):\t(\w+)$/gm)].map(([, , held]) => Number(held));
}

const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;

describe('the embedded PostgreSQL', () => {
  const dataDir = join(tmpdir(), `holdfast-embedded-${process.pid}`);
  const newDataDir = `${dataDir}-new`;
  afterEach(() => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(() => Promise.all([dataDir, newDataDir].map((dir) => rm(dir, { recursive: true, force: true }))));

  it('keeps its data between starts, in UTF-8, UTC and locale C', async () => {
    const first = await holder(dataDir);
    await query(first.said, 'CREATE TABLE kept AS SELECT 42 AS value');
    await close(first);

    const second = await holder(dataDir);
    expect(await query(second.said, 'SELECT value FROM kept')).toBe(42);
    expect(
      await query(
        second.said,
        `SELECT concat_ws(' ', current_setting('server_encoding'), current_setting('TimeZone'), datcollate) AS value
         FROM pg_database WHERE datname = current_database()`,
      ),
    ).toBe('UTF8 UTC C');
    await close(second);
  });

  it('gives the shop a role of its own, which is no superuser and owns its database only', async () => {
    const server = await holder(dataDir);
    expect(
      await query(
        server.said,
        `SELECT concat_ws(' ', current_user, rolsuper, rolcreaterole, rolcreatedb, pg_get_userbyid(datdba), datname) AS value
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      ),
    ).toBe('holdfast f f f holdfast holdfast');
    await expect(query(server.said, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(
      /permission denied/,
    );
    await close(server);
  });

  // Only root runs the server as another user.
  (isLinuxRoot ? describe : describe.skip)('started by root', () => {
    it('keeps no capability, even if only root may enter', async () => {
      const closed = await mkdtemp(join(tmpdir(), 'holdfast-closed-'));
      const inside = join(closed, 'postgres');
      try {
        const server = await holder(inside);
        expect(await query(server.said, 'SELECT 1 AS value')).toBe(1);
        const pid = parseInt(await readFile(join(inside, 'postmaster.pid'), 'utf8'), 10);
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        expect(heldCapabilities(status)).toEqual([0, 0, 0, 0]);
        expect(status).not.toMatch(/^Uid:\t0/m);
        await close(server);
      } finally {
        await rm(closed, { recursive: true, force: true });
      }
    });
  });

  // What the shop keeps its data in, and what tests of a host do.
  it.each([
    ['the shop', program, 'data'],
    ['the testing kit', kitProgram, 'payments-test-'],
  ])(
    'of %s shows nobody its password, keeps no capability, and gets none of the secrets of who starts it',
    async (_whose, started, folder) => {
      const temporary = await mkdtemp(join(tmpdir(), 'holdfast-passwords-'));
      const open = new Set<string>();
      const watcher = watch(temporary, (_event, name) => {
        const path = join(temporary, name ?? '');
        void stat(path).then(
          ({ mode }) => (mode & 0o077) !== 0 && path !== temporary && open.add(path),
          () => undefined,
        );
      });
      try {
        const secret = 'secret-of-the-shop';
        const env = { TMPDIR: temporary, PAYMENTS_SECRET_KEY: secret };
        const held = await holder(join(temporary, 'data'), env, started);
        expect(await query(held.said, 'SELECT 1 AS value')).toBe(1);
        const [name = ''] = (await readdir(temporary)).filter((entry) => entry.startsWith(folder));
        const dataFolder = join(temporary, name);
        expect([...open]).toEqual([]);
        expect((await stat(dataFolder)).mode & 0o077).toBe(0);
        expect((await stat(join(dataFolder, 'holdfast-password'))).mode & 0o777).toBe(0o600);
        const [pid] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n');
        // Elsewhere nothing shows the environment of a process, nor are there capabilities.
        const shown = (file: string) =>
          process.platform === 'linux' ? readFile(`/proc/${pid}/${file}`, 'utf8') : '';
        expect(await shown('environ')).not.toContain(secret);
        expect(heldCapabilities(await shown('status')).filter((bits) => bits !== 0)).toEqual([]);
        await close(held);
      } finally {
        watcher.close();
        await rm(temporary, { recursive: true, force: true });
      }
    },
  );

  it('stops when the shop is killed, and starts again', async () => {
    const killed = await holder(dataDir);
    killed.child.kill('SIGKILL');
    await stopped(dataDir);

    const next = await holder(dataDir);
    expect(await query(next.said, 'SELECT 1 AS value')).toBe(1);
    await close(next);
  });

  it('lets the shop close although the server has ended by itself', async () => {
    const crashed = await holder(dataDir);
    process.kill(parseInt(await readFile(join(dataDir, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
    await stopped(dataDir);
    await close(crashed);
    expect(crashed.child.exitCode).toBe(0);
  });

  it('starts over the lock file of a killed server, although another program has its process id now', async () => {
    await close(await holder(dataDir));
    await writeFile(
      join(dataDir, 'postmaster.pid'),
      `${process.pid}\n${dataDir}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`,
    );

    const next = await holder(dataDir);
    expect(await query(next.said, 'SELECT 1 AS value')).toBe(1);
    await close(next);
  });

  it('of two first starts at once gives the folder to one and refuses the other', async () => {
    const both = await Promise.all([holder(newDataDir), holder(newDataDir)]);
    const [owner, ...others] = both.toSorted(
      (a, b) => Number(b.said.startsWith('postgres://')) - Number(a.said.startsWith('postgres://')),
    );
    expect(owner?.said).toMatch(/^postgres:/);
    expect(others.map(({ said }) => said)).toEqual([expect.stringContaining('already in use')]);
    if (owner) await close(owner);
  });
});
