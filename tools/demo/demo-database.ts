import { Client } from 'pg';

import type { CleanUp } from '../../examples/shared/clean-up.js';
import type { ThrowAwayDatabase } from '../../examples/shared/database/throw-away-database.js';

/** How many rows there are of what people would miss. */
export interface Rows {
  readonly payments: number;
  readonly refunds: number;
  readonly events: number;
  readonly effects: number;
}

const countRows = `
  SELECT (SELECT count(*) FROM payments_payments)::int AS payments,
         (SELECT count(*) FROM payments_refunds)::int AS refunds,
         (SELECT count(*) FROM payments_events)::int AS events,
         (SELECT count(*) FROM shop_order_effects)::int AS effects`;

const countCommits = 'SELECT counter::int AS count FROM payments_commit_mark';

/** The shop's database, of which a copy can be kept and restored, as of a backup: what was committed since is gone then. */
export class DemoDatabase {
  readonly #url: URL;
  readonly #copyUrl: URL;

  constructor(
    private readonly database: ThrowAwayDatabase,
    cleanUp: CleanUp,
  ) {
    this.#url = new URL(database.url);
    this.#copyUrl = new URL(`${database.url}_copy`);
    cleanUp.add(() => this.#administer(`DROP DATABASE IF EXISTS ${nameIn(this.#copyUrl)} WITH (FORCE)`));
  }

  /** The shop's connections end for that: PostgreSQL copies no database that is in use. */
  async keepCopy(): Promise<void> {
    const [name, copy] = [nameIn(this.#url), nameIn(this.#copyUrl)];
    await this.#administer(
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      `CREATE DATABASE ${copy} TEMPLATE ${name}`,
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
    );
  }

  /** How often a process of the shop has counted up the row by which it notices that commits are gone. */
  async commitsSeen(): Promise<number> {
    return (await one<{ count: number }>(this.#url, countCommits)).count;
  }

  /** The copy takes the database's place, under the shop as it runs, and is used up. Resolves to how many rows are gone. */
  async restoreCopy(): Promise<Rows> {
    const [had, has] = [await one<Rows>(this.#url, countRows), await one<Rows>(this.#copyUrl, countRows)];
    const name = nameIn(this.#url);
    await this.#administer(
      `DROP DATABASE ${name} WITH (FORCE)`,
      `ALTER DATABASE ${nameIn(this.#copyUrl)} RENAME TO ${name}`,
    );
    return {
      payments: had.payments - has.payments,
      refunds: had.refunds - has.refunds,
      events: had.events - has.events,
      effects: had.effects - has.effects,
    };
  }

  /** Each in a transaction of its own: a database is made and dropped outside of any. */
  async #administer(...statements: readonly string[]): Promise<void> {
    await connected(this.database.adminUrl, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }
}

async function one<Row extends object>(url: URL, sql: string): Promise<Row> {
  const [row] = await connected(url.href, async (client) => (await client.query<Row>(sql)).rows);
  if (row === undefined) throw new Error(`No row was found by ${sql}`);
  return row;
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function nameIn({ pathname }: URL): string {
  return pathname.slice(1);
}
