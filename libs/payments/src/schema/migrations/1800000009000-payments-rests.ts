import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** What was notified rests for seconds where polls rest for minutes. */
export class PaymentsRests1800000009000 implements MigrationInterface {
  readonly name = 'PaymentsRests1800000009000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_rate_limits" ADD "polls_rest_until" TIMESTAMP WITH TIME ZONE, ADD "rests_since" TIMESTAMP WITH TIME ZONE`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_rate_limits" DROP COLUMN "rests_since", DROP COLUMN "polls_rest_until"`,
    );
  }
}
