import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** What a person has to look at, until one has resolved it. */
export class PaymentsIncidents1800000001500 implements MigrationInterface {
  readonly name = 'PaymentsIncidents1800000001500';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`CREATE TABLE ${at}"payments_incidents" (
      "event_id" bigint NOT NULL,
      "store_id" uuid NOT NULL,
      "payment_id" uuid NOT NULL,
      "name" text NOT NULL,
      "reason" text,
      "is_open" boolean NOT NULL,
      "since" TIMESTAMP WITH TIME ZONE NOT NULL,
      "resolution" jsonb,
      CONSTRAINT "payments_incidents_name_check" CHECK ("name" IN ('payment.anomaly', 'order.overpaid', 'hold.expired')),
      CONSTRAINT "payments_incidents_pkey" PRIMARY KEY ("event_id"))`);
    await queryRunner.query(
      `CREATE INDEX "payments_incidents_payment_idx" ON ${at}"payments_incidents" ("payment_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_incidents_open_idx" ON ${at}"payments_incidents" ("store_id", "since") WHERE "is_open"`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_incidents" ADD CONSTRAINT "payments_incidents_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_incidents" ADD CONSTRAINT "payments_incidents_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`DROP TABLE ${at}"payments_incidents"`);
  }
}
