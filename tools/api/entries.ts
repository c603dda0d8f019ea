import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const packages = ['board', 'payments', 'sandbox'] as const;
export type PackageName = (typeof packages)[number];

/**
 * What hosts import of a package: the names of its entries' files in `src`, the main one as `index`. The package's `exports` are the one
 * place where an entry is added.
 */
export async function entriesOf(root: string, name: PackageName): Promise<readonly string[]> {
  const text = await readFile(join(root, 'libs', name, 'package.json'), 'utf8');
  const { exports }: { exports: Readonly<Record<string, string>> } = JSON.parse(text);
  return Object.values(exports).flatMap(
    (path) => /^\.\/dist\/(?:\w+\/src\/)?(.+)\.js$/.exec(path)?.[1] ?? [],
  );
}
