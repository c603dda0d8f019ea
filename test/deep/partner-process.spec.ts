import { startSandbox } from '@holdfast/sandbox';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testAccount } from '../support/account.js';
import { startPlatformProcess } from '../support/shop-process.js';

/** Command lines of the processes that were given this folder, or work in it: a server whose user may not enter gets no path. */
async function processesWith(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
    return stdout.split('\n').filter((line) => line.includes(folder));
  }
  // Straight from the kernel, since small images have no `ps`.
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = pids.map(async (pid) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    return `${workingFolder} ${command.replaceAll('\0', ' ')}`;
  });
  return (await Promise.all(lines)).filter((line) => line.includes(folder));
}

describe('a process of the example platform', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'starts from nothing, says how to try it, and leaves nothing behind after %s',
    async (signal) => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-partner-spec-'));
      // The embedded server may run as another user, who must be able to enter.
      await chmod(folder, 0o755);
      try {
        const platform = await startPlatformProcess({ TMPDIR: folder });
        const home = await fetch(platform.url);
        expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('Market Row')]);
        // PostgreSQL, and the process that watches over it.
        expect((await processesWith(folder)).length).toBeGreaterThanOrEqual(2);

        expect(await platform.end(signal)).toBe(0);
        expect(platform.said.join('\n')).toMatch(
          /as Vera, Oleg, Nina[\s\S]*Sandbox: +http:\S+\/sandbox\/[\s\S]*password `sandbox`[\s\S]*vera +owns test_crumb_and_crust/,
        );
        expect(await processesWith(folder)).toEqual([]);
        expect(await readdir(folder)).toEqual([]);
        await expect(fetch(platform.url)).rejects.toThrow('fetch failed');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('does not start with a configured service while anybody may sign in as any owner', async () => {
    const environment = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      PARTNER_CLIENT_ID: 'market_row',
      PARTNER_CLIENT_SECRET: 'app_password',
      PARTNER_AUTH_URL: 'http://127.0.0.1:4010',
      PAYMENTS_SERVICE_URL: 'http://127.0.0.1:4010',
      PAYMENTS_TOKEN_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    await expect(startPlatformProcess(environment)).rejects.toThrow(
      /^The platform cannot start:\n {2}- With PARTNER_CLIENT_ID it needs a sign-in of its own: .* Implement OwnerSignIn/,
    );
  });

  it('lists everything that is wrong with its settings', async () => {
    const faulty = { PARTNER_CLIENT_ID: 'market_row', PORT: 'many' };
    await expect(startPlatformProcess(faulty)).rejects.toThrow(
      /^The platform cannot start:\n[\s\S]*PORT must[\s\S]*PARTNER_CLIENT_SECRET must/,
    );
  });

  it('says which setting frees a port that is in use, and leaves no database behind', async () => {
    const sandbox = await startSandbox(testAccount);
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-partner-spec-'));
    await chmod(folder, 0o755);
    const { port } = new URL(sandbox.url);
    await expect(startPlatformProcess({ TMPDIR: folder, SANDBOX_PORT: port })).rejects.toThrow(
      `Port ${port} is in use. Stop the program that has it, or set another SANDBOX_PORT.`,
    );
    expect(await processesWith(folder)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await sandbox.close();
  });
});
