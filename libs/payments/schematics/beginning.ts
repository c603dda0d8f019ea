import type { Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import type { Compiler } from './compiler.js';
import { exportedClass, rootModuleOf } from './edit-source.js';
import { isRecord, type Manifest } from './host.js';
import { filesOf, mappingsOf, type Mappings } from './resolve-import.js';

/** Where the application begins: its main file, and the module that it creates. */
export interface Beginning {
  /** Folder of the sources. */
  readonly sourceRoot: string;
  readonly mainPath: string;
  readonly modulePath: string;
  readonly moduleName: string;
  /** What the specifier of a file of its own ends in. */
  readonly ending: Ending;
}

export type Ending = '' | '.js' | '.ts';

const BY_HAND =
  'set the payments up by hand, as node_modules/@holdfast/payments/docs/getting-started.md shows ("The smallest module")';

/** @throws Error that says what of it cannot be found, and what to do */
export function beginningOf(tree: Tree, compiler: Compiler, given: string): Beginning {
  const { mainPath, sourceRoot } = mainOf(tree, given);
  const root = rootModuleOf(compiler, tree.readText(mainPath));
  if (root.kind === 'not made')
    throw new Error(
      `${mainPath} keeps nothing that NestFactory.create() returns in a variable, which would get the webhook's door: have it say ` +
        `"const app = await NestFactory.create(AppModule)", or ${BY_HAND}.`,
    );
  if (root.kind === 'not imported')
    throw new Error(
      `${mainPath} gives NestFactory.create() no class that it imports, but ${root.given}: give it one, or ${BY_HAND}.`,
    );
  const mappings = mappingsOf(tree, compiler);
  const found = classFrom({ tree, compiler, mappings }, mainPath, root);
  if (found === undefined)
    throw new Error(
      `${mainPath} imports ${root.local} from '${root.from}', and none of ${filesOf(mainPath, root.from, mappings).join(', ')} has or exports ` +
        `such a class: ${BY_HAND}.`,
    );
  const manifest: Manifest = JSON.parse(tree.readText('package.json'));
  return { sourceRoot, mainPath, ...found, ending: endingOf(root.from, manifest) };
}

/** As the main file writes it; an alias has an ending of its own. */
function endingOf(specifier: string, { type }: Manifest): Ending {
  const [ending] = /\.[jt]s$/.exec(specifier) ?? [];
  if (ending === '.js' || ending === '.ts') return ending;
  return specifier.startsWith('.') || type !== 'module' ? '' : '.js';
}

interface Sources {
  readonly tree: Tree;
  readonly compiler: Compiler;
  readonly mappings: Mappings;
}

/** The file that declares a class, through files that only pass it on. */
function classFrom(
  sources: Sources,
  importer: string,
  { name, from }: { readonly name: string; readonly from: string },
  depth = 0,
): Pick<Beginning, 'modulePath' | 'moduleName'> | undefined {
  const { tree, compiler, mappings } = sources;
  const path = filesOf(importer, from, mappings).find((file) => tree.exists(file));
  if (path === undefined || depth > 8) return undefined;
  const exported = exportedClass(compiler, tree.readText(path), name);
  if ('own' in exported) return { modulePath: path, moduleName: exported.own };
  for (const next of exported.from) {
    const found = classFrom(sources, path, next, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** @throws Error if there is none, or more than one */
function mainOf(tree: Tree, sourceRoot: string): Pick<Beginning, 'mainPath' | 'sourceRoot'> {
  const named = mainsNamed(tree, sourceRoot);
  const main = named.find((path) => tree.exists(path));
  if (main !== undefined) return { mainPath: main, sourceRoot };
  const found = mainsBelow(tree, '', 4);
  const [only] = found;
  if (only !== undefined && found.length === 1) return { mainPath: only, sourceRoot: posix.dirname(only) };
  const roots = found.map((path) => `--source-root=${posix.dirname(path)}`);
  throw new Error(
    found.length === 0
      ? `There is no ${named.join(' or ')}: name the folder of the application's sources, --source-root=apps/shop/src, and the main file, where ` +
          'it is not main.ts, in nest-cli.json ("entryFile").'
      : `There is no ${named.join(' or ')}, and there are several applications: name one, ${roots.join(' or ')}.`,
  );
}

/** Where the settings of the Nest CLI have the main file of these sources. */
function mainsNamed(tree: Tree, sourceRoot: string): string[] {
  const settings: unknown = tree.exists('nest-cli.json') ? JSON.parse(tree.readText('nest-cli.json')) : {};
  const projects = isRecord(settings) && isRecord(settings['projects']) ? settings['projects'] : {};
  const file = [...Object.values(projects), settings].flatMap((one) =>
    isRecord(one) && (one['sourceRoot'] ?? 'src') === sourceRoot && typeof one['entryFile'] === 'string'
      ? [one['entryFile'].replace(/\.[jt]s$/, '')]
      : [],
  )[0];
  // It names the compiled file: below the output of the sources, or of the whole application.
  return file === undefined
    ? [posix.join(sourceRoot, 'main.ts')]
    : [`${posix.join(sourceRoot, file)}.ts`, `${posix.join(file)}.ts`];
}

/** The main files of a workspace, such as Nx has it, that create an application of Nest. */
function mainsBelow(tree: Tree, folder: string, depth: number): string[] {
  const directory = tree.getDir(folder || '/');
  const below = directory.subdirs
    .filter((name) => !/^(node_modules|dist|build|coverage|test|tmp|\..*)$/.test(name))
    .flatMap((name) => (depth === 0 ? [] : mainsBelow(tree, posix.join(folder, name), depth - 1)));
  const main = posix.join(folder, 'main.ts');
  const isMain = directory.subfiles.some((name) => name === 'main.ts') && tree.exists(main);
  return isMain && tree.readText(main).includes('NestFactory.create') ? [main, ...below] : below;
}
