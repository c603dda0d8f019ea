import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** A payment that is found again is compared with the newest of its order's payments, of those that ended too. */
export class PaymentsEnded1800000011000 implements MigrationInterface {
  readonly name = 'PaymentsEnded1800000011000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS "payments_payments_ended_idx" ON ${at}"payments_payments" ("order_id", "created_at")
        WHERE ("service_id" IS NOT NULL AND ("status" IN ('rejected', 'canceled') OR "status" = 'succeeded' AND "captured_minor" = "refunded_minor")) IS TRUE
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`DROP INDEX ${at}"payments_payments_ended_idx"`);
  }
}
