import type { EventName } from '@holdfast/payments';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

import { ShopOrder } from '../orders/shop-order.entity.js';

/** Something that a person has to know, mostly about an order. With no unique key on purpose: a note written twice would be two rows. */
@Entity({ name: 'shop_staff_notes' })
@Index('shop_staff_notes_order_idx', ['orderReference'])
export class StaffNote {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'shop_staff_notes_pkey',
  })
  id!: string;

  @ManyToOne(() => ShopOrder, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'order_reference', foreignKeyConstraintName: 'shop_staff_notes_order_fkey' })
  order?: Relation<ShopOrder> | null;

  /** Null: it is about all of them. */
  @Column({ type: 'text', name: 'order_reference', nullable: true })
  orderReference!: string | null;

  /** What the note is about. */
  @Column({ type: 'text' })
  event!: EventName;

  @Column({ type: 'text' })
  text!: string;

  /** The delivery's stable key, the same on every attempt. */
  @Column({ type: 'text', name: 'effect_key' })
  effectKey!: string;

  /** Business time of the event. */
  @Column({ type: 'timestamptz', name: 'occurred_at' })
  occurredAt!: Date;

  /** When somebody put it aside; null: it still waits. */
  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;
}
