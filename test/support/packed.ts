import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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

/** Packs the board into the folder, likewise; returns the file's name. */
export async function packBoard(folder: string): Promise<string> {
  await packing(() =>
    runIn(workspace, 'npm', ['pack', '-w', '@holdfast/board', '--pack-destination', folder]),
  );
  return `holdfast-board-${await versionOfPackages()}.tgz`;
}

/** Packs both packages into the folder, as for publishing; returns the file names. */
export async function packBoth(folder: string): Promise<{ payments: string; sandbox: string }> {
  const flags = ['-w', '@holdfast/payments', '-w', '@holdfast/sandbox', '--pack-destination', folder];
  await packing(() => runIn(workspace, 'npm', ['pack', ...flags]));
  const version = await versionOfPackages();
  return { payments: `holdfast-payments-${version}.tgz`, sandbox: `holdfast-sandbox-${version}.tgz` };
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
