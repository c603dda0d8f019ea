import { createRequire } from 'node:module';
import type TypeScript from 'typescript';

/** The functions of the package `typescript`. */
export type Compiler = typeof TypeScript;

/**
 * The TypeScript that the application's own Nest CLI works with, or else its own: no other package has to be installed for it, and
 * whoever runs a schematic has one. The CLI's goes first since a newer `typescript` may have no functions.
 * @throws Error if neither is there
 */
export function compilerOf(root: string): Compiler {
  const host = createRequire(`${root}/package.json`);
  try {
    return createRequire(host.resolve('@nestjs/cli/package.json'))('typescript');
  } catch {
    return host('typescript');
  }
}
