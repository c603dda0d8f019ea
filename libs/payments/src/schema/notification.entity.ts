import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  Unique,
  type Relation,
} from 'typeorm';
import { isOneOf } from './columns.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * What to do with it: hand it to its payment, a refund's too; look up an unknown payment at the service in the end; or re-read another object,
 * for the first time or again.
 */
const notificationSteps = ['hand_over', 'look_up', 're_read', 're_read_again'] as const;
export type NotificationStep = (typeof notificationSteps)[number];

/**
 * A notification of the service, once per (store, event, object). It is unhandled while `count` exceeds `handledCount`; a repeat
 * that arrives during a re-read therefore causes one more. No index has a column that a repeat of a waiting notification changes.
 */
@Entity({ name: 'payments_notifications' })
@Check('payments_notifications_step_check', isOneOf('step', notificationSteps))
@Unique('payments_notifications_object_key', ['storeId', 'objectId', 'event'])
@Index('payments_notifications_ready_idx', ['step', 'storeId', 'readyAt'], {
  where: '"ready_at" IS NOT NULL',
})
@Index('payments_notifications_waiting_idx', ['storeId', 'waitingSince'], {
  where: '"waiting_since" IS NOT NULL',
})
@Index('payments_notifications_over_idx', ['storeId', 'firstAt', 'id'], { where: '"waiting_since" IS NULL' })
@Index('payments_notifications_foreign_idx', ['storeId', 'isKnown', 'foreignAt'], {
  where: '"foreign_at" IS NOT NULL',
})
export class PaymentsNotificationEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_notifications_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_notifications_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'text' })
  event!: string;

  /** The event's part before the dot, which says what to re-read. Payments find their own notifications. */
  @Column({ type: 'text', name: 'object_type' })
  objectType!: string;

  @Column({ type: 'text', name: 'object_id' })
  objectId!: string;

  /** The service's id of the payment that a refund's notification names; null: it names none, or they differed. */
  @Column({ type: 'text', name: 'of_payment', nullable: true })
  ofPayment!: string | null;

  /** The last body, for the person on call. No state is ever taken from it. Text: jsonb refuses some valid JSON (\u0000). */
  @Column({ type: 'text' })
  body!: string;

  @Column({ type: 'text', name: 'sender_address' })
  senderAddress!: string;

  /** The span of the last request that brought it, which its re-read links to; null: nobody traced. */
  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  @Column({ type: 'timestamptz', name: 'first_at' })
  firstAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_at' })
  lastAt!: Date;

  @Column({ type: 'int', default: 1 })
  count!: number;

  @Column({ type: 'int', name: 'handled_count', default: 0 })
  handledCount!: number;

  /** Since when it is unhandled, in business time; null: it is handled or set aside. */
  @Column({ type: 'timestamptz', name: 'waiting_since', nullable: true })
  waitingSince!: Date | null;

  /** What to do with it next. */
  @Column({ type: 'text' })
  step!: NotificationStep;

  /** When that may be done, in business time: at once, after a lease, after a failure. Null: nothing, or a re-read is on its way. */
  @Column({ type: 'timestamptz', name: 'ready_at', nullable: true })
  readyAt!: Date | null;

  /** Since when it is set aside: the payment is known not to be ours, or the service does not show what was notified. */
  @Column({ type: 'timestamptz', name: 'foreign_at', nullable: true })
  foreignAt!: Date | null;

  /** Of one that is set aside: whether the service knew its object. What it does not know anyone may have made up. */
  @Column({ type: 'boolean', name: 'is_known', default: false })
  isKnown!: boolean;

  /** Failed re-reads since the last that succeeded; the delay before the next grows with it. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /**
   * Until when only one worker may re-read the object, in the database's own time. Unused for payments we know, which are leased
   * themselves.
   */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /** Grows with every claim: a worker that was paused past its lease finds another number and writes nothing. */
  @Column({ type: 'int', default: 0 })
  fence!: number;
}
