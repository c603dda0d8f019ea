import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from './packed.js';

const titlesByFile = new Map<string, ReadonlySet<string>>();

/** The titles of a file's tests; of a table (`it.each`), its title as written. Throws if there is no such file. */
export function titlesOf(file: string): ReadonlySet<string> {
  const known = titlesByFile.get(file);
  if (known) return known;
  const source = ts.createSourceFile(
    file,
    readFileSync(join(workspace, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  titlesByFile.set(file, titles);
  return titles;
}

/** `it(…)`, `it.each(…)(…)`; not `it.skip`, which proves nothing. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it';
  const each = ts.isCallExpression(callee) ? callee.expression : undefined;
  return (
    each !== undefined &&
    ts.isPropertyAccessExpression(each) &&
    each.name.text === 'each' &&
    ts.isIdentifier(each.expression) &&
    each.expression.text === 'it'
  );
}
