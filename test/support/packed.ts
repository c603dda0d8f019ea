import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/** The workspace's own folder. */
export const workspace = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program to its end; if it fails, the error contains all its output. */
export function runIn(
  folder: string,
  program: string,
  flags: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, flags, { cwd: folder, ...(env && { env }) }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}`));
      else resolve({ stdout, stderr });
    });
  });
}

/** Packing compiles into the package's own folder and clears it away: two test files must not do it at once. */
export async function packing<T>(work: () => Promise<T>): Promise<T> {
  const client = new Client(process.env['TEST_SERVER_URL']);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('packing'))");
    return await work();
  } finally {
    await client.end();
  }
}

type Package = 'board' | 'payments' | 'sandbox';

/**
 * Copies all packages into the folder, packed as for publishing; returns the file names. A run packs them once: compiling all three
 * takes half a minute.
 */
export async function packed(folder: string): Promise<Record<Package, string>> {
  const archives = process.env['TEST_ARCHIVES'];
  if (!archives) throw new Error('There is no folder for archives: test/support/global-setup.js names it.');
  await packing(async () => {
    if (existsSync(archives)) return;
    // Only a whole set gets the name: packing may fail half-way.
    const unfinished = await mkdtemp(`${archives}-`);
    await runIn(workspace, 'npm', ['pack', '--workspaces', '--pack-destination', unfinished]);
    await rename(unfinished, archives);
  });
  await cp(archives, folder, { recursive: true });
  const version = await versionOfPackages();
  const nameOf = (name: Package) => `holdfast-${name}-${version}.tgz`;
  return { board: nameOf('board'), payments: nameOf('payments'), sandbox: nameOf('sandbox') };
}

/**
 * Makes the folder `holdfast` there, for a guide that packs what lies beside it: the packages as they are packed, so that packing compiles
 * nothing again. What the guide's first command does in this repository itself is tested with the README's first program.
 */
export async function builtRepository(folder: string): Promise<void> {
  const place = join(folder, 'archives');
  const archives = await packed(place);
  for (const name of ['payments', 'sandbox'] as const) {
    const built = join(folder, 'holdfast', 'libs', name);
    await mkdir(built, { recursive: true });
    await runIn(folder, 'tar', ['-xzf', join(place, archives[name]), '-C', built, '--strip-components=1']);
    await runIn(built, 'npm', ['pkg', 'delete', 'scripts']);
  }
}

/** All of them have the same. */
async function versionOfPackages(): Promise<string> {
  const manifest = await readFile(join(workspace, 'libs/payments/package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}

/**
 * Installs archives from the folder, and packages from the registry, which must be reachable. With npm's own settings: `npm test`
 * hands on those of this project, which a stranger's has not.
 */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const flags = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--strict-allow-scripts=false'];
  const files = packages.map((name) => (name.endsWith('.tgz') ? join(folder, name) : name));
  await runIn(folder, 'npm', [...flags, ...files]);
}
