import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const workspace = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Some tests start compiled programs, and one of yesterday would answer for the sources of today.
 *
 * @throws Error that names a source that was changed since it was compiled, if it was at all
 */
export function mustBeBuilt(root = workspace) {
  const config = join(root, 'tsconfig.build.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    dirname(config),
  );
  const { outDir, rootDir } = options;
  const changed = fileNames
    .map((name) => relative(rootDir, name))
    .find((name) => {
      const compiled = statSync(join(outDir, name.replace(/\.tsx?$/, '.js')), { throwIfNoEntry: false });
      return !compiled || compiled.mtimeMs < statSync(join(rootDir, name)).mtimeMs;
    });
  if (changed === undefined) return;
  throw new Error(
    `dist is older than the sources (${changed}): run npm run build first; npm test does so itself.`,
  );
}
