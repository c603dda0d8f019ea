import type ts from 'typescript';
import type { Compiler } from './compiler.js';

/** As wide as the scaffold's Prettier lets a line be. */
const WIDTH = 80;

/** What is imported from one file or package. */
export interface NamedImports {
  readonly names: readonly string[];
  readonly from: string;
}

export const parse = (compiler: Compiler, text: string): ts.SourceFile =>
  compiler.createSourceFile('host.ts', text, compiler.ScriptTarget.Latest, true);

/** Whether the source calls one of the methods of this object, such as `TypeOrmModule.forRoot()`. */
export function callsMethod(
  compiler: Compiler,
  text: string,
  object: string,
  methods: readonly string[],
): boolean {
  return (
    find(parse(compiler, text), (node) =>
      compiler.isCallExpression(node) &&
      compiler.isPropertyAccessExpression(node.expression) &&
      compiler.isIdentifier(node.expression.expression) &&
      node.expression.expression.text === object &&
      methods.includes(node.expression.name.text)
        ? node
        : undefined,
    ) !== undefined
  );
}

/** What the main file of an application says of its root module. */
export type RootModule =
  | { readonly kind: 'imported'; readonly local: string; readonly name: string; readonly from: string }
  /** Nothing is made by `NestFactory.create()` and kept in a variable. */
  | { readonly kind: 'not made' }
  /** It is given something else than an imported class, or what such a class returns. */
  | { readonly kind: 'not imported'; readonly given: string };

/** The class that `NestFactory.create()` is given, and where it is imported from. */
export function rootModuleOf(compiler: Compiler, text: string): RootModule {
  const source = parse(compiler, text);
  const creation = creationIn(compiler, source);
  if (!creation) return { kind: 'not made' };
  const [argument] = creation.call.arguments;
  const local = argument && classIn(compiler, argument);
  const found = local === undefined ? undefined : importOf(compiler, source, local);
  if (local === undefined || !found)
    return { kind: 'not imported', given: argument?.getText(source) ?? 'nothing' };
  return { kind: 'imported', local, ...found };
}

/** `AppModule`, or the class of `AppModule.register(…)`. */
function classIn(compiler: Compiler, node: ts.Expression): string | undefined {
  if (compiler.isIdentifier(node)) return node.text;
  if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression))
    return undefined;
  return classIn(compiler, node.expression.expression);
}

/** By which name, from where; `default` is a name too. */
function importOf(
  compiler: Compiler,
  source: ts.SourceFile,
  local: string,
): { readonly name: string; readonly from: string } | undefined {
  for (const { importClause, moduleSpecifier } of source.statements.filter((one) =>
    compiler.isImportDeclaration(one),
  )) {
    if (!importClause || !compiler.isStringLiteral(moduleSpecifier)) continue;
    const from = moduleSpecifier.text;
    if (importClause.name?.text === local) return { name: 'default', from };
    const { namedBindings } = importClause;
    if (!namedBindings || !compiler.isNamedImports(namedBindings)) continue;
    const found = namedBindings.elements.find(({ name }) => name.text === local);
    if (found) return { name: (found.propertyName ?? found.name).text, from };
  }
  return undefined;
}

/** What a file says of a class that is imported from it by this name: its own name there, or the files that may have it. */
export function exportedClass(
  compiler: Compiler,
  text: string,
  name: string,
): { readonly own: string } | { readonly from: readonly { readonly name: string; readonly from: string }[] } {
  const source = parse(compiler, text);
  const declared = source.statements.filter((one) => compiler.isClassDeclaration(one));
  const isDefault = (one: ts.ClassDeclaration) =>
    one.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DefaultKeyword) ?? false;
  const assigned = source.statements.filter((one) => compiler.isExportAssignment(one))[0]?.expression;
  const wanted = name === 'default' && assigned && compiler.isIdentifier(assigned) ? assigned.text : name;
  const own = declared.find((one) => (wanted === 'default' ? isDefault(one) : one.name?.text === wanted));
  if (own?.name) return { own: own.name.text };
  return {
    from: source.statements
      .filter((one) => compiler.isExportDeclaration(one))
      .flatMap(({ exportClause, moduleSpecifier }) => {
        if (!moduleSpecifier || !compiler.isStringLiteral(moduleSpecifier)) return [];
        const from = moduleSpecifier.text;
        if (!exportClause) return [{ name, from }];
        if (!compiler.isNamedExports(exportClause)) return [];
        const found = exportClause.elements.find((one) => one.name.text === name);
        return found ? [{ name: (found.propertyName ?? found.name).text, from }] : [];
      }),
  };
}

/** The text of what the first call of this method is given first, such as `3000` of `app.listen(3000)`; a constant of the file is looked up. */
export function firstArgumentOf(compiler: Compiler, text: string, method: string): string | undefined {
  const source = parse(compiler, text);
  const argument = find(source, (node) =>
    compiler.isCallExpression(node) &&
    compiler.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === method
      ? node.arguments[0]
      : undefined,
  );
  if (!argument || !compiler.isIdentifier(argument)) return argument?.getText(source);
  return find(source, (node) =>
    compiler.isVariableDeclaration(node) &&
    compiler.isIdentifier(node.name) &&
    node.name.text === argument.text
      ? node.initializer
      : undefined,
  )?.getText(source);
}

/**
 * The source with these calls right after `const app = await NestFactory.create(…)`, but for those that it has: `call` makes one for the
 * variable's name. Undefined where there is no such variable.
 */
export function withCallsAfterCreation(
  compiler: Compiler,
  text: string,
  calls: readonly ((variable: string) => string)[],
): string | undefined {
  const creation = creationIn(compiler, parse(compiler, text));
  if (!creation) return undefined;
  const { variable, statement } = creation;
  const indent = indentAt(text, statement.getStart());
  const lines = calls
    .map((call) => call(variable))
    .filter((call) => !text.includes(call))
    .map((call) => `\n${indent}${call};`);
  return replaced(text, statement.end, statement.end, lines.join(''));
}

/** The source with these imports after its last one, but for those that it has. */
export function withImports(compiler: Compiler, text: string, imports: readonly NamedImports[]): string {
  const source = parse(compiler, text);
  const present = importsOf(compiler, source);
  const isThere = (name: string, from: string) =>
    present.some((one) => one.from === from && one.names.includes(name));
  const last = source.statements.filter((one) => compiler.isImportDeclaration(one)).at(-1);
  const quote = last?.moduleSpecifier.getText(source).startsWith('"') ? '"' : "'";
  const lines = imports.flatMap(({ names, from }) => {
    const lacking = names.filter((name) => !isThere(name, from));
    return lacking.length > 0 ? `import { ${lacking.join(', ')} } from ${quote}${from}${quote};` : [];
  });
  if (lines.length === 0) return text;
  return last
    ? replaced(text, last.end, last.end, lines.map((line) => `\n${line}`).join(''))
    : `${lines.join('\n')}\n\n${text}`;
}

/**
 * The source with these elements at an end of `property` of the class's `@Module({})`. Undefined where they have no place: there is no
 * such class, or its decorator takes something else than an object, or the property is no list.
 */
export function withModuleElements(
  compiler: Compiler,
  text: string,
  className: string,
  property: string,
  elements: readonly string[],
  place: 'first' | 'last' = 'last',
): string | undefined {
  if (elements.length === 0) return text;
  const metadata = metadataOf(compiler, parse(compiler, text), className);
  if (!metadata) return undefined;
  const assignment = metadata.properties.find(
    (one) => one.name && compiler.isIdentifier(one.name) && one.name.text === property,
  );
  if (!assignment) {
    const indent = `${indentAt(text, metadata.getStart())}  `;
    const list = listText(`${indent}${property}: `, elements, indent);
    const gap = metadata.properties.length === 0 ? `\n${indent.slice(2)}` : '';
    const start = metadata.getStart() + 1;
    return replaced(text, start, start, `\n${indent}${property}: ${list},${gap}`);
  }
  if (
    !compiler.isPropertyAssignment(assignment) ||
    !compiler.isArrayLiteralExpression(assignment.initializer)
  )
    return undefined;
  return withElements(text, assignment.initializer, elements, {
    place,
    indent: indentAt(text, assignment.getStart()),
  });
}

function withElements(
  text: string,
  list: ts.ArrayLiteralExpression,
  elements: readonly string[],
  { place, indent }: { readonly place: 'first' | 'last'; readonly indent: string },
): string {
  const [first] = list.elements;
  const last = list.elements.at(-1);
  if (first && last && list.getText().includes('\n')) {
    const start = list.getStart() + 1;
    const before = elements.map((element) => `\n${indent}  ${indented(element, `${indent}  `)},`);
    if (place === 'first') return replaced(text, start, start, before.join(''));
    const added = elements.map((element) => `,\n${indent}  ${indented(element, `${indent}  `)}`);
    return replaced(text, last.end, last.end, added.join(''));
  }
  const present = list.elements.map((element) => element.getText());
  const before = text.slice(text.lastIndexOf('\n', list.getStart()) + 1, list.getStart());
  const all = place === 'first' ? [...elements, ...present] : [...present, ...elements];
  return replaced(text, list.getStart(), list.end, listText(before, all, indent));
}

/** On one line if it fits there, as Prettier has it. `before`: what stands before it on its line. */
function listText(before: string, elements: readonly string[], indent: string): string {
  const line = `[${elements.join(', ')}]`;
  if (!line.includes('\n') && before.length + line.length < WIDTH) return line;
  const lines = elements.map((element) => `${indent}  ${indented(element, `${indent}  `)},\n`);
  return `[\n${lines.join('')}${indent}]`;
}

const indented = (element: string, indent: string) => element.replaceAll('\n', `\n${indent}`);

function metadataOf(
  compiler: Compiler,
  source: ts.SourceFile,
  className: string,
): ts.ObjectLiteralExpression | undefined {
  const declaration = source.statements
    .filter((statement) => compiler.isClassDeclaration(statement))
    .find(({ name }) => name?.text === className);
  const calls = (declaration ? (compiler.getDecorators(declaration) ?? []) : []).map(
    ({ expression }) => expression,
  );
  const decorator = calls
    .filter((call) => compiler.isCallExpression(call))
    .find(({ expression }) => compiler.isIdentifier(expression) && expression.text === 'Module');
  const [metadata] = decorator?.arguments ?? [];
  return metadata && compiler.isObjectLiteralExpression(metadata) ? metadata : undefined;
}

interface Creation {
  readonly call: ts.CallExpression;
  readonly variable: string;
  readonly statement: ts.Statement;
}

/** `const app = await NestFactory.create(…)`, or `app = …` where it was declared before, wherever it stands. */
function creationIn(compiler: Compiler, source: ts.SourceFile): Creation | undefined {
  const made = (statement: ts.Statement, name: ts.Node, value?: ts.Expression): Creation | undefined => {
    if (!value || !compiler.isIdentifier(name)) return undefined;
    const call = compiler.isAwaitExpression(value) ? value.expression : value;
    const isCreation =
      compiler.isCallExpression(call) &&
      compiler.isPropertyAccessExpression(call.expression) &&
      call.expression.getText(source) === 'NestFactory.create';
    return isCreation ? { call, variable: name.text, statement } : undefined;
  };
  return find(source, (statement) => {
    if (compiler.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations) {
        const creation = made(statement, name, initializer);
        if (creation) return creation;
      }
    if (!compiler.isExpressionStatement(statement) || !compiler.isBinaryExpression(statement.expression))
      return undefined;
    const { left, operatorToken, right } = statement.expression;
    return operatorToken.kind === compiler.SyntaxKind.EqualsToken ? made(statement, left, right) : undefined;
  });
}

function importsOf(compiler: Compiler, source: ts.SourceFile): NamedImports[] {
  const declarations = source.statements.filter((one) => compiler.isImportDeclaration(one));
  return declarations.flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    if (!bindings || !compiler.isNamedImports(bindings) || !compiler.isStringLiteral(moduleSpecifier))
      return [];
    return { names: bindings.elements.map(({ name }) => name.text), from: moduleSpecifier.text };
  });
}

/** The first that `look` finds, in the order of the text. */
function find<T>(node: ts.Node, look: (node: ts.Node) => T | undefined): T | undefined {
  return look(node) ?? node.forEachChild((child) => find(child, look));
}

function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? '';
}

const replaced = (text: string, start: number, end: number, by: string) =>
  `${text.slice(0, start)}${by}${text.slice(end)}`;
