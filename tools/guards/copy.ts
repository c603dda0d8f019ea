import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CleanUp } from '../../examples/shared/clean-up.js';

/** Installed or compiled: no guard is there, so all copies share them. */
const SHARED = ['node_modules', 'dist'];
const LEFT_OUT = new Set([...SHARED, '.git', '.data', 'coverage']);

function filter(path: string): boolean {
  return !LEFT_OUT.has(basename(path));
}

/** Copies the checkout's sources to a folder of their own, in which lines may be broken. */
export async function copyOf(root: string, cleanUp: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-guards-'));
  cleanUp.add(() => rm(folder, { recursive: true, force: true }));
  for (const name of (await readdir(root)).filter((entry) => !LEFT_OUT.has(entry)))
    await cp(join(root, name), join(folder, name), { recursive: true, filter });
  for (const name of SHARED) await symlink(join(root, name), join(folder, name));
  return folder;
}
