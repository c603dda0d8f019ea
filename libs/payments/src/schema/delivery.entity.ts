import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { PaymentsEventEntity } from './event.entity.js';
import { PaymentsHandlerEntity } from './handler.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * One handler's run for one event, done exactly once, in the handler's own transaction; or the run of an effect that a handler
 * recorded, done at least once, after that transaction.
 */
@Entity({ name: 'payments_deliveries' })
// Deliveries never run and those tried before have separate queues, so that however much fails, nothing new waits behind it.
@Index('payments_deliveries_fresh_idx', ['handlerId', 'storeId', 'nextAttemptAt'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL AND "attempts" = 0',
})
@Index('payments_deliveries_tried_idx', ['handlerId', 'storeId', 'nextAttemptAt'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL AND "attempts" > 0',
})
// Whether a handler has anything due, of whichever store: its stores are gone through only then.
@Index('payments_deliveries_fresh_due_idx', ['handlerId', 'nextAttemptAt'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL AND "attempts" = 0',
})
@Index('payments_deliveries_tried_due_idx', ['handlerId', 'nextAttemptAt'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL AND "attempts" > 0',
})
@Index('payments_deliveries_parked_idx', ['handlerId', 'parkedAt', 'eventId'], {
  where: '"done_at" IS NULL AND "parked_at" IS NOT NULL',
})
@Index('payments_deliveries_order_idx', ['handlerId', 'sequence', 'eventId'], {
  where: '"done_at" IS NULL AND "parked_at" IS NULL',
})
export class PaymentsDeliveryEntity {
  @PrimaryColumn({ type: 'bigint', name: 'event_id', primaryKeyConstraintName: 'payments_deliveries_pkey' })
  eventId!: string;

  @ManyToOne(() => PaymentsEventEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'payments_deliveries_event_fkey' })
  event?: Relation<PaymentsEventEntity>;

  @PrimaryColumn({ type: 'text', name: 'handler_id', primaryKeyConstraintName: 'payments_deliveries_pkey' })
  handlerId!: string;

  @ManyToOne(() => PaymentsHandlerEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'handler_id', foreignKeyConstraintName: 'payments_deliveries_handler_fkey' })
  handler?: Relation<PaymentsHandlerEntity>;

  /** The event's. */
  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_deliveries_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  /**
   * Deliveries keep their order per (handler, sequence): the id of the event's payment or, if it has none, its subject, e.g.
   * `payout po-1`. An effect's is its own, e.g. `effect 42`: it waits for no other.
   */
  @Column({ type: 'text' })
  sequence!: string;

  /** Counted with the claim, before the run, so that a handler that kills its process is counted too. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /** In business time. While it is leased: when the lease ends; behind an earlier delivery of its sequence: infinity. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  /** The event of the delivery that waits for this one. */
  @Column({ type: 'bigint', name: 'next_event_id', nullable: true })
  nextEventId!: string | null;

  /** In the database's own time. If it is over but still set, its process ended during the run. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;

  /** Given up after the configured attempts: waits for a person. */
  @Column({ type: 'timestamptz', name: 'parked_at', nullable: true })
  parkedAt!: Date | null;

  /** What an effect's method gets, erased once it is done; null for a handler's. json: it comes back as the very text it was. */
  @Column({ type: 'json', nullable: true })
  data!: object | null;
}
