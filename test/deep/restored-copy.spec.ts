import { PaymentsModule, PaymentsOperator, PaymentsService, paymentsMigrations } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { paymentsOptions, startTestSandbox } from '../hosts/host.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { query } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { orderInput } from '../support/payments-host.js';

const compiled = new URL('../../dist/examples/shared/database/postgres.js', import.meta.url).href;
const program = `
  const { openEmbeddedPostgres } = await import(${JSON.stringify(compiled)});
  const { url, close } = await openEmbeddedPostgres({ dataDir: process.argv[1] });
  console.log(JSON.stringify({ url }));
  process.stdin.once('data', () => close().then(() => process.exit(0)));
`;

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

describe('a database whose server comes back with a copy of its data from before, on the same timeline', () => {
  const dataDir = join(tmpdir(), `holdfast-restored-${process.pid}`);
  const copy = `${dataDir}-copy`;
  let server: Server;
  let sandbox: Sandbox;
  let app: INestApplicationContext | undefined;

  async function start(): Promise<Server> {
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', program, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('The server cannot say where it is.');
    const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
    const { url }: Pick<Server, 'url'> = JSON.parse(String(line));
    return {
      url,
      async stop() {
        const exited = once(child, 'exit');
        child.stdin?.write('close\n');
        await exited;
      },
    };
  }

  beforeAll(async () => {
    server = await start();
    sandbox = await startTestSandbox();
    const dataSource = new DataSource({ type: 'postgres', url: server.url, migrations: paymentsMigrations });
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
  });
  afterAll(async () => {
    await app?.close();
    await sandbox.close();
    await server.stop();
    for (const folder of [dataDir, copy]) await rm(folder, { recursive: true, force: true });
  });

  it('is noticed by the process that lives on, and its lost payments lie within the window', async () => {
    const proxy = await startDatabaseProxy(server.url);
    @Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: proxy.url, autoLoadEntities: true }),
        PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: { intervalMs: 200 } }),
      ],
    })
    class HostModule {}
    app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
    const counter = async () => {
      const [row] = await query<{ counter: string }>(server.url, 'SELECT counter FROM payments_commit_mark');
      return Number(row?.counter);
    };
    const kept = await app.get(PaymentsService).create(orderInput('kept'));
    const atFirst = await counter();
    await eventually(counter, (now) => now > atFirst);
    await server.stop();
    // With its owner, who is not the one that runs the tests where that is root.
    await promisify(execFile)('cp', ['-a', dataDir, copy]);

    server = await start();
    proxy.turnTo(server.url);
    const before = await counter();
    const lost = await eventually(
      () =>
        app
          ?.get(PaymentsService)
          .create(orderInput('lost'))
          .catch(() => null) ?? Promise.resolve(null),
      (payment) => payment !== null,
    );
    await eventually(counter, (now) => now > before);
    await server.stop();
    await rm(dataDir, { recursive: true });
    await rename(copy, dataDir);

    server = await start();
    proxy.turnTo(server.url);
    const operator = app.get(PaymentsOperator);
    const [recovery, ...others] = await eventually(
      () => operator.recoveries().catch(() => []),
      ({ length }) => length > 0,
    );
    expect(others).toEqual([]);
    expect(recovery).toMatchObject({ reason: 'commits_lost' });
    const within = (at: Date | undefined) =>
      at !== undefined && recovery !== undefined && at > recovery.from && at < recovery.to;
    expect([within(lost?.createdAt), within(kept.createdAt)]).toEqual([true, false]);
    expect(await app.get(PaymentsService).findByOrder('lost')).toEqual([]);
    await app.close();
    app = undefined;
    await proxy.close();
  });
});
