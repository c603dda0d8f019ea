import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/tools/soak/main.js', import.meta.url));

interface Run {
  readonly lines: string[];
  /** The closing table. */
  readonly table: Readonly<Record<string, string>>;
  readonly exitCode: number | null;
}

/** Every payment counts, so the failure of a run that loses one contains its whole output. */
async function soak(
  folder: string,
  args: readonly string[],
  onLine: (line: string, run: ChildProcess) => void = () => {},
): Promise<Run> {
  const run = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [run.stdout, run.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      onLine(line, run);
    });
  }
  await once(run, 'close');
  const rows = lines.map((line) => /^  (\S.*?) {2,}(\S.*)$/.exec(line)).filter((row) => row !== null);
  return {
    lines,
    table: Object.fromEntries(rows.map(([, what = '', count = '']) => [what, count])),
    exitCode: run.exitCode,
  };
}

describe('shop processes on one database, with everything around them failing', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-soak-spec-'));
    // The embedded server may run as another user, who must be able to enter.
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const nothingAmiss = {
    'queue rows put back': '0',
    'receipts short of money': '0',
    lost: '0',
    doubled: '0',
    contradictions: '0',
    unsettled: '0',
    late: '0',
  };

  it('lose nothing and double nothing', async () => {
    // With this seed a restart of the database, a stop, a half-open line, a kill at a receipt and the outage all come early.
    const { lines, table, exitCode } = await soak(folder, ['--minutes', '0.5', '--seed', '856']);
    // Jest would shorten the lines of an array.
    expect(lines.join('\n')).toMatch(/^soak: ok$/m);
    expect(lines[0]).toContain('--seed 856');
    expect(table).toMatchObject(nothingAmiss);
    expect(table['payments']).toMatch(/^[1-9]\d*, [1-9]\d* of connected stores$/);
    expect(parseInt(table['kills'] ?? '', 10)).toBeGreaterThan(0);
    expect(table['receipts']).toMatch(/^[1-9]\d* registered, \d+ refused, \d+ late$/);
    expect(table['offsets of prepayments']).toMatch(/^[1-9]\d* registered$/);
    expect(table['compared by the module']).toMatch(
      /^[1-9]\d* payments, [1-9]\d* refunds, [1-9]\d* receipts$/,
    );
    expect(table['handler that hung']).toMatch(/^[1-9]\d* runs of [1-9]\d* deliveries$/);
    expect(exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  }, 600_000);

  it('have every notification that they answered with 200 before they were killed', async () => {
    const { lines, table, exitCode } = await soak(folder, ['--kill-after-ack', '9', '--seed', '1']);
    expect(lines.join('\n')).toMatch(/^soak: ok$/m);
    expect(table).toMatchObject({ ...nothingAmiss, kills: '9, 0 at a failpoint, 9 right after a 200' });
    expect(exitCode).toBe(0);
  }, 600_000);

  it('are gone, with their database, when the run is interrupted', async () => {
    const { lines, exitCode } = await soak(
      folder,
      ['--minutes', '5', '--replicas', '1', '--seed', '1'],
      (line, run) => {
        if (line.includes(' payments, ')) run.kill('SIGINT');
      },
    );
    expect(lines.at(-1)).toBe('soak: interrupted');
    expect(exitCode).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are not started by a wrong flag, which prints the usage', async () => {
    const { lines, exitCode } = await soak(folder, ['--minutes', 'ten']);
    expect(exitCode).toBe(2);
    expect(lines[0]).toContain('--minutes must be a number above 0');
    expect(lines.join('\n')).toContain('npm run soak');
  });
});
