import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** By what a copy of the database is told, and which stores a copy has given up. */
export class PaymentsCopies1800000007000 implements MigrationInterface {
  readonly name = 'PaymentsCopies1800000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_commit_mark" ADD "database" text`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_commit_mark" ADD "installation" text`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_stores" ADD "detached_at" TIMESTAMP WITH TIME ZONE`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`ALTER TABLE ${at}"payments_stores" DROP COLUMN "detached_at"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_commit_mark" DROP COLUMN "installation"`);
    await queryRunner.query(`ALTER TABLE ${at}"payments_commit_mark" DROP COLUMN "database"`);
  }
}
