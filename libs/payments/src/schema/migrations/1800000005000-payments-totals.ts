import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** What a create and a capture mean for what is due. */
export class PaymentsTotals1800000005000 implements MigrationInterface {
  readonly name = 'PaymentsTotals1800000005000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" ADD "save_payment_method" boolean`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" ADD "keeps_due" boolean`);
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_orders" ADD "waived_minor" bigint NOT NULL DEFAULT '0'`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_orders" ADD "was_paid" boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_orders" DROP COLUMN "was_paid"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_orders" DROP COLUMN "waived_minor"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" DROP COLUMN "keeps_due"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" DROP COLUMN "save_payment_method"`);
  }
}
