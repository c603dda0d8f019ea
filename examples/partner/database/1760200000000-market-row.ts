import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MarketRow1760200000000 implements MigrationInterface {
  readonly name = 'MarketRow1760200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "market_sales" (
        "reference" text NOT NULL,
        "store_id" uuid NOT NULL,
        "item" text NOT NULL,
        "price_minor" bigint NOT NULL,
        "state" text NOT NULL DEFAULT 'awaiting_payment',
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "market_sales_state_check" CHECK ("state" IN ('awaiting_payment', 'paid', 'payment_failed')),
        CONSTRAINT "market_sales_price_check" CHECK ("price_minor" > 0),
        CONSTRAINT "market_sales_pkey" PRIMARY KEY ("reference")
      )`);
    await queryRunner.query(
      `CREATE INDEX "market_sales_store_idx" ON "market_sales" ("store_id", "created_at")`,
    );
    await queryRunner.query(`CREATE TABLE "market_log" (
        "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
        "store_id" uuid NOT NULL,
        "event" text NOT NULL,
        "sale" text,
        "effect_key" text NOT NULL,
        "occurred_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "market_log_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(`CREATE INDEX "market_log_store_idx" ON "market_log" ("store_id", "id")`);
    await queryRunner.query(`CREATE TABLE "market_sessions" (
        "token_hash" text NOT NULL,
        "owner_id" text NOT NULL,
        "ends_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "market_sessions_pkey" PRIMARY KEY ("token_hash")
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "market_sessions"');
    await queryRunner.query('DROP TABLE "market_log"');
    await queryRunner.query('DROP TABLE "market_sales"');
  }
}
