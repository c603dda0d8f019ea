import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the rivals are installed: among the sources, apart from the bench, whose own imports must not find their packages. */
const folder = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'tools', 'bench', 'rivals');

/** Installs what Holdfast is measured against, as locked, where it is missing. None of it runs a script at that. */
export async function installRivals(): Promise<void> {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return;
  console.error('  installing the rivals in tools/bench/rivals …');
  const npm = spawn('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new Error('The rivals could not be installed: npm ci failed in tools/bench/rivals.');
}

/** A rival's package. Its types are not there when the bench is compiled, so whoever requires it says what it uses. */
export const requireRival = createRequire(join(folder, 'package.json'));
