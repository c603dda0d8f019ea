import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Whether this machine has it. The gate installs it; elsewhere its tests are skipped, and say so. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** What it finds wrong; null: nothing. */
export async function promtool(...args: readonly string[]): Promise<string | null> {
  const child = spawn('promtool', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return code === 0 ? null : `${said}${complained}`;
}
