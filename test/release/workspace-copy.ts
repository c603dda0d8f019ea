import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { workspace } from '../support/packed.js';

/** What a release reads and writes of a `package.json`. */
export interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Each `package.json` of the repository that has a version. */
const manifests = {
  root: 'package.json',
  board: 'libs/board/package.json',
  payments: 'libs/payments/package.json',
  sandbox: 'libs/sandbox/package.json',
  examples: 'examples/package.json',
} as const;

/** What a release changes, in a folder of its own. */
export class WorkspaceCopy {
  private constructor(readonly folder: string) {}

  static async make(): Promise<WorkspaceCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-release-'));
    for (const path of [...Object.values(manifests), '.changeset/config.json']) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await copyFile(join(workspace, path), join(folder, path));
    }
    await cp(join(workspace, '.ci'), join(folder, '.ci'), { recursive: true });
    await symlink(join(workspace, 'node_modules'), join(folder, 'node_modules'));
    return new WorkspaceCopy(folder);
  }

  async manifest(name: keyof typeof manifests): Promise<Manifest> {
    return JSON.parse(await readFile(join(this.folder, manifests[name]), 'utf8'));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
