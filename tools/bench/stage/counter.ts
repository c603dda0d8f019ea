import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const LOOK_MS = 200;

interface Counts {
  readonly commits: number;
  readonly statements: number;
  readonly plain: number;
}

/** Reads what PostgreSQL has counted. Each query is a commit and a statement itself. */
export class Counter {
  /** Its own, from one reading to the next. */
  static readonly STATEMENTS = 2;

  constructor(readonly client: Client) {}

  async read(): Promise<Counts> {
    // What this connection has counted is reported with its next statement.
    await this.client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await this.client.query<Counts>(
      `SELECT base.xact_commit::float AS commits, counted.statements::float, counted.plain::float
       FROM pg_stat_database base,
         (SELECT sum(calls) AS statements, sum(calls) FILTER (WHERE query !~* '^(begin|start transaction|commit|rollback)') AS plain
          FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) counted
       WHERE base.datname = current_database()`,
    );
    const [counts] = rows;
    if (!counts) throw new Error('PostgreSQL counts nothing.');
    return counts;
  }

  /** Waits until every handler has committed. Returns how often it had to look. */
  async whenDone(count: number): Promise<number> {
    for (let looks = 1; ; looks += 1) {
      const { rows } = await this.client.query<{ done: number }>(
        'SELECT count(*)::int AS done FROM payments_deliveries WHERE done_at IS NOT NULL',
      );
      if (rows[0]?.done === count) return looks;
      await delay(LOOK_MS);
    }
  }
}
