import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** What an operator's lists and sums by day are read by. */
const INDEXES = {
  payments_payments_status_idx: `"payments_payments" ("status", "store_id", "created_at", "id")`,
  payments_payments_amount_idx: `"payments_payments" ("amount_minor", "store_id", "created_at", "id")`,
  payments_payments_held_idx: `"payments_payments" ("store_id", "hold_expires_at", "id") WHERE "status" = 'waiting_for_capture'`,
  payments_events_days_idx: `"payments_events" ("store_id", "created_at") WHERE "name" IN ('payment.succeeded', 'payment.canceled', 'payment.waiting_for_capture', 'refund.succeeded')`,
};

/** The indexes by which a person finds payments: by status, amount and end of the hold, and what each day brought. */
export class PaymentsLists1800000000000 implements MigrationInterface {
  readonly name = 'PaymentsLists1800000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    // Writers of a large table wait while each is made, unless somebody has made it concurrently before.
    for (const [name, of] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX IF NOT EXISTS "${name}" ON ${at}${of}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX ${at}"${name}"`);
  }
}
