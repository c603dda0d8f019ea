import type { Client } from 'pg';
import { eventually } from './eventually.js';
import { LOCK_WAITS } from './lock-waits.js';

const events = {
  insert: ['TRIGGER stop BEFORE INSERT', ''],
  update: ['TRIGGER stop BEFORE UPDATE', ''],
  commit: ['CONSTRAINT TRIGGER stop AFTER INSERT', 'DEFERRABLE INITIALLY DEFERRED'],
} as const;

/** Statements of other connections that stop on their way, to be killed there. */
export class Stops {
  constructor(private readonly client: Client) {}

  /** Stops every matching insert or update, or the commit of an insert, until `lift`. */
  async at(what: keyof typeof events, table: string, condition: string): Promise<void> {
    await this.client.query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    const [trigger, when] = events[what];
    await this.client.query(
      `CREATE ${trigger} ON ${table} ${when} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION stop()`,
    );
    await this.client.query('BEGIN');
    await this.client.query('SELECT pg_advisory_xact_lock(1)');
  }

  /** Stops whatever is about to change a payment, until `lift`. */
  async atOrders(): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query('SELECT 1 FROM payments_orders FOR UPDATE');
  }

  /** Resolves when something has stopped. */
  stopped(): Promise<boolean> {
    return eventually(() => this.#waits(), Boolean);
  }

  /** What has stopped goes on. */
  async lift(): Promise<void> {
    await this.client.query('ROLLBACK');
    await this.client.query('DROP FUNCTION IF EXISTS stop CASCADE');
  }

  async #waits(): Promise<boolean> {
    const { rows } = await this.client.query(LOCK_WAITS);
    return rows.length > 0;
  }
}
