import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { isOneOf } from './columns.js';
import { PaymentsPaymentEntity } from './payment.entity.js';

/**
 * In the order in which they are served. What was notified, or asked for in another way; planned looks; and those whose last
 * re-read failed.
 */
export const lanes = ['notified', 'polls', 'failing'] as const;
export type Lane = (typeof lanes)[number];

/**
 * The queue of payments to re-read: narrow, since every claim writes to it, and short, since a payment that is over has no row
 * here. So the cost of a claim does not grow with the years.
 */
@Entity({ name: 'payments_due' })
@Check('payments_due_lane_check', isOneOf('lane', lanes))
@Index('payments_due_ready_idx', ['storeId', 'lane', 'readyAt'])
export class PaymentsDueEntity {
  @PrimaryColumn({ type: 'uuid', name: 'payment_id', primaryKeyConstraintName: 'payments_due_pkey' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_due_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  /** The payment's, so that each store's queue has an order of its own. */
  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  /**
   * When it may be claimed, in business time: its poll, a request for a re-read, the end of a rest. A claim does not change it.
   */
  @Column({ type: 'timestamptz', name: 'ready_at' })
  readyAt!: Date;

  /** Set if a re-read was requested since the present worker began: it is ready again from then on, in business time. */
  @Column({ type: 'timestamptz', name: 'wanted_at', nullable: true })
  wantedAt!: Date | null;

  /** Each lane is a queue of its own, so that polls cannot delay what was notified, and what fails delays neither. */
  @Column({ type: 'text', default: 'polls' })
  lane!: Lane;

  /** Re-reads since the last change; the polling interval grows with it. */
  @Column({ type: 'int', default: 0 })
  checks!: number;

  /** How many requests for a list of the payment's refunds no list has answered yet. */
  @Column({ type: 'int', name: 'refund_signals', default: 0 })
  refundSignals!: number;

  /** Until when only one worker may re-read and apply, in the database's own time: a moved clock frees no lease. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /** Identifies the lease: a worker that was paused past it finds another one, or no row, and writes nothing. */
  @Column({ type: 'uuid', nullable: true })
  fence!: string | null;

  /** Until when the sweep leaves it alone, whatever is requested, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'rest_until', nullable: true })
  restUntil!: Date | null;
}
