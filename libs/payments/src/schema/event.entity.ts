import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * The subject of an event: our own id for payments, orders and refunds, the epoch for the database, its key for an effect, the
 * service's id for the rest.
 */
export interface EventSubject {
  readonly type:
    | 'payment'
    | 'order'
    | 'refund'
    | 'payout'
    | 'deal'
    | 'payment_method'
    | 'store'
    | 'receipt'
    | 'database'
    | 'effect';
  readonly id: string;
}

/** Events that sums by day are made of. */
export const countedByDay = [
  'payment.succeeded',
  'payment.canceled',
  'payment.waiting_for_capture',
  'refund.succeeded',
] as const;

/** Timeline and outbox in one: written with the change it reports, delivered to handlers afterwards. */
@Entity({ name: 'payments_events' })
@Index('payments_events_status_key', ['subjectType', 'subjectId', 'name'], {
  unique: true,
  where: '"to_status" IS NOT NULL',
})
@Index('payments_events_payment_idx', ['paymentId'])
@Index('payments_events_days_idx', ['storeId', 'createdAt'], {
  where: `"name" IN (${countedByDay.map((name) => `'${name}'`).join(', ')})`,
})
@Index('payments_events_retention_idx', ['storeId', 'id'], { where: '"payment_id" IS NOT NULL' })
export class PaymentsEventEntity {
  /** Grows with time: deliveries of one sequence keep this order. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payments_events_pkey',
  })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_events_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: EventSubject['type'];

  @Column({ type: 'text', name: 'subject_id' })
  subjectId!: string;

  /** The payment it belongs to; null for payouts, deals and payment methods, which have none of ours. */
  @Column({ type: 'uuid', name: 'payment_id', nullable: true })
  paymentId!: string | null;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_events_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity> | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', name: 'from_status', nullable: true })
  fromStatus!: string | null;

  /** Null for an event that is no change of status, such as an anomaly. */
  @Column({ type: 'text', name: 'to_status', nullable: true })
  toStatus!: string | null;

  /** What caused the look: the caller's request, a notification, the sweep, a refresh. */
  @Column({ type: 'text' })
  cause!: string;

  /** The evidence. */
  @Column({ type: 'jsonb' })
  evidence!: Record<string, unknown>;

  /** The re-read object, if we keep no row of it; handlers get it. json: jsonb refuses some valid JSON (\u0000). */
  @Column({ type: 'json', nullable: true })
  object!: object | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
