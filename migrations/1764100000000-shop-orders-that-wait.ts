import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The staff's list of orders has an index; what they had notes about stands on the payments board. */
export class ShopOrdersThatWait1764100000000 implements MigrationInterface {
  readonly name = 'ShopOrdersThatWait1764100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "shop_orders_waiting_idx" ON "shop_orders" ("created_at") WHERE ("state" = 'held' OR "in_advance" AND "handed_over_at" IS NULL AND "state" IN ('paid', 'partially_refunded'))`,
    );
    await queryRunner.query('DROP TABLE "shop_staff_notes"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "shop_staff_notes" (
        "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
        "order_reference" text,
        "event" text NOT NULL,
        "text" text NOT NULL,
        "effect_key" text NOT NULL,
        "occurred_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "done_at" TIMESTAMP WITH TIME ZONE,
        CONSTRAINT "shop_staff_notes_pkey" PRIMARY KEY ("id"),
        CONSTRAINT "shop_staff_notes_order_fkey" FOREIGN KEY ("order_reference") REFERENCES "shop_orders"("reference") ON DELETE CASCADE ON UPDATE NO ACTION
      )`);
    await queryRunner.query(
      `CREATE INDEX "shop_staff_notes_order_idx" ON "shop_staff_notes" ("order_reference")`,
    );
    await queryRunner.query('DROP INDEX "shop_orders_waiting_idx"');
  }
}
