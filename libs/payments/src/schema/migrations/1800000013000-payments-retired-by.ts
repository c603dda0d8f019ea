import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** Who retired a handler. */
export class PaymentsRetiredBy1800000013000 implements MigrationInterface {
  readonly name = 'PaymentsRetiredBy1800000013000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_handlers" ADD "retired_by" text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_handlers" DROP COLUMN "retired_by"`);
  }
}
