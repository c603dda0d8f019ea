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

/** The class that `NestFactory.create()` is given, and where it is imported from; undefined where the source does not say. */
export function rootModuleOf(
  compiler: Compiler,
  text: string,
): { readonly name: string; readonly from: string } | undefined {
  const source = parse(compiler, text);
  const [argument] = creationIn(compiler, source)?.call.arguments ?? [];
  if (!argument || !compiler.isIdentifier(argument)) return undefined;
  const name = argument.text;
  const declaration = importsOf(compiler, source).find(({ names }) => names.includes(name));
  return declaration && { name, from: declaration.from };
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
 * The source with these elements at the end of `property` of the class's `@Module({})`. Undefined where they have no place: there is no
 * such class, or its decorator takes something else than an object, or the property is no list.
 */
export function withModuleElements(
  compiler: Compiler,
  text: string,
  className: string,
  property: string,
  elements: readonly string[],
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
  return withElements(text, assignment.initializer, elements, indentAt(text, assignment.getStart()));
}

function withElements(
  text: string,
  list: ts.ArrayLiteralExpression,
  elements: readonly string[],
  indent: string,
): string {
  const last = list.elements.at(-1);
  if (last && list.getText().includes('\n')) {
    const added = elements.map((element) => `,\n${indent}  ${indented(element, `${indent}  `)}`);
    return replaced(text, last.end, last.end, added.join(''));
  }
  const present = list.elements.map((element) => element.getText());
  const before = text.slice(text.lastIndexOf('\n', list.getStart()) + 1, list.getStart());
  return replaced(text, list.getStart(), list.end, listText(before, [...present, ...elements], indent));
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
  readonly statement: ts.VariableStatement;
}

/** `const app = await NestFactory.create(…)`, wherever it stands. */
function creationIn(compiler: Compiler, source: ts.SourceFile): Creation | undefined {
  return find(source, (statement) => {
    if (!compiler.isVariableStatement(statement)) return undefined;
    const [declaration] = statement.declarationList.declarations;
    const value = declaration?.initializer;
    if (!declaration || !value || !compiler.isIdentifier(declaration.name)) return undefined;
    const call = compiler.isAwaitExpression(value) ? value.expression : value;
    const isCreation =
      compiler.isCallExpression(call) &&
      compiler.isPropertyAccessExpression(call.expression) &&
      call.expression.getText(source) === 'NestFactory.create';
    return isCreation ? { call, variable: declaration.name.text, statement } : undefined;
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
