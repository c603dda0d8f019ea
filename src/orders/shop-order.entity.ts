import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { minorColumn } from '../../examples/shared/database/minor-column.js';
import { orderStates, type OrderState } from './order-state.js';
import type { WayToPay } from './ways-to-pay.js';

/** Held until the staff ship it, or paid in advance and not handed over. */
export const WAITS_FOR_STAFF = `("state" = 'held' OR "in_advance" AND "handed_over_at" IS NULL AND "state" IN ('paid', 'partially_refunded'))`;

@Entity({ name: 'shop_orders' })
@Index('shop_orders_waiting_idx', ['createdAt'], { where: WAITS_FOR_STAFF })
@Check('shop_orders_state_check', `"state" IN (${orderStates.map((state) => `'${state}'`).join(', ')})`)
@Check('shop_orders_quantity_check', '"quantity" > 0')
@Check('shop_orders_total_check', '"total_minor" > 0')
export class ShopOrder {
  /** Created when the checkout page is shown, so that a form sent twice is one order. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'shop_orders_pkey' })
  reference!: string;

  @Column({ type: 'text', name: 'product_slug' })
  productSlug!: string;

  @Column({ type: 'integer' })
  quantity!: number;

  @Column({ type: 'text', name: 'buyer_name' })
  buyerName!: string;

  @Column({ type: 'text', name: 'buyer_email' })
  buyerEmail!: string;

  @Column(minorColumn('total_minor'))
  totalMinor!: number;

  /** How the order was sold: `true` charges at once, `false` holds the amount until the shop ships. */
  @Column({ type: 'boolean' })
  capture!: boolean;

  /** Sold in advance: the goods are handed over when they have been paid for some time. */
  @Column({ type: 'boolean', name: 'in_advance' })
  inAdvance!: boolean;

  /** When that was; null: not yet, or they were not sold in advance. */
  @Column({ type: 'timestamptz', name: 'handed_over_at', nullable: true })
  handedOverAt!: Date | null;

  /** How the buyer wants to pay; null: chosen on the service's page. */
  @Column({ type: 'text', name: 'way_to_pay', nullable: true })
  wayToPay!: WayToPay | null;

  @Column({ type: 'text', default: 'awaiting_payment' })
  state!: OrderState;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
