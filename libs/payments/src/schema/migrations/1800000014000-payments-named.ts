import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** Of which payment a refund's notification says that it is. */
export class PaymentsNamed1800000014000 implements MigrationInterface {
  readonly name = 'PaymentsNamed1800000014000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_notifications" ADD "of_payment" text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_notifications" DROP COLUMN "of_payment"`);
  }
}
