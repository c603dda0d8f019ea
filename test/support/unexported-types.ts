import { relative } from 'node:path';
import ts from 'typescript';

/**
 * Which types of a package its declarations name and none of its entries exports, as `who names → what`: whoever hovers over the one
 * sees a name that they cannot write. `folder`: where the package stands; `entries`: its declaration files.
 */
export function unexportedTypes(folder: string, entries: readonly string[]): string[] {
  const program = ts.createProgram([...entries], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = new Set(
    entries.flatMap((entry) => {
      const file = program.getSourceFile(entry);
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${entry} is no entry with exports.`);
      return checker.getExportsOfModule(module).map(resolved);
    }),
  );
  const found = new Set<string>();
  /** `inShape`: within a class that is seen as its fields alone, and so are those it extends. */
  const look = (node: ts.Node, within: string, inShape = false): void => {
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const symbol = named && resolved(named);
    const [declaration] = symbol?.declarations ?? [];
    const file = declaration?.getSourceFile();
    if (symbol && declaration && file?.fileName.startsWith(folder) && !exported.has(symbol)) {
      const isOwnName = node.parent === declaration;
      const isShape = isReadonly(node.parent.parent) || (inShape && ts.isHeritageClause(node.parent.parent));
      if (ts.isVariableDeclaration(declaration) || isShape) {
        if (!isOwnName) look(declaration, within, isShape);
        // A file is what a namespace import names: no type of its own.
      } else if (!ts.isSourceFile(declaration) && ts.isSourceFile(declaration.parent) && !isOwnName)
        found.add(`${within} → ${symbol.name} (${relative(folder, file.fileName)})`);
    }
    ts.forEachChild(node, (child) => look(child, within, inShape));
  };
  for (const symbol of exported)
    for (const declaration of symbol.declarations ?? []) look(declaration, symbol.name);
  return [...found].toSorted();
}

function isReadonly(node: ts.Node): boolean {
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'Readonly';
}
