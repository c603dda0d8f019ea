import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { PaymentsStoreEntity } from './store.entity.js';

/** A comparison of one store's books with the service's lists: asked for by a person, made day by day, and kept with what it found. */
@Entity({ name: 'payments_audits' })
@Index('payments_audits_open_key', ['storeId'], { unique: true, where: '"done_at" IS NULL' })
@Index('payments_audits_store_idx', ['storeId', 'startedAt', 'id'])
@Check('payments_audits_period_check', '"from_at" < "to_at"')
@Check(
  'payments_audits_end_check',
  '"done_at" IS NULL OR "error" IS NOT NULL OR "compared_to" IS NOT DISTINCT FROM "to_at"',
)
export class PaymentsAuditEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_audits_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_audits_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  /** In business time, like all other times here but the lease. */
  @Column({ type: 'timestamptz', name: 'from_at' })
  fromAt!: Date;

  @Column({ type: 'timestamptz', name: 'to_at' })
  toAt!: Date;

  /** Who asked for it. */
  @Column({ type: 'text', name: 'asked_by' })
  askedBy!: string;

  @Column({ type: 'timestamptz', name: 'started_at' })
  startedAt!: Date;

  /** Up to here it has come; null: nowhere yet. */
  @Column({ type: 'timestamptz', name: 'compared_to', nullable: true })
  comparedTo!: Date | null;

  @Column({ type: 'integer', default: 0 })
  payments!: number;

  @Column({ type: 'integer', default: 0 })
  refunds!: number;

  /** null: on some day the key might not list them. */
  @Column({ type: 'integer', nullable: true, default: 0 })
  receipts!: number | null;

  @Column({ type: 'integer', name: 'difference_count', default: 0 })
  differenceCount!: number;

  /** The first thousand. They name ids and sums, and no person. */
  @Column({ type: 'jsonb', default: '[]' })
  differences!: object[];

  @Column({ type: 'integer', name: 'unsettled_count', default: 0 })
  unsettledCount!: number;

  /** Tries of the day that it is at which have failed. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** Why the last try failed; null: it did not. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** Null: it is still being made. */
  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;

  /** Until when only one process may work on it, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
