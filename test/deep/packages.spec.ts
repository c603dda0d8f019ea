import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { entriesOf } from '../../tools/api/entries.js';
import { testAccount } from '../support/account.js';
import { npmInstall, packed, packing, runIn, workspace as root } from '../support/packed.js';
import { openBench } from '../support/payments-host.js';
import { startCopiedPlatform } from '../support/shop-process.js';
import { unexportedTypes } from '../support/unexported-types.js';

const names = ['board', 'payments', 'sandbox'] as const;
/** What `@holdfast/payments` has to be read with no network. */
const guides = [
  'CHANGELOG.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
].toSorted();
/** What Prometheus and Grafana take. */
const monitoring = ['monitoring/alerts.yml', 'monitoring/grafana-dashboard.json'];
const entries = await entriesOf(root, 'payments');
/** As a host imports it. */
const specifierOf = (entry: string) => `@holdfast/payments${entry === 'index' ? '' : `/${entry}`}`;

/** An application in plain JavaScript that prints something as it is loaded. */
function commandApp(by: 'import' | 'require'): string {
  const load = (what: string, from: string) =>
    by === 'import' ? `import { ${what} } from '${from}';` : `const { ${what} } = require('${from}');`;
  return `
    ${load('PaymentsModule', '@holdfast/payments')}
    ${load('Module', '@nestjs/common')}
    ${load('ScheduleModule', '@nestjs/schedule')}
    ${load('TypeOrmModule', '@nestjs/typeorm')}
    ${by === 'import' ? 'await new Promise((resolve) => setImmediate(resolve));' : ''}
    console.log('the application is loaded');
    class AppModule {}
    Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DATABASE_URL, autoLoadEntities: true }),
        PaymentsModule.forRoot({
          shopId: '${testAccount.shopId}',
          secretKey: process.env.PAYMENTS_SECRET_KEY,
          serviceUrl: process.env.PAYMENTS_SERVICE_URL,
          retentionMs: false,
        }),
      ],
    })(AppModule);
    ${by === 'import' ? 'export { AppModule };' : 'exports.AppModule = AppModule;'}
  `;
}

/** How long packing takes depends on the machine. */
const PATIENCE_MS = 600_000;

/** A project of someone else's: it has the packed packages, and everything else from the workspace's node_modules. */
describe('the packed packages', () => {
  let consumer: string;
  let archives: Record<(typeof names)[number], string>;
  const files = new Map<string, string[]>();

  beforeAll(async () => {
    await mkdir(join(root, '.data'), { recursive: true });
    consumer = await mkdtemp(join(root, '.data', 'consumer-'));
    archives = await packed(consumer);
    for (const name of names) {
      const installed = join(consumer, 'node_modules', '@holdfast', name);
      await mkdir(installed, { recursive: true });
      const archive = join(consumer, archives[name]);
      await runIn(consumer, 'tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
      const { stdout } = await runIn(consumer, 'tar', ['-tzf', archive]);
      files.set(
        name,
        stdout
          .trim()
          .split('\n')
          .map((path) => path.replace('package/', '')),
      );
    }
    await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
  }, PATIENCE_MS);
  afterAll(async () => {
    await rm(consumer, { recursive: true });
  });

  /** With the strict settings of a project of its own, which checks the declarations of its packages too. */
  async function compile(texts: Readonly<Record<string, string>>, options: object): Promise<void> {
    for (const [file, text] of Object.entries(texts)) await writeFile(join(consumer, file), text);
    await writeFile(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'ES2023',
          module: 'nodenext',
          types: ['node'],
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          ...options,
        },
        files: Object.keys(texts),
      }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc6');
    await runIn(consumer, process.execPath, [tsc, '-p', consumer]);
  }

  it.each([
    ['board', []],
    ['payments', [...guides, ...monitoring].toSorted()],
    ['sandbox', []],
  ] as const)(
    '@holdfast/%s contains its code, types, README, licence and guides, and nothing of the workspace',
    async (name, documents) => {
      const listed = files.get(name) ?? [];
      const manifest = await readFile(join(root, 'libs', name, 'package.json'), 'utf8');
      const { main, types }: { main: string; types: string } = JSON.parse(manifest);
      const entry = [main, types].map((path) => posix.normalize(path));
      expect(listed).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', ...entry]));
      expect(
        listed
          .filter(
            (path) =>
              !/^(package\.json|schematics\/(collection|nest-add\.schema)\.json|README\.md|LICENSE|bin\/.*\.mjs|dist\/.*\.(js|d\.ts))$/.test(
                path,
              ),
          )
          .toSorted(),
      ).toEqual(documents);
      expect(listed.filter((path) => /\.spec\./.test(path))).toEqual([]);
    },
  );

  it('load in a CommonJS application with a plain require', async () => {
    const script = `console.log(typeof require('@holdfast/payments').PaymentsModule, typeof require('@holdfast/sandbox').startSandbox, typeof require('@holdfast/board').PaymentsBoardModule)`;
    const { stdout } = await runIn(consumer, process.execPath, ['--input-type=commonjs', '-e', script]);
    expect(stdout.trim()).toBe('function function function');
  });

  it('have their entries by require and by import, and each class is one and the same in all of them', async () => {
    const script = `
      const { createRequire } = await import('node:module');
      const require = createRequire(process.cwd() + '/');
      const classes = new Map();
      for (const entry of ${JSON.stringify(entries.map(specifierOf))}) {
        const imported = await import(entry);
        const required = require(entry);
        for (const [name, value] of Object.entries(required)) {
          if (imported[name] !== value || (classes.get(name) ?? value) !== value) console.log(entry, name, 'is another one');
          classes.set(name, value);
        }
      }
      const sought = ['PaymentsService', 'CardPaymentsService', 'PaymentsApi', 'PaymentsPaymentEntity', 'PartnerService', 'ServiceError'];
      console.log(sought.every((name) => classes.has(name)));`;
    const { stdout } = await runIn(consumer, process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout.trim()).toBe('true');
  });

  it('have alert rules and a dashboard where a resolver finds them', async () => {
    const script = `const { createRequire } = await import('node:module'); const { access } = await import('node:fs/promises');
      for (const path of ${JSON.stringify(monitoring)}) await access(createRequire(process.cwd() + '/').resolve('@holdfast/payments/' + path));`;
    await expect(
      runIn(consumer, process.execPath, ['--input-type=module', '-e', script]),
    ).resolves.toBeDefined();
  });

  const everyEntry = entries
    .map((entry, index) => `export * as e${index} from '${specifierOf(entry)}';`)
    .join('\n');

  it.each([
    // In one run of the compiler, which reads the declarations of all packages once.
    [
      'by their exports, from an ES module and from CommonJS, without a fault in any entry',
      ['entries.ts', 'entries.cts'],
      { 'every-entry.ts': everyEntry },
      {},
    ],
    // Nest 12 is ES modules, which require() could not load then: declarations that name it are faults unless they are left unchecked.
    ['before require() loads ES modules', ['entries.ts'], {}, { module: 'node16', skipLibCheck: true }],
    [
      'by the old way of CommonJS projects, which knows no exports',
      ['entries.ts'],
      {},
      { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
    ],
  ])(
    'have types that TypeScript finds %s',
    async (_how, sources, more, options) => {
      const text = `
      import axios from 'axios';
      import { ServiceError, type PaymentsModuleOptions } from '@holdfast/payments';
      import { CardPaymentsService } from '@holdfast/payments/card-data';
      import { PaymentsApi, type PaymentObject, type PaymentsApiOptions } from '@holdfast/payments/client';
      import { PaymentsPaymentEntity } from '@holdfast/payments/entities';
      import { PartnerService, type PartnerOptions } from '@holdfast/payments/partner';
      export const options = (partner: PartnerOptions): PaymentsModuleOptions => ({ partner });
      export const isKnown = (error: unknown) => error instanceof ServiceError;
      export const api = (profile: PaymentsApiOptions) => new PaymentsApi(profile, axios.create());
      export const classes = [CardPaymentsService, PaymentsApi, PaymentsPaymentEntity, PartnerService];
      // @ts-expect-error a status that there is not
      export const status: PaymentObject['status'] & PaymentsPaymentEntity['status'] = 'paid';`;
      const texts = { ...Object.fromEntries(sources.map((source) => [source, text])), ...more };
      await expect(compile(texts, options)).resolves.toBeUndefined();
    },
    PATIENCE_MS,
  );

  it('name no type in the declarations of @holdfast/payments that none of its entries exports', () => {
    const dist = join(consumer, 'node_modules', '@holdfast', 'payments', 'dist');
    const paths = entries.map((entry) => join(dist, `${entry}.d.ts`));
    expect(unexportedTypes(dist, paths)).toEqual([]);
  });

  it.each(names)('@holdfast/%s is found by every resolution as what it is: publint, attw', async (name) => {
    const archive = join(consumer, archives[name]);
    for (const linter of [
      ['publint', 'run', archive, '--strict'],
      ['attw', archive, '--no-emoji'],
    ])
      await expect(runIn(root, 'npx', ['--no', ...linter])).resolves.toBeDefined();
  });

  it('export the names and signatures of the reports in etc', async () => {
    const { stdout } = await runIn(root, process.execPath, ['dist/tools/api/main.js', '--check']);
    expect(stdout).toMatch(/^\d+ entries, 0 changed\n$/);
  });

  it.each(names)('@holdfast/%s has pages whose links work from there', async (name) => {
    const listed = files.get(name) ?? [];
    const astray: string[] = [];
    for (const page of listed.filter((path) => path.endsWith('.md'))) {
      const text = await readFile(join(consumer, 'node_modules/@holdfast', name, page), 'utf8');
      for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        if (!listed.includes(posix.join(posix.dirname(page), link))) astray.push(`${page}: ${link}`);
    }
    expect(astray).toEqual([]);
  });

  it('leave nothing in the workspace of what packing makes', async () => {
    const made = /^(build|dist|docs|CHANGELOG\.md)$/;
    for (const name of names) {
      const left = await packing(() => readdir(join(root, 'libs', name)));
      expect(left.filter((path) => made.test(path))).toEqual([]);
    }
  });

  it('install the command holdfast-sandbox', async () => {
    // Links the command of the installed package, as `npm install` does.
    await runIn(consumer, 'npm', ['rebuild', '--ignore-scripts']);
    const { stdout } = await runIn(consumer, join(consumer, 'node_modules/.bin/holdfast-sandbox'), [
      '--help',
    ]);
    expect(stdout).toMatch(/^Usage: holdfast-sandbox \[flags\]\n/);
  });

  it.each([
    ['an ES module that waits for something as it is loaded', 'app.mjs', 'import'],
    ['CommonJS', 'app.cjs', 'require'],
  ] as const)(
    'install the command of @holdfast/payments, which reads an application in %s',
    async (_kind, file, by) => {
      const bench = await openBench();
      try {
        await (await bench.startHost()).close();
        await writeFile(join(consumer, file), commandApp(by));
        await writeFile(
          join(consumer, 'package.json'),
          JSON.stringify({ type: 'module', holdfast: { app: file } }),
        );
        await runIn(consumer, 'npm', ['rebuild', '--ignore-scripts']);
        const command = join(consumer, 'node_modules/.bin/holdfast-payments');
        const { database, sandbox } = bench;
        const { stdout, stderr } = await runIn(consumer, command, ['pending', '--json'], {
          PATH: process.env['PATH'],
          DATABASE_URL: database.moduleUrl,
          PAYMENTS_SERVICE_URL: sandbox.url,
          PAYMENTS_SECRET_KEY: testAccount.secretKey,
        });
        expect(JSON.parse(stdout)).toMatchObject({ conditions: [], operations: [] });
        expect(stderr).toBe('the application is loaded\n');
      } finally {
        await bench.close();
        await writeFile(join(consumer, 'package.json'), '{ "type": "module" }');
      }
    },
  );

  it('are all that a copy of the example platform needs beside the registry: it builds, starts and shows its first page', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'holdfast-platform-'));
    try {
      // Without what somebody has built or configured there.
      const filter = (path: string) => !/[\\/](node_modules|dist|\.data|\.env)$/.test(path);
      await cp(join(root, 'examples'), copy, { recursive: true, filter });
      const { payments, sandbox } = archives;
      for (const archive of [payments, sandbox]) await copyFile(join(consumer, archive), join(copy, archive));
      await npmInstall(copy, [payments, sandbox]);
      const platform = await startCopiedPlatform(copy, {
        DATABASE_URL: process.env['TEST_SERVER_URL'] ?? '',
      });
      const home = await fetch(platform.url);
      expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('Market Row')]);
      await platform.end('SIGTERM');
      await expect(fetch(platform.url)).rejects.toThrow('fetch failed');
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});
