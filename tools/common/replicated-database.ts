import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

import { copyRunningServer, writeAsOwner } from './base-backup.js';
import { DatabaseServer } from './database-server.js';
import { straightTo, Tunnel } from './tunnel.js';

/** Enough of the log for a standby that connects a little later. */
const KEPT_LOG = '512MB';
const LOOK_MS = 20;

/** Reads the database at this address. */
export type Read<T> = (url: string) => Promise<T>;

/** What was there before commits were lost, and what of it is left. */
export interface Loss<T> {
  readonly had: T;
  readonly has: T;
}

/**
 * A primary and a standby that follows it asynchronously, as most shops' databases are arranged, behind one address that stays the
 * same whichever of them serves. The standby's stream passes through a tunnel, where it is cut: a standby whose replay was merely
 * paused would replay everything at its promotion, and nothing would be lost.
 */
export class ReplicatedDatabase {
  /** Every server that is built has a folder of its own, named by this number. */
  #built = 0;
  #primary: DatabaseServer;
  #standby: DatabaseServer | null = null;
  #isUp = true;
  #isStreaming = true;

  private constructor(
    private readonly folder: string,
    primary: DatabaseServer,
    private readonly entrance: Tunnel,
    private readonly stream: Tunnel,
  ) {
    this.#primary = primary;
  }

  /** `folder` is made, and removed when this is closed. */
  static async start(folder: string): Promise<ReplicatedDatabase> {
    const primary = await DatabaseServer.start(join(folder, 'server-0'));
    const entrance = await Tunnel.open(() => database.#route(database.#isUp));
    const stream = await Tunnel.open(() => database.#route(database.#isUp && database.#isStreaming));
    const database: ReplicatedDatabase = new ReplicatedDatabase(folder, primary, entrance, stream);
    try {
      await ask(primary.adminUrl, `ALTER SYSTEM SET wal_keep_size = '${KEPT_LOG}'`);
      await ask(primary.adminUrl, 'SELECT pg_reload_conf()');
      await database.#buildStandby();
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  /** For clients: the application's role, at the address that stays the same. */
  get url(): string {
    return at(this.#primary.url, this.entrance.port);
  }

  /** As the superuser, at that address. */
  get adminUrl(): string {
    return at(this.#primary.adminUrl, this.entrance.port);
  }

  /** As the superuser, straight to the server that is the primary now: for what is measured. */
  get primaryAdminUrl(): string {
    return this.#primary.adminUrl;
  }

  get port(): number {
    return this.entrance.port;
  }

  /** From here on the standby gets nothing more; it has everything that was committed before the call. */
  async cutReplication(): Promise<void> {
    const standby = this.#promotable();
    const [{ lsn } = { lsn: '0/0' }] = await ask<{ lsn: string }>(
      this.#primary.adminUrl,
      'SELECT pg_current_wal_lsn()::text AS lsn',
    );
    const hasIt = `SELECT pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn AS it`;
    while ((await ask<{ it: boolean }>(standby.adminUrl, hasIt))[0]?.it !== true) await delay(LOOK_MS);
    this.#isStreaming = false;
    this.stream.cut();
  }

  /**
   * The primary dies, and the standby is promoted with what it has. It is read before the first client reaches it; the dead primary
   * is started once more, for that alone. When this resolves, the new primary has served for a while, and has a standby of its own.
   */
  async failOver<T>(read: Read<T>): Promise<Loss<T>> {
    const [dead, promoted] = [this.#primary, this.#promotable()];
    this.#isUp = false;
    await dead.stopImmediately();
    this.entrance.cut();
    this.stream.cut();
    await ask(promoted.adminUrl, 'SELECT pg_promote(wait => true)');
    const has = await read(promoted.url);
    this.#primary = promoted;
    this.#standby = null;
    this.#isUp = true;

    const had = await readOnceMore(dead, read);
    await remove(dead.dataDir);
    await this.#buildStandby();
    return { had, has };
  }

  /** Keeps a copy of the whole database for `restore`, in place of the last one. */
  async keepCopy(): Promise<void> {
    await copyRunningServer(this.#primary.adminUrl, this.#primary.dataDir, this.#keptDir);
  }

  /**
   * The copy that was kept takes the database's place, as a snapshot of the disk would: identity and timeline are the same as they
   * were then. Nobody may write to the database when this is called. The copy is used up.
   */
  async restore<T>(read: Read<T>): Promise<Loss<T>> {
    const had = await read(this.#primary.url);
    this.#isUp = false;
    await this.#closeStandby();
    await this.#primary.stopImmediately();
    this.entrance.cut();
    await remove(this.#primary.dataDir);
    const dataDir = this.#nextDir();
    await rename(this.#keptDir, dataDir);
    this.#primary = await DatabaseServer.start(dataDir);
    const has = await read(this.#primary.url);
    this.#isUp = true;
    await this.#buildStandby();
    return { had, has };
  }

  /** As {@link DatabaseServer.restart} of the primary. */
  async restart(downMs: number): Promise<void> {
    this.#isUp = false;
    await this.#primary.restart(downMs);
    this.#isUp = true;
  }

  async close(): Promise<void> {
    this.#isUp = false;
    await this.#closeStandby();
    await this.#primary.close();
    await this.entrance.close();
    await this.stream.close();
    await remove(this.folder);
  }

  get #keptDir(): string {
    return join(this.folder, 'kept');
  }

  #nextDir(): string {
    this.#built += 1;
    return join(this.folder, `server-${this.#built}`);
  }

  #route(isOpen: boolean) {
    return isOpen ? straightTo(this.#primary.port) : null;
  }

  #promotable(): DatabaseServer {
    if (this.#standby === null) throw new Error('The standby is still being built.');
    return this.#standby;
  }

  async #buildStandby(): Promise<void> {
    const dataDir = this.#nextDir();
    await copyRunningServer(this.#primary.adminUrl, this.#primary.dataDir, dataDir);
    const { username, password } = new URL(this.#primary.adminUrl);
    const conninfo = `host=127.0.0.1 port=${this.stream.port} user=${username} password=${password} sslmode=disable`;
    await writeAsOwner(
      dataDir,
      'postgresql.auto.conf',
      `wal_keep_size = '${KEPT_LOG}'\nprimary_conninfo = '${conninfo}'\n`,
    );
    await writeAsOwner(dataDir, 'standby.signal', '');
    this.#isStreaming = true;
    this.#standby = await DatabaseServer.start(dataDir);
  }

  async #closeStandby(): Promise<void> {
    const standby = this.#standby;
    this.#standby = null;
    if (standby === null) return;
    await standby.close();
    await remove(standby.dataDir);
  }
}

async function readOnceMore<T>(dead: DatabaseServer, read: Read<T>): Promise<T> {
  await dead.startAgain();
  try {
    return await read(dead.url);
  } finally {
    await dead.close();
  }
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

function at(serverUrl: string, port: number): string {
  const url = new URL(serverUrl);
  url.port = String(port);
  return url.href;
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
