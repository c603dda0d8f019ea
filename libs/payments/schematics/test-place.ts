import type { Tree } from '@angular-devkit/schematics';
import { posix } from 'node:path';
import { isRecord, type Host } from './host.js';

/** Which files a runner takes for tests. */
interface Runner {
  /** Folders below which it looks. */
  readonly roots: readonly string[];
  /** Patterns, of which a path has to match one; none: its usual ones. */
  readonly patterns: readonly RegExp[];
}

const jestFiles = ['js', 'cjs', 'mjs', 'ts', 'json'].map((ending) => `jest.config.${ending}`);
const vitestFiles = ['ts', 'mts', 'js', 'mjs'].flatMap((ending) => [
  `vitest.config.${ending}`,
  `vite.config.${ending}`,
]);
/** Of both runners, as far as the names below go. */
const USUAL = /\.(spec|test)\.ts$/;

/**
 * Where the application's runner finds a test named `paid-orders`: beside what it tests if the runner looks there, or else among the
 * application's tests.
 */
export function testPlace(tree: Tree, host: Pick<Host, 'sourceRoot' | 'runner'>): string {
  const { roots, patterns } = runnerOf(tree, host);
  const beside = posix.join(host.sourceRoot, 'payments');
  const places = [beside, 'test/payments', 'tests/payments', 'test', 'tests', '__tests__'].flatMap((folder) =>
    ['spec.ts', 'test.ts', 'e2e-spec.ts', 'int-spec.ts'].map((ending) => `${folder}/paid-orders.${ending}`),
  );
  const isFound = (path: string) =>
    roots.some((root) => posix.join('/', path).startsWith(`${posix.join('/', root).replace(/\/$/, '')}/`)) &&
    (patterns.length === 0 ? [USUAL] : patterns).some((pattern) => pattern.test(posix.join('/', path)));
  return places.find(isFound) ?? `${beside}/paid-orders.spec.ts`;
}

function runnerOf(tree: Tree, { runner }: Pick<Host, 'runner'>): Runner {
  if (runner === 'vitest') {
    const text = textOf(tree, vitestFiles);
    return {
      roots: ['', ...namesIn(text, 'dir')].slice(-1),
      patterns: namesIn(text, 'include').map(fromGlob),
    };
  }
  const { jest }: { readonly jest?: unknown } = JSON.parse(tree.readText('package.json'));
  // Settings in a file of their own are a program: read as far as a text goes.
  const text = isRecord(jest) ? JSON.stringify(jest) : textOf(tree, jestFiles);
  const rootDir = namesIn(text, 'rootDir')[0] ?? '';
  const inRoot = (path: string) => posix.join(path.replace('<rootDir>', rootDir));
  const roots = namesIn(text, 'roots').map(inRoot);
  return {
    roots: roots.length === 0 ? [rootDir] : roots,
    patterns: [
      ...namesIn(text, 'testRegex').map((source) => new RegExp(source.replaceAll('<rootDir>', ''))),
      ...namesIn(text, 'testMatch').map((glob) => fromGlob(glob.replace('<rootDir>/', ''))),
    ],
  };
}

const textOf = (tree: Tree, names: readonly string[]) => {
  const name = names.find((one) => tree.exists(one));
  return name === undefined ? '' : tree.readText(name);
};

/** The strings of a setting: one, or a list of them. */
function namesIn(text: string, setting: string): string[] {
  const string = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
  const [, value = ''] =
    new RegExp(`["']?\\b${setting}["']?\\s*:\\s*(\\[(?:\\s*(?:${string})\\s*,?)+\\s*\\]|${string})`).exec(
      text,
    ) ?? [];
  return (value.match(new RegExp(string, 'g')) ?? []).map((one) => one.slice(1, -1).replaceAll('\\\\', '\\'));
}

/** What runners take for a pattern of paths: `**`, `*`, `?(x)`, `+(a|b)`, `{a,b}` and `[jt]`. */
function fromGlob(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.^$\\]/g, String.raw`\$&`)
    .replaceAll(
      /([?+*@])\(([^)]*)\)/g,
      (_whole, kind: string, inner: string) => `(${inner})${kind === '@' ? '' : kind}`,
    )
    .replaceAll(/\{([^}]*)\}/g, (_whole, inner: string) => `(${inner.replaceAll(',', '|')})`)
    .replaceAll('**/', '\0')
    .replaceAll(/(?<![)\]])\*/g, '[^/]*')
    .replaceAll('\0', '(.*/)?');
  return new RegExp(`^/${source}$`);
}
