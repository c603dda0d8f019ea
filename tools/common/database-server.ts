import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { openEmbeddedPostgres, type RunningPostgres } from '../../examples/shared/database/postgres.js';

/** A PostgreSQL that is stopped and started again; each time it has another port. */
export class DatabaseServer {
  #running: RunningPostgres;

  private constructor(
    readonly dataDir: string,
    running: RunningPostgres,
  ) {
    this.#running = running;
  }

  /** Durable, unlike the servers of tests: what it has acknowledged must still exist after an immediate stop. */
  static async start(dataDir: string): Promise<DatabaseServer> {
    return new DatabaseServer(dataDir, await openEmbeddedPostgres({ dataDir }));
  }

  get url(): string {
    return this.#running.url;
  }

  get adminUrl(): string {
    return this.#running.adminUrl;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Same as `pg_ctl stop -m immediate`: nothing is finished and nothing written, so the next start has to recover. */
  async stopImmediately(): Promise<void> {
    const [pid] = (await readFile(join(this.dataDir, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await this.#running.close();
  }

  async startAgain(): Promise<void> {
    this.#running = await openEmbeddedPostgres({ dataDir: this.dataDir });
  }

  /** Ends without finishing anything, and is started again after this time. Nothing is lost. */
  async restart(downMs: number): Promise<void> {
    await this.stopImmediately();
    await delay(downMs);
    await this.startAgain();
  }

  close(): Promise<void> {
    return this.#running.close();
  }
}
