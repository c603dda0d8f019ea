import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceSpecifier } from './make-host.js';
import type { Build, Row } from './rows.js';
import { environment, run } from './run.js';

const tsc = (module: string, resolution: string): readonly string[] => [
  'tsc',
  '-p',
  'tsconfig.build.json',
  '--module',
  module,
  '--moduleResolution',
  resolution,
];

/** What the application runs of its own, by the build. */
const builders: Readonly<Record<Exclude<Build, 'none'>, readonly string[]>> = {
  nest: ['nest', 'build'],
  webpack: ['nest', 'build', '--builder', 'webpack'],
  rspack: ['nest', 'build', '--builder', 'rspack'],
  swc: ['nest', 'build', '--builder', 'swc'],
  node16: tsc('node16', 'node16'),
  // The scaffold's own setting belongs to the newer resolutions.
  node10: [...tsc('commonjs', 'node10'), '--resolvePackageJsonExports', 'null'],
};

/** The tests that docs/testing.md shows. */
export const guideSpecs = ['guide.spec.ts', 'unit.spec.ts'];
/** What that page adds in Vitest. */
export const guideLineInVitest = "import { afterAll, beforeAll, expect, it } from 'vitest';";

/** Where a row is tried. */
export interface Stage {
  readonly databaseUrl: string;
  /** The folder of the program `node`; null: the one of this process. */
  readonly nodeFolder: string | null;
}

/** Tries a row in its application, by the scaffold's own tests or by a built program. @throws Error if that fails */
export async function tryRow(root: string, application: string, row: Row, stage: Stage): Promise<void> {
  const { PATH = '' } = process.env;
  const env = environment({
    DATABASE_URL: stage.databaseUrl,
    TEST_SERVER_URL: stage.databaseUrl,
    PATH: stage.nodeFolder === null ? PATH : `${stage.nodeFolder}:${PATH}`,
    NO_COLOR: '1',
  });
  await (row.build === 'none'
    ? testSources(root, application, row, env)
    : runBuilt(application, row.build, env));
}

/** Other rows share the application: nothing of this one is left in it. */
async function testSources(
  root: string,
  application: string,
  row: Row,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const specs = row.does === 'guide' ? await guideOf(root, row) : { 'payment.spec.ts': specOf(row) };
  const paths = Object.keys(specs).map((name) => join(application, 'src', name));
  try {
    for (const [name, text] of Object.entries(specs)) await writeFile(join(application, 'src', name), text);
    const printed = await run(application, 'npm', ['test'], env);
    mustInclude(printed, ...Object.keys(specs));
  } finally {
    for (const path of paths) await rm(path, { force: true });
  }
}

/** The tests of docs/testing.md as they stand there, with the line that it adds in Vitest. */
async function guideOf(root: string, { modules }: Row): Promise<Readonly<Record<string, string>>> {
  const specs: Record<string, string> = {};
  for (const name of guideSpecs) {
    const text = await readFile(join(root, 'test/testing', name), 'utf8');
    specs[name] = modules === 'cjs' ? text : `${guideLineInVitest}\n${text}`;
  }
  return specs;
}

function mustInclude(printed: string, ...marks: readonly string[]): void {
  const missing = marks.filter((mark) => !printed.includes(mark));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} did not run:\n${printed}`);
}

async function runBuilt(
  application: string,
  build: Exclude<Build, 'none'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // What an earlier build left would be taken for up to date.
  await rm(join(application, 'dist'), { recursive: true, force: true });
  for (const name of ['tsconfig.tsbuildinfo', 'tsconfig.build.tsbuildinfo'])
    await rm(join(application, name), { force: true });
  const [command = '', ...args] = builders[build];
  await run(application, join(application, 'node_modules', '.bin', command), args, env);
  mustInclude(await run(application, 'node', ['dist/main.js'], env), 'paid\n');
}

function specOf(row: Row): string {
  const fastify = row.http === 'fastify';
  return `import { takePayment } from '${sourceSpecifier(row)}';
${fastify ? "import { FastifyAdapter } from '@nestjs/platform-fastify';\n" : ''}
it('takes a payment', () => takePayment(${fastify ? 'new FastifyAdapter()' : ''}), 300_000);
`;
}
