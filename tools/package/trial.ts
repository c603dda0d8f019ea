import { rm, writeFile } from 'node:fs/promises';
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
  webpack: ['nest', 'build', '--webpack'],
  swc: ['nest', 'build', '--builder', 'swc'],
  node16: tsc('node16', 'node16'),
  // The scaffold's own setting belongs to the newer resolutions.
  node10: [...tsc('commonjs', 'node10'), '--resolvePackageJsonExports', 'null'],
};

/** Where the payment is taken. */
export interface Stage {
  readonly databaseUrl: string;
  /** The folder of the program `node`; null: the one of this process. */
  readonly nodeFolder: string | null;
}

/** Takes the payment in an application, by the scaffold's own tests or by a built program. @throws Error if that fails */
export async function takePaymentIn(application: string, row: Row, stage: Stage): Promise<void> {
  const { PATH = '' } = process.env;
  const env = environment({
    DATABASE_URL: stage.databaseUrl,
    PATH: stage.nodeFolder === null ? PATH : `${stage.nodeFolder}:${PATH}`,
    NO_COLOR: '1',
  });
  const mark = row.build === 'none' ? 'payment.spec.ts' : 'paid\n';
  const printed = await (row.build === 'none'
    ? testSources(application, row, env)
    : runBuilt(application, row.build, env));
  if (!printed.includes(mark)) throw new Error(`It did not run:\n${printed}`);
}

async function testSources(application: string, row: Row, env: NodeJS.ProcessEnv): Promise<string> {
  await writeFile(join(application, 'src', 'payment.spec.ts'), specOf(row));
  return run(application, 'npm', ['test'], env);
}

async function runBuilt(
  application: string,
  build: Exclude<Build, 'none'>,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  // What an earlier build left would be taken for up to date.
  await rm(join(application, 'dist'), { recursive: true, force: true });
  for (const name of ['tsconfig.tsbuildinfo', 'tsconfig.build.tsbuildinfo'])
    await rm(join(application, name), { force: true });
  const [command = '', ...args] = builders[build];
  await run(application, join(application, 'node_modules', '.bin', command), args, env);
  return run(application, 'node', ['dist/main.js'], env);
}

function specOf(row: Row): string {
  const fastify = row.http === 'fastify';
  return `import { takePayment } from '${sourceSpecifier(row)}';
${fastify ? "import { FastifyAdapter } from '@nestjs/platform-fastify';\n" : ''}
it('takes a payment', () => takePayment(${fastify ? 'new FastifyAdapter()' : ''}), 300_000);
`;
}
