import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** Where a trace goes on in another process, hours later. */
export class PaymentsTraces1800000003000 implements MigrationInterface {
  readonly name = 'PaymentsTraces1800000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" ADD "traceparent" text`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_notifications" ADD "traceparent" text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_notifications" DROP COLUMN "traceparent"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_payments" DROP COLUMN "traceparent"`);
  }
}
