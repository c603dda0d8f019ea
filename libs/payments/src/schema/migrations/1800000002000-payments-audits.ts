import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** Comparisons of the books, kept with what they found. */
export class PaymentsAudits1800000002000 implements MigrationInterface {
  readonly name = 'PaymentsAudits1800000002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`CREATE TABLE ${at}"payments_audits" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "from_at" timestamp with time zone NOT NULL,
        "to_at" timestamp with time zone NOT NULL,
        "asked_by" text NOT NULL,
        "started_at" timestamp with time zone NOT NULL,
        "compared_to" timestamp with time zone,
        "payments" integer NOT NULL DEFAULT '0',
        "refunds" integer NOT NULL DEFAULT '0',
        "receipts" integer DEFAULT '0',
        "difference_count" integer NOT NULL DEFAULT '0',
        "differences" jsonb NOT NULL DEFAULT '[]',
        "unsettled_count" integer NOT NULL DEFAULT '0',
        "failures" integer NOT NULL DEFAULT '0',
        "error" text,
        "done_at" timestamp with time zone,
        "lease_until" timestamp with time zone,
        "fence" integer NOT NULL DEFAULT '0',
        CONSTRAINT "payments_audits_period_check" CHECK ("from_at" < "to_at"),
        CONSTRAINT "payments_audits_end_check" CHECK ("done_at" IS NULL OR "error" IS NOT NULL OR "compared_to" IS NOT DISTINCT FROM "to_at"),
        CONSTRAINT "payments_audits_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_audits_open_key" ON ${at}"payments_audits" ("store_id") WHERE "done_at" IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_audits_store_idx" ON ${at}"payments_audits" ("store_id", "started_at", "id")`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_audits" ADD CONSTRAINT "payments_audits_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ${schemaPrefix(dataSourceOf(queryRunner))}"payments_audits"`);
  }
}
