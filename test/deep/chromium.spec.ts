import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';

const unpacker = new URL('../support/chromium.js', import.meta.url);

/** As a run's global set-up and its first browser do it. */
const program = `
  import { execFileSync } from 'node:child_process';
  import { unpackedChromium } from '${unpacker.href}';
  const folder = await unpackedChromium(process.argv[1]);
  const env = { LD_LIBRARY_PATH: folder + '/al2023/lib' };
  process.stdout.write(execFileSync(folder + '/chromium', ['--version'], { env }));`;

const onLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;

onLinux('the Chromium from npm', () => {
  let cache: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'holdfast-chromium-'));
  });
  afterEach(() => rm(cache, { recursive: true }));

  /** In a process group of its own, as at a terminal. */
  const start = () =>
    spawn(process.execPath, ['--input-type=module', '-e', program, cache], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  it('is unpacked whole by two runs at once, and once', async () => {
    const runs = [start(), start()];
    const said = await Promise.all(runs.map(({ stdout }) => text(stdout)));
    expect(said).toEqual([expect.stringContaining('Chromium'), said[0]]);
    expect(await readdir(cache)).toEqual([expect.stringMatching(/^chromium-[\d.]+$/)]);
  });

  it('is unpacked by the next run after one that was killed half-way', async () => {
    const killed = start();
    const exited = once(killed, 'exit');
    const written = () => readdir(cache, { recursive: true });
    await eventually(written, (names) => names.some((name) => name.endsWith('/chromium')));
    process.kill(-(killed.pid ?? NaN), 'SIGKILL');
    await exited;
    expect(await readdir(cache)).toEqual([expect.stringMatching(/^chromium-[\d.]+-\w+$/)]);
    expect(await text(start().stdout)).toContain('Chromium');
  });
});
