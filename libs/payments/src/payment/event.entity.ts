import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { PaymentEntity } from './payment.entity.js';

/** Timeline and outbox in one: written with the change it tells of, delivered to handlers afterwards. */
@Entity({ name: 'payments_events' })
@Index('payments_events_status_key', ['subjectType', 'subjectId', 'name'], {
  unique: true,
  where: '"to_status" IS NOT NULL',
})
@Index('payments_events_payment_idx', ['paymentId'])
export class EventEntity {
  /** Grows with time: deliveries of one payment keep this order. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payments_events_pkey',
  })
  id!: string;

  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: 'payment' | 'order';

  @Column({ type: 'text', name: 'subject_id' })
  subjectId!: string;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_events_payment_fkey' })
  payment?: Relation<PaymentEntity>;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', name: 'from_status', nullable: true })
  fromStatus!: string | null;

  /** Null for an event that is no change of status, such as an anomaly. */
  @Column({ type: 'text', name: 'to_status', nullable: true })
  toStatus!: string | null;

  /** What made us look: the caller's request, a notification, the sweep, a refresh. */
  @Column({ type: 'text' })
  cause!: string;

  /** What we saw. */
  @Column({ type: 'jsonb' })
  evidence!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
