import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

const main = fileURLToPath(new URL('../../dist/tools/demo/main.js', import.meta.url));

/** Everything the demo prints, line by line, both streams; and its exit code at the end. */
async function runDemo(
  environment: Record<string, string>,
  args: readonly string[] = [],
  onLine: (line: string, demo: ChildProcess) => void = () => {},
): Promise<{ lines: string[]; exitCode: number | null }> {
  const demo = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [demo.stdout, demo.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      onLine(line, demo);
    });
  }
  await once(demo, 'close');
  return { lines, exitCode: demo.exitCode };
}

/** What the database forgot and the module found again, and what the ledger has of it. */
function whatForgettingPrinted(lines: readonly string[]): string[] {
  const said =
    /(?:is replaced by that copy.*refunds \d+|records the \w+ again.*|has read the service’s lists.*|has one charge.*)/;
  // Sums are printed with spaces at which no line breaks.
  const texts = lines.flatMap((line) => said.exec(line)?.[0].replace(/,$/, '').replaceAll(/\s/g, ' ') ?? []);
  return texts.toSorted();
}

async function demoDatabases(serverUrl: string): Promise<unknown[]> {
  const client = new Client(serverUrl);
  await client.connect();
  const { rows } = await client.query(
    "SELECT datname FROM pg_database WHERE datname LIKE 'holdfast\\_demo\\_%'",
  );
  await client.end();
  return rows;
}

describe('the demo', () => {
  const serverUrl = process.env['TEST_SERVER_URL'] ?? '';

  it.each([
    [[], 13, 2],
    [['--profile', 'yookassa'], 15, 4],
    [['--profile', 'yookassa', '--receipts', 'after'], 15, 5],
  ])(
    'with %j runs from nothing, finds the books of %i orders equal, with %i errors on purpose, and leaves nothing behind',
    async (args, orders, onPurpose) => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-demo-spec-'));
      // The embedded server may run as another user, who must be able to enter.
      await chmod(folder, 0o755);
      try {
        const { lines, exitCode } = await runDemo({ TMPDIR: folder }, args);
        expect(lines.at(-1)).toBe('demo: ok');
        expect(exitCode).toBe(0);
        expect(lines.find((line) => line.endsWith('the books agree'))).toMatch(
          new RegExp(`^${orders} payments, .* compared`),
        );
        expect(lines.filter((line) => line.endsWith('  equal'))).toHaveLength(orders);
        const withReceipts = args.length === 0 ? 0 : 1;
        expect(lines.filter((line) => line.includes('by registered receipts'))).toHaveLength(withReceipts);
        expect(lines.filter((line) => line.includes('agree to the kopeck'))).toHaveLength(withReceipts);
        expect(lines.join('\n')).not.toContain('\u001b');
        expect(lines.filter(({ length }) => length > 120)).toEqual([]);
        expect(whatForgettingPrinted(lines)).toEqual([
          'has one charge in its ledger, 1 234,50 ₽, and one refund, 234,50 ₽',
          'has read the service’s lists of that time: payments found again 1, with refunds 1',
          'is replaced by that copy, and has forgotten all since then: payments 1, refunds 1',
          'records the payment again, as the service has it: pending',
          'records the refund again, as the service has it: succeeded',
        ]);
        const errors = lines.filter((line) => line.includes('ERROR'));
        // A sweep may be at it as the database is replaced.
        expect(errors.filter((line) => !line.includes('The sweep was interrupted'))).toHaveLength(onPurpose);
        expect(errors.filter((line) => !line.includes('ERROR, on purpose'))).toEqual([]);
        expect(await readdir(folder)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('drops its database when it is interrupted', async () => {
    const { lines, exitCode } = await runDemo({ DATABASE_URL: serverUrl }, [], (line, demo) => {
      if (line.startsWith('1. ')) demo.kill('SIGINT');
    });
    expect(lines.at(-1)).toBe('demo: interrupted');
    expect(exitCode).toBe(130);
    expect(await demoDatabases(serverUrl)).toEqual([]);
  });

  it('says why it failed', async () => {
    const { lines, exitCode } = await runDemo({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(lines.join('\n')).toContain('ECONNREFUSED 127.0.0.1:1');
    expect(lines.at(-1)).toBe('demo: FAILED');
    expect(exitCode).toBe(1);
  });

  it.each([
    ['--profile', 'public'],
    ['--profil', 'yookassa'],
  ])('starts nothing with %s %s, and prints its usage', async (...args) => {
    const { lines, exitCode } = await runDemo({}, args);
    expect(exitCode).toBe(2);
    expect(lines[0]).toContain('--profil');
    expect(lines.join('\n')).toContain('--profile documented');
    expect(lines.join('\n')).not.toContain('Starting');
  });
});
