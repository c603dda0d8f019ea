import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StoreEntity } from '../stores/store.entity.js';
import type { RefusalAdvice } from './refusal-advice.js';

/**
 * A notification that named a payment of ours and was refused for its sender. The payment's id decides the slot, so that
 * a store has a bounded number of rows, whoever sends whatever; a newer one takes the place of an older one.
 */
@Entity({ name: 'payments_refused_notifications' })
export class RefusedNotificationEntity {
  @PrimaryColumn({
    type: 'uuid',
    name: 'store_id',
    primaryKeyConstraintName: 'payments_refused_notifications_pkey',
  })
  storeId!: string;

  @ManyToOne(() => StoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_refused_notifications_store_fkey' })
  store?: Relation<StoreEntity>;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'payments_refused_notifications_pkey' })
  slot!: number;

  @Column({ type: 'text', name: 'sender_address' })
  senderAddress!: string;

  /** What would let the sender in, if it is whom it looks like. */
  @Column({ type: 'text' })
  advice!: RefusalAdvice;

  /** The service's id of the payment. */
  @Column({ type: 'text', name: 'object_id' })
  objectId!: string;

  @Column({ type: 'text' })
  event!: string;

  @Column({ type: 'int', default: 1 })
  count!: number;

  @Column({ type: 'timestamptz', name: 'first_at' })
  firstAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_at' })
  lastAt!: Date;

  /** Since when what it told is known to be true, while no accepted notification has told it. */
  @Column({ type: 'timestamptz', name: 'proven_at', nullable: true })
  provenAt!: Date | null;
}
