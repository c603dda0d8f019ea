import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { EventEntity } from '../payment/event.entity.js';
import { HandlerEntity } from './handler.entity.js';

/** One handler's run for one event. Done exactly once, in the handler's own transaction. */
@Entity({ name: 'payments_deliveries' })
@Index('payments_deliveries_due_idx', ['nextAttemptAt'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL',
})
@Index('payments_deliveries_order_idx', ['handlerId', 'sequence', 'eventId'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL',
})
export class DeliveryEntity {
  @PrimaryColumn({ type: 'bigint', name: 'event_id', primaryKeyConstraintName: 'payments_deliveries_pkey' })
  eventId!: string;

  @ManyToOne(() => EventEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'payments_deliveries_event_fkey' })
  event?: Relation<EventEntity>;

  @PrimaryColumn({ type: 'text', name: 'handler_id', primaryKeyConstraintName: 'payments_deliveries_pkey' })
  handlerId!: string;

  @ManyToOne(() => HandlerEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'handler_id', foreignKeyConstraintName: 'payments_deliveries_handler_fkey' })
  handler?: Relation<HandlerEntity>;

  /**
   * Deliveries keep their order per (handler, sequence): the id of the event's payment or, where it has none, its
   * subject, e.g. `payout po-1`.
   */
  @Column({ type: 'text' })
  sequence!: string;

  /** Counted before each run, so that a handler that kills its process is counted too. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;

  /** Given up after the configured attempts: waits for a person. */
  @Column({ type: 'timestamptz', name: 'parked_at', nullable: true })
  parkedAt!: Date | null;
}
