import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** The index by which payments are found that wait for their receipt, were superseded while open, or are held between two tries. */
export class PaymentsFollowed1790000000000 implements MigrationInterface {
  readonly name = 'PaymentsFollowed1790000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    // Writers of a large table wait while it is made, unless somebody has made it concurrently before.
    await queryRunner.query(
      `CREATE INDEX IF NOT EXISTS "payments_payments_followed_idx" ON ${at}"payments_payments" ("id") WHERE "receipt_status" = 'pending' OR "status" IN ('submitting', 'pending') AND "superseded_at" IS NOT NULL OR "status" = 'waiting_for_capture' AND "hold_due_at" IS NOT NULL AND "hold_tries" > 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`DROP INDEX ${at}"payments_payments_followed_idx"`);
  }
}
