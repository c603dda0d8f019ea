import type { EventName } from '@holdfast/payments';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A message to a store's owner. Written by handlers, with no unique key on purpose: one written twice would be two rows. */
@Entity({ name: 'market_log' })
@Index('market_log_store_idx', ['storeId', 'id'])
export class LogEntry {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'market_log_pkey',
  })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @Column({ type: 'text' })
  event!: EventName;

  /** The sale it is about; null: it is about the store. */
  @Column({ type: 'text', nullable: true })
  sale!: string | null;

  /** The delivery's stable key, the same on every attempt. */
  @Column({ type: 'text', name: 'effect_key' })
  effectKey!: string;

  /** Business time of the event. */
  @Column({ type: 'timestamptz', name: 'occurred_at' })
  occurredAt!: Date;
}
