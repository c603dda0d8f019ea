import type { Tree } from '@angular-devkit/schematics';

/** The application that is set up, as its files say. */
export interface Host {
  /** Folder of its sources, from its root. */
  readonly sourceRoot: string;
  readonly nest: 11 | 12;
  readonly runner: 'jest' | 'vitest';
  readonly manager: 'npm' | 'pnpm' | 'yarn';
}

/** The part of a package.json that is read or written. */
export interface Manifest {
  readonly type?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly holdfast?: { readonly app?: string };
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Of a file that somebody has written, whatever it has. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** @throws Error if this is no application with a Nest that the module works with */
export function hostOf(tree: Tree, sourceRoot: string): Host {
  const manifest = manifestOf(tree, 'package.json');
  const packages = { ...manifest.dependencies, ...manifest.devDependencies };
  return {
    sourceRoot,
    nest: nestOf(tree, packages['@nestjs/core']),
    runner: 'vitest' in packages ? 'vitest' : 'jest',
    manager: tree.exists('pnpm-lock.yaml') ? 'pnpm' : tree.exists('yarn.lock') ? 'yarn' : 'npm',
  };
}

/** @throws Error if the application has no such file */
export function manifestOf(tree: Tree, path: string): Manifest {
  const manifest: Manifest = JSON.parse(tree.readText(path));
  return manifest;
}

/** What is installed counts: a range may be a name of the workspace's (`catalog:`). */
function nestOf(tree: Tree, range = 'none'): Host['nest'] {
  const installed = 'node_modules/@nestjs/core/package.json';
  const version = (tree.exists(installed) && manifestOf(tree, installed).version) || range;
  const major = Number.parseInt(version.replace(/^\D+/, ''), 10);
  if (major === 11 || major === 12) return major;
  throw new Error(
    `The payments module works with Nest 11 and 12, and this application has @nestjs/core ${version}.`,
  );
}
