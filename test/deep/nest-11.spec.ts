import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { npmInstall, packBoth, runIn, workspace } from '../support/packed.js';

/** How long installing takes depends on the machine and the registry. */
const PATIENCE_MS = 600_000;

/** The first block of this language below the README's heading for Nest 11. */
async function blockOf(language: string): Promise<string> {
  const readme = await readFile(join(workspace, 'README.md'), 'utf8');
  const [, below = ''] = readme.split('\n### With Nest 11\n');
  return new RegExp(`\\n\`\`\`${language}\\n([^]*?)\\n\`\`\``).exec(below)?.[1] ?? '';
}

async function versionsOfReadme(): Promise<string[]> {
  return (await blockOf('sh')).split(' ').filter((word) => word.includes('@'));
}

/** An application as most are today: CommonJS, Nest 11, TypeORM 0.3; all of it installed from archive and registry. */
describe('a host with Nest 11 and TypeORM 0.3', () => {
  let host: string;
  let database: TestDatabase;

  beforeAll(async () => {
    host = await mkdtemp(join(tmpdir(), 'holdfast-nest-11-'));
    database = await createTestDatabase();
    await query(database.url, 'CREATE SCHEMA billing');
    const { payments, sandbox } = await packBoth(host);
    await writeFile(join(host, 'package.json'), '{ "name": "host", "private": true }');
    await npmInstall(host, [
      payments,
      sandbox,
      ...(await versionsOfReadme()),
      '@nestjs/common@11',
      '@nestjs/core@11',
      '@nestjs/platform-express@11',
      '@nestjs/testing@11',
      '@types/jest@30',
      '@types/node@20',
      'jest@30',
      'reflect-metadata@0.2',
      'rxjs@7',
      'ts-jest@29',
      'typescript@5',
    ]);
    await copyFile(join(workspace, 'test', 'deep', 'nest-11', 'main.ts'), join(host, 'main.ts'));
  }, PATIENCE_MS);
  afterAll(async () => {
    await database.drop();
    await rm(host, { recursive: true });
  });

  async function compile(options: object): Promise<void> {
    const compilerOptions = {
      strict: true,
      target: 'ES2023',
      types: ['node'],
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      ...options,
    };
    await writeFile(join(host, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    await runIn(host, process.execPath, ['node_modules/typescript/bin/tsc']);
  }

  it(
    'compiles as CommonJS with both module resolutions, captures a part, refunds a part and is notified of a hold near its end',
    async () => {
      await compile({ module: 'commonjs', moduleResolution: 'node10' });
      await compile({ module: 'nodenext' });
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
      const { stdout, stderr } = await runIn(host, process.execPath, ['main.js'], env);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({
        refunded: expect.objectContaining({
          reference: 'A-1',
          state: 'partially_refunded',
          paid: { value: '60.00', currency: 'RUB' },
          refunded: { value: '10.00', currency: 'RUB' },
        }),
        received: ['hold.expiring A-2 flag'],
      });
    },
    PATIENCE_MS,
  );
});
