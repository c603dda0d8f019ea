import {
  PaymentOutcomeUnknownError,
  PaymentsModule,
  paymentsMigrations,
  PaymentsService,
} from '@holdfast/payments';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DataSource } from 'typeorm';
import { testAccount } from '../support/account.js';
import { query } from '../support/database.js';
import { startOddService, type OddService } from '../support/odd-service.js';
import { orderInput } from '../support/payments-host.js';

const compiled = new URL('../../dist/examples/shared/database/postgres.js', import.meta.url).href;
const program = `
  const { openEmbeddedPostgres } = await import(${JSON.stringify(compiled)});
  const { url, adminUrl, close } = await openEmbeddedPostgres({ dataDir: process.argv[1] });
  console.log(JSON.stringify({ url, adminUrl }));
  process.stdin.once('data', () => close().then(() => process.exit(0)));
`;

interface Server {
  readonly url: string;
  readonly adminUrl: string;
  readonly child: ChildProcess;
}

describe('a database whose server loses its power as a request arrives at the service', () => {
  const dataDir = join(tmpdir(), `holdfast-power-${process.pid}`);
  let server: Server;
  let service: OddService;

  async function start(): Promise<Server> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
    const { url, adminUrl }: Pick<Server, 'url' | 'adminUrl'> = JSON.parse(String(line));
    return { url, adminUrl, child };
  }

  async function stop({ child }: Server): Promise<void> {
    const exited = once(child, 'exit');
    child.stdin?.write('close\n');
    await exited;
  }

  /** What was not written to the disk by then is gone. */
  async function cutPower(): Promise<void> {
    const [pid] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  }

  async function openHost() {
    @Module({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: server.url, autoLoadEntities: true }),
        PaymentsModule.forRoot({
          ...testAccount,
          serviceUrl: service.url,
          sweeps: false,
          requestTimeoutMs: 1_000,
          callDeadlineMs: 2_000,
        }),
      ],
    })
    class HostModule {}
    return NestFactory.create(HostModule, { logger: false, abortOnError: false });
  }

  beforeAll(async () => {
    server = await start();
    service = await startOddService();
    const dataSource = new DataSource({ type: 'postgres', url: server.url, migrations: paymentsMigrations });
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    // Nobody writes what a commit did not wait for, for as long as the server can be told to.
    await query(server.adminUrl, `ALTER SYSTEM SET wal_writer_delay = '10s'`);
    await query(server.adminUrl, `ALTER SYSTEM SET wal_writer_flush_after = 0`);
    await query(server.adminUrl, `ALTER ROLE holdfast SET synchronous_commit = off`);
    await query(server.adminUrl, 'SELECT pg_reload_conf()');
  });
  afterAll(async () => {
    await service.close();
    await stop(server);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('still has the operation when it is back, though its role commits without waiting', async () => {
    service.answers = [
      (_request, response) => {
        void cutPower().then(() => response.destroy());
      },
      (_request, response) => response.destroy(),
    ];
    const app = await openHost();
    await app.init();
    // Wakes the writer, so that it sleeps its ten seconds from now on.
    await query(server.url, 'CREATE TABLE woken (id int)');
    const create = app.get(PaymentsService).create(orderInput('power'));
    await expect(create).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    await app.close();
    await stop(server);
    const [request] = service.received;
    server = await start();
    expect(
      await query(server.url, 'SELECT kind, outcome FROM payments_operations WHERE idempotence_key = $1', [
        request?.headers['idempotence-key'],
      ]),
    ).toEqual([{ kind: 'create', outcome: 'unknown' }]);
  });
});
