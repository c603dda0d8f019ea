import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { workspace } from '../support/packed.js';
import { exportsOfFile, publicProgram } from '../support/public-program.js';

/** Code that a reader copies: a block of a document, or an `@example`. */
export interface Example {
  /** Path and line. */
  readonly where: string;
  readonly text: string;
  /** The interface that it is a property of, where it is the example of an option. */
  readonly options?: string;
}

/** Every block of TypeScript in the README and the documents. */
export async function documentedExamples(): Promise<Example[]> {
  const pages = (await readdir(join(workspace, 'docs'))).filter((name) => name.endsWith('.md'));
  const paths = [
    'README.md',
    'libs/payments/README.md',
    'libs/board/README.md',
    'libs/sandbox/README.md',
    ...pages.map((name) => `docs/${name}`),
  ];
  const each = paths.map(async (path) => {
    const page = await readFile(join(workspace, path), 'utf8');
    return [...page.matchAll(/^( *)```ts\n([\s\S]*?)^\1```/gm)].map(({ index, 2: text = '' }) => ({
      where: `${path}:${page.slice(0, index).split('\n').length}`,
      text,
    }));
  });
  return (await Promise.all(each)).flat();
}

/** Every `@example` of the package. */
export function commentedExamples(program: ts.Program): Example[] {
  const found: Example[] = [];
  const look = (node: ts.Node): void => {
    for (const tag of ts.getJSDocTags(node)) {
      if (tag.tagName.text !== 'example' || tag.parent.parent !== node) continue;
      const file = tag.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(tag.pos);
      const where = `${relative(workspace, file.fileName)}:${line + 1}`;
      const options =
        ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent)
          ? node.parent.name.text
          : undefined;
      found.push({ where, text: ts.getTextOfJSDocComment(tag.comment) ?? '', ...(options && { options }) });
    }
    ts.forEachChild(node, look);
  };
  for (const file of program.getSourceFiles())
    if (file.fileName.startsWith(join(workspace, 'libs/payments/src'))) look(file);
  return found;
}

const folder = join(workspace, 'test/docs');
const given = join(folder, 'given.ts');

/** The package's types with what the examples are given. */
export const programWithGiven = () => publicProgram(new Map([[given, ts.sys.readFile(given) ?? '']]));

/** What is wrong with them for a host's compiler, each with where it stands. `before`: the program with what they are given. */
export function faultsOf(examples: readonly Example[], before: ts.Program): string[] {
  const names = exportsOfFile(before, given).map(({ name }) => name);
  const files = new Map(
    examples.map((example, index) => [join(folder, `example-${index}.ts`), programOf(example, names)]),
  );
  return faultsIn(files, before).map(
    ({ path, message }) => `${examples[[...files.keys()].indexOf(path)]?.where}: ${message}`,
  );
}

/** What is wrong with files of a host, by their paths, for its compiler. */
export function faultsIn(
  files: ReadonlyMap<string, string>,
  before: ts.Program,
): { path: string; message: string }[] {
  const program = publicProgram(files, before);
  return [...files.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => ({ path, message: ts.flattenDiagnosticMessageText(messageText, '\n') }),
    );
  });
}

/** Where code can stand: it stands in the first of these in which it is no syntax error. */
const places = [
  (text: string) => `async function example(this: Host) {\n${text}\n}`,
  (text: string) => `class Example extends Host {\n${text}\n}`,
  (text: string) => `const example = [\n${text}\n];`,
  (text: string) => amongOptions(text, 'PaymentsModuleOptions'),
];

const amongOptions = (text: string, options: string) =>
  `const example = {\n${text}\n} satisfies Partial<${options}>;`;

/** What imports something stands by itself; all else takes what is given. */
function programOf({ text, options }: Example, names: readonly string[]): string {
  const program = options ? amongOptions(text, options) : placed(text);
  if (/^ *import /m.test(text)) return program;
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(program));
  return `import { ${used.join(', ')} } from './given.js';\n${program}`;
}

function placed(text: string): string {
  if (/^ *(import|export) /m.test(text)) return text;
  return places.map((place) => place(text)).find(isWellFormed) ?? text;
}

function isWellFormed(text: string): boolean {
  const compilerOptions = { experimentalDecorators: true, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { reportDiagnostics: true, compilerOptions }).diagnostics?.length === 0;
}
