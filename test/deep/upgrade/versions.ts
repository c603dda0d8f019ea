import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packed, runIn, workspace } from '../../support/packed.js';
import { closing } from '../../support/still-running.js';

export type Version = 'old' | 'new';

/** Folders in which programs run one version each, with all else from the workspace. */
export interface Versions extends Readonly<Record<Version, string>> {
  remove(): Promise<void>;
}

/** Packs the module twice as for publishing: as it was at the commit, and as it is. */
export async function unpackVersions(commit: string): Promise<Versions> {
  const data = join(workspace, '.data');
  await mkdir(data, { recursive: true });
  const folder = await mkdtemp(join(data, 'upgrade-'));
  const remove = closing(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const checkout = await checkOut(commit, join(folder, 'checkout'));
  const versions = { old: join(folder, 'old'), new: join(folder, 'new') };
  for (const version of Object.values(versions)) await mkdir(version);
  await Promise.all([
    packedAt(checkout, versions.old).then((archive) => unpack(archive, versions.old)),
    packed(versions.new).then(({ payments }) => unpack(payments, versions.new)),
  ]);
  return { ...versions, remove };
}

async function checkOut(commit: string, folder: string): Promise<string> {
  const archive = `${folder}.tar`;
  try {
    await runIn(workspace, 'git', ['archive', '--output', archive, commit]);
  } catch (cause) {
    throw new Error(
      `The upgrade is tried from the commit ${commit}, which is not here: clone the repository with its whole history (git fetch --unshallow).`,
      { cause },
    );
  }
  await mkdir(folder);
  await runIn(folder, 'tar', ['-xf', archive]);
  await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function packedAt(source: string, folder: string): Promise<string> {
  const flags = ['pack', '--silent', '-w', '@holdfast/payments', '--pack-destination', folder];
  const { stdout } = await runIn(source, 'npm', flags);
  return stdout.trim();
}

async function unpack(archive: string, folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', '@holdfast', 'payments');
  await mkdir(installed, { recursive: true });
  await runIn(folder, 'tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  for (const program of ['host.js', 'migrate.js'])
    await copyFile(fileURLToPath(new URL(program, import.meta.url)), join(folder, program));
}
