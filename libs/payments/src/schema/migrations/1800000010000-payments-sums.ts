import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** An order of thousands of payments costs what an order of one does: its sums are kept, and what is read of its payments has an index. */
export class PaymentsSums1800000010000 implements MigrationInterface {
  readonly name = 'PaymentsSums1800000010000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_orders" ADD "discount_minor" bigint NOT NULL DEFAULT '0'`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_orders" ADD "let_go_minor" bigint NOT NULL DEFAULT '0'`,
    );
    await queryRunner.query(`ALTER TABLE ${at}"payments_orders" ADD "summed_version" integer`);
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS "payments_payments_try_idx" ON ${at}"payments_payments" ("order_id", "part", "try_number")
    `);
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS "payments_payments_live_idx" ON ${at}"payments_payments" ("order_id")
        WHERE ("status" IN ('submitting', 'pending', 'waiting_for_capture')) IS TRUE
    `);
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS "payments_payments_keeping_idx" ON ${at}"payments_payments" ("order_id", "created_at")
        WHERE "status" = 'succeeded' AND "captured_minor" > "refunded_minor"
    `);
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS "payments_payments_alike_idx" ON ${at}"payments_payments" ("order_id", "part", "amount_minor", "created_at")
        WHERE "status" = 'succeeded' AND "captured_minor" - "refunded_minor" > 0
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    for (const index of ['alike', 'keeping', 'live', 'try'])
      await queryRunner.query(`DROP INDEX ${at}"payments_payments_${index}_idx"`);
    for (const column of ['summed_version', 'let_go_minor', 'discount_minor'])
      await queryRunner.query(`ALTER TABLE ${at}"payments_orders" DROP COLUMN "${column}"`);
  }
}
