import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ShopOrders1760100000000 implements MigrationInterface {
  readonly name = 'ShopOrders1760100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "shop_orders" (
        "reference" text NOT NULL,
        "product_slug" text NOT NULL,
        "quantity" integer NOT NULL,
        "buyer_name" text NOT NULL,
        "buyer_email" text NOT NULL,
        "total_minor" bigint NOT NULL,
        "capture" boolean NOT NULL,
        "in_advance" boolean NOT NULL,
        "handed_over_at" TIMESTAMP WITH TIME ZONE,
        "way_to_pay" text,
        "state" text NOT NULL DEFAULT 'awaiting_payment',
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "shop_orders_state_check" CHECK ("state" IN ('awaiting_payment', 'held', 'paid', 'payment_failed', 'canceled', 'partially_refunded', 'refunded')),
        CONSTRAINT "shop_orders_quantity_check" CHECK ("quantity" > 0),
        CONSTRAINT "shop_orders_total_check" CHECK ("total_minor" > 0),
        CONSTRAINT "shop_orders_pkey" PRIMARY KEY ("reference")
      )`);
    await queryRunner.query(`CREATE TABLE "shop_order_effects" (
        "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
        "order_reference" text NOT NULL,
        "effect" text NOT NULL,
        "payment_id" text NOT NULL,
        "refund_id" text,
        "refunded_minor" bigint NOT NULL,
        "effect_key" text NOT NULL,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "shop_order_effects_pkey" PRIMARY KEY ("id"),
        CONSTRAINT "shop_order_effects_order_fkey" FOREIGN KEY ("order_reference") REFERENCES "shop_orders"("reference") ON DELETE CASCADE ON UPDATE NO ACTION
      )`);
    await queryRunner.query(
      `CREATE INDEX "shop_order_effects_order_idx" ON "shop_order_effects" ("order_reference")`,
    );
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
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "shop_staff_notes"');
    await queryRunner.query('DROP TABLE "shop_order_effects"');
    await queryRunner.query('DROP TABLE "shop_orders"');
  }
}
