import type { Client } from 'pg';

/**
 * What a migration of a version to come may do, and does to every table here: each kind of statement that test/migrations/only-adds.ts lets pass.
 * So the earlier version is tried with more than today's migrations, which may have added nothing yet.
 */
export async function laterMigration(sql: Client): Promise<string[]> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND starts_with(tablename, 'payments_') ORDER BY 1`,
  );
  return [
    ...tables.flatMap(({ name }) => [
      `ALTER TABLE "${name}" ADD "later_note" text, ADD "later_count" integer NOT NULL DEFAULT '0'`,
      `ALTER TABLE "${name}" ADD CONSTRAINT "${name}_later_check" CHECK ("later_count" >= 0)`,
      `CREATE INDEX IF NOT EXISTS "${name}_later_idx" ON "${name}" ("later_note") WHERE "later_note" IS NOT NULL`,
    ]),
    'CREATE TABLE "payments_laters" ("id" uuid NOT NULL, "payment_id" uuid NOT NULL)',
    'CREATE UNIQUE INDEX "payments_laters_payment_key" ON "payments_laters" ("payment_id")',
    'ALTER TABLE "payments_laters" ADD CONSTRAINT "payments_laters_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments_payments"("id")',
  ];
}
