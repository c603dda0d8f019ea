import { paymentsMigrations } from '@holdfast/payments';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { CleanUp } from '../../../examples/shared/clean-up.js';
import { openMigrated } from '../../../examples/shared/database/migrate.js';
import { openEmbeddedPostgres, type RunningPostgres } from '../../../examples/shared/database/postgres.js';
import { ReplicatedDatabase } from '../../common/replicated-database.js';

/** What makes a commit survive a crash. A figure without it does not count. */
const durability = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

const LOOK_MS = 20;

/** The PostgreSQL that all contenders work on, as installed, with its durability on. */
export class Server {
  #next = 0;
  #migrated: string | null = null;
  #running: RunningPostgres;

  private constructor(
    private readonly dataDir: string,
    running: RunningPostgres,
  ) {
    this.#running = running;
  }

  static async start(cleanUp: CleanUp): Promise<Server> {
    const dataDir = newFolder();
    cleanUp.add(() => rm(dataDir, { recursive: true, force: true }));
    const server = new Server(dataDir, await openEmbeddedPostgres({ dataDir }));
    cleanUp.add(() => server.#running.close());
    await server.#checkDurability();
    return server;
  }

  /** One with a standby on the same machine, for which every commit waits that asks for more than its own server's disk. */
  static async startWithStandby(cleanUp: CleanUp): Promise<Server> {
    const folder = newFolder();
    const replicated = await ReplicatedDatabase.start(folder);
    cleanUp.add(() => replicated.close());
    const adminUrl = replicated.primaryAdminUrl;
    const server = new Server(folder, { url: adminUrl, adminUrl, close: () => replicated.close() });
    await server.#checkDurability();
    await server.#ask(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await server.#ask('SELECT pg_reload_conf()');
    const state = () => server.#ask('SELECT sync_state FROM pg_stat_replication');
    while ((await state()) !== 'sync') await delay(LOOK_MS);
    return server;
  }

  async #checkDurability(): Promise<void> {
    for (const name of durability)
      if ((await this.#ask(`SHOW ${name}`)) !== 'on') throw new Error(`PostgreSQL runs without ${name}`);
  }

  /** Version and durability, as printed above the tables. */
  async describe(): Promise<string> {
    const version = await this.#ask('SHOW server_version');
    return `PostgreSQL ${version}; ${durability.map((name) => `${name} on`).join(', ')}; everything else as installed`;
  }

  /** The URL of an empty database, as superuser, because only a superuser may load rows past the foreign keys. */
  database(name: string): Promise<string> {
    return this.#copy(name, 'template1');
  }

  /** A database with the module's tables: a copy of one that is migrated once. */
  async migrated(name: string): Promise<string> {
    this.#migrated ??= await this.#migrate();
    return this.#copy(name, this.#migrated);
  }

  async #migrate(): Promise<string> {
    const url = await this.database('migrated');
    const dataSource = await openMigrated({ type: 'postgres', url, migrations: paymentsMigrations });
    await dataSource.destroy();
    return databaseOf(url);
  }

  async #copy(name: string, template: string): Promise<string> {
    const unique = `bench_${name.replaceAll(/\W/g, '_')}_${(this.#next += 1)}`;
    await this.#ask(`CREATE DATABASE ${unique} TEMPLATE ${template}`);
    const url = new URL(this.#running.adminUrl);
    url.pathname = `/${unique}`;
    return url.href;
  }

  async drop(databaseUrl: string): Promise<void> {
    await this.#ask(`DROP DATABASE IF EXISTS ${databaseOf(databaseUrl)} WITH (FORCE)`);
  }

  /** Restarts it with a library that counts statements, or without. Databases stay; their addresses change. */
  async countStatements(on: boolean): Promise<void> {
    await this.#ask(
      on
        ? `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`
        : 'ALTER SYSTEM RESET shared_preload_libraries',
    );
    await this.#running.close();
    this.#running = await openEmbeddedPostgres({ dataDir: this.dataDir });
  }

  async #ask(sql: string): Promise<string | undefined> {
    const client = new Client(this.#running.adminUrl);
    await client.connect();
    try {
      const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
      return rows[0]?.[0];
    } finally {
      await client.end();
    }
  }
}

function newFolder(): string {
  return join(tmpdir(), `holdfast_bench_${randomBytes(4).toString('hex')}`);
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
