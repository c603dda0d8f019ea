import { join } from 'node:path';
import ts from 'typescript';
import { entriesOf } from '../../tools/api/entries.js';
import { workspace } from './packed.js';

/** What a host imports: each by its file in `src`, the main one as `index`. */
export const entries = await entriesOf(workspace, 'payments');

const pathOf = (entry: string) => join(workspace, 'libs/payments/src', `${entry}.ts`);

/**
 * The package's types as a host's compiler sees them, with files of the host's own, by their paths. What `before` has read is not
 * read again.
 */
export function publicProgram(files: ReadonlyMap<string, string>, before?: ts.Program): ts.Program {
  const { config } = ts.readConfigFile(join(workspace, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, workspace);
  // What an example declares it need not use, and it shows a part of a file.
  const lenient = {
    ...options,
    isolatedModules: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(lenient);
  const withOwn: ts.CompilerHost = {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => {
      const own = files.get(path);
      return own === undefined
        ? host.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, own, rest[0], true);
    },
  };
  return ts.createProgram([...entries.map(pathOf), ...files.keys()], lenient, withOwn, before);
}

/** What an entry exports. */
export const exportsOf = (program: ts.Program, entry: string): ts.Symbol[] =>
  exportsOfFile(program, pathOf(entry));

export function exportsOfFile(program: ts.Program, path: string): ts.Symbol[] {
  const file = program.getSourceFile(path);
  const module = file && program.getTypeChecker().getSymbolAtLocation(file);
  const checker = program.getTypeChecker();
  const exported = module ? checker.getExportsOfModule(module) : [];
  return exported.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
}
