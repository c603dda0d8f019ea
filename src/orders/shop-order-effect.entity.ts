import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

import { minorColumn } from '../../examples/shared/database/minor-column.js';
import type { OrderEffect } from './order-state.js';
import { ShopOrder } from './shop-order.entity.js';

/**
 * One row for every run of a payment handler that took effect. Append-only, with no unique key on purpose: an effect applied
 * twice would be two rows.
 */
@Entity({ name: 'shop_order_effects' })
@Index('shop_order_effects_order_idx', ['orderReference'])
export class ShopOrderEffect {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'shop_order_effects_pkey',
  })
  id!: string;

  @ManyToOne(() => ShopOrder, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'order_reference', foreignKeyConstraintName: 'shop_order_effects_order_fkey' })
  order?: Relation<ShopOrder>;

  @Column({ type: 'text', name: 'order_reference' })
  orderReference!: string;

  @Column({ type: 'text' })
  effect!: OrderEffect;

  @Column({ type: 'text', name: 'payment_id' })
  paymentId!: string;

  /** The refund behind it; null for every other effect. */
  @Column({ type: 'text', name: 'refund_id', nullable: true })
  refundId!: string | null;

  /** The amount refunded to the buyer; 0 for every other effect. */
  @Column(minorColumn('refunded_minor'))
  refundedMinor!: number;

  /** The delivery's stable key, the same on every attempt. */
  @Column({ type: 'text', name: 'effect_key' })
  effectKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
