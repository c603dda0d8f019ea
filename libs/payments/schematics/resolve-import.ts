import type { Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import type { Compiler } from './compiler.js';
import { isRecord, type Manifest } from './host.js';

/** `@/*` → `src/*`: one entry of `paths`, or of the `imports` of a package.json. */
interface Mapping {
  readonly before: string;
  readonly after: string;
  readonly target: string;
}

/** Where the specifiers of an application's own files begin that are not relative. */
export interface Mappings {
  readonly bases: readonly string[];
  readonly mappings: readonly Mapping[];
}

/** As the application's tsconfig and package.json have them; a workspace of Nx keeps them in a file of its own. */
export function mappingsOf(tree: Tree, compiler: Compiler): Mappings {
  const bases = [''];
  const mappings: Mapping[] = [];
  for (const file of ['tsconfig.json', 'tsconfig.base.json']) {
    if (!tree.exists(file)) continue;
    const read: unknown = compiler.parseConfigFileTextToJson(file, tree.readText(file)).config;
    const options = isRecord(read) ? read['compilerOptions'] : undefined;
    if (!isRecord(options)) continue;
    const base = typeof options['baseUrl'] === 'string' ? posix.join(options['baseUrl']) : '';
    bases.push(base);
    for (const [name, targets] of entriesOf(options['paths']))
      if (Array.isArray(targets)) mappings.push(...targets.flatMap((target) => mapping(name, target, base)));
  }
  const manifest: Manifest & { readonly imports?: unknown } = JSON.parse(tree.readText('package.json'));
  for (const [name, target] of entriesOf(manifest.imports)) mappings.push(...mapping(name, target, ''));
  return { bases, mappings };
}

const entriesOf = (value: unknown) => (isRecord(value) ? Object.entries(value) : []);

function mapping(name: string, target: unknown, base: string): Mapping[] {
  if (typeof target !== 'string') return [];
  const [before = '', after = ''] = name.split('*');
  return [{ before, after, target: posix.join(base, target) }];
}

/** Every file that the specifier may mean, by its path from the root, the likeliest first. */
export function filesOf(from: string, specifier: string, { bases, mappings }: Mappings): string[] {
  const places = specifier.startsWith('.')
    ? [posix.join(posix.dirname(from), specifier)]
    : [
        ...mappings
          .filter(({ before, after }) => specifier.startsWith(before) && specifier.endsWith(after))
          .map(({ before, after, target }) =>
            target.replace('*', specifier.slice(before.length, specifier.length - after.length)),
          ),
        ...bases.map((base) => posix.join(base, specifier)),
      ];
  const files = places.flatMap((place) => {
    const bare = place.replace(/\.[cm]?[jt]s$/, '');
    // A file may be named `app.ts` and a folder `app`; `app.module` has no ending, whatever it looks like.
    return [`${bare}.ts`, `${place}.ts`, `${bare}/index.ts`];
  });
  return [...new Set(files)];
}
