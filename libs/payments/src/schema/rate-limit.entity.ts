import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * The rate limit of the sweeps' requests for one store. A separate row: every other row of the store refers to the store's, and would
 * wait.
 */
@Entity({ name: 'payments_rate_limits' })
export class PaymentsRateLimitEntity {
  @PrimaryColumn({ type: 'uuid', name: 'store_id', primaryKeyConstraintName: 'payments_rate_limits_pkey' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_rate_limits_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  /** Up to when its requests are spent, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'spent_to' })
  spentTo!: Date;

  /** Until when its polls rest since the service asked for that, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'polls_rest_until', nullable: true })
  pollsRestUntil!: Date | null;

  /** Since when the service has asked for that without a pause, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'rests_since', nullable: true })
  restsSince!: Date | null;
}
